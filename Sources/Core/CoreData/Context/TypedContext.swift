/// What makes contexts by a type variable: `Context(concurrencyType:)` where `Context` is a generic
/// parameter. Only contexts conform.
///
/// On Apple's systems initializers of Objective-C can be called on every subclass. Swift allows
/// that for required initializers alone, and for those of protocols.
public protocol TypedContext {}

extension NSManagedObjectContext: TypedContext {}

extension TypedContext {
  /// Makes a context of the class that the type variable stands for, by that class's own
  /// `init(concurrencyType:)`. Traps if the class neither inherits nor overrides it.
  public init(concurrencyType: NSManagedObjectContextConcurrencyType) {
    // Sound: only contexts conform, and a class makes instances of its own.
    let type = Self.self as! NSManagedObjectContext.Type
    self = type.made(concurrencyType) as! Self
  }
}

extension NSManagedObjectContext {
  /// Calls the initializer of the subclass that is made, as convenience initializers do.
  convenience init(ofVariable type: NSManagedObjectContextConcurrencyType) {
    self.init(concurrencyType: type)
  }

  /// Calls the initializer above on any subclass. Sound: every subclass has an entry for the
  /// initializer that it calls; the symbol is that of the allocating initializer, which takes the
  /// metatype as a class method does.
  @_silgen_name("$s8CoreData22NSManagedObjectContextC10ofVariableAcA0cdE15ConcurrencyTypeO_tcfC")
  fileprivate final class func made(
    _ type: NSManagedObjectContextConcurrencyType
  ) -> NSManagedObjectContext
}
