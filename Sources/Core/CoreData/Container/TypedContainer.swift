/// What makes containers by a type variable: `Container(name:)` where `Container` is a generic
/// parameter. Only containers conform. See ``TypedContext``.
public protocol TypedContainer {}

extension NSPersistentContainer: TypedContainer {}

extension TypedContainer {
  /// Makes a container of the class that the type variable stands for, by that class's own
  /// `init(name:managedObjectModel:)`. Traps if the class neither inherits nor overrides it.
  public init(name: String, managedObjectModel model: NSManagedObjectModel) {
    self = Self.made(name, model: model)
  }

  /// Makes a container of that class with the model of this name.
  public init(name: String) { self = Self.made(name, model: nil) }

  private static func made(_ name: String, model: NSManagedObjectModel?) -> Self {
    // Sound: only containers conform, and a class makes instances of its own.
    let type = Self.self as! NSPersistentContainer.Type
    return type.made(name, model: model) as! Self
  }
}

extension NSPersistentContainer {
  /// Calls the initializer of the subclass that is made, as convenience initializers do.
  convenience init(ofVariable name: String, model: NSManagedObjectModel?) {
    if let model {
      self.init(name: name, managedObjectModel: model)
    } else {
      self.init(name: name)
    }
  }

  /// Calls the initializer above on any subclass; see `NSManagedObjectContext.made`.
  @_silgen_name(
    "$s8CoreData21NSPersistentContainerC10ofVariable5modelACSS_AA20NSManagedObjectModelCSgtcfC")
  fileprivate final class func made(
    _ name: __owned String, model: __owned NSManagedObjectModel?
  ) -> NSPersistentContainer
}
