// `T(context: context)`, where T is a type variable or `Self`: Swift calls initializers of its own classes on such
// types only if they are `required`, which would forbid `override init(entity:insertInto:)`. Those of a protocol it
// always calls.

/// What makes a managed object of a class that a type variable stands for. Adopted by ``NSManagedObject`` alone.
public protocol InitializableByTypeVariable {}

extension NSManagedObject: InitializableByTypeVariable {}

extension InitializableByTypeVariable {
  // A class's initializers may not assign `self`; where Self need not be a class, this may.
  fileprivate init(made: Self) { self = made }
}

extension InitializableByTypeVariable where Self: NSManagedObject {
  /// A new object of the entity that the class stands for, inserted into `context`.
  ///
  /// The class is the one that the type variable stands for when the program is compiled or specialized: of a value
  /// of type `NSManagedObject.Type` it is `NSManagedObject`, whatever class the value is.
  public init(context: NSManagedObjectContext) {
    self.init(entity: context.entity(for: Self.self), insertInto: context)
  }

  /// A new object of `entity`, inserted into `context` if there is one.
  ///
  /// The object is of the entity's class, which must be this one or a subclass; else the program stops.
  public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    let object = entity.layout.objectClass.make(entity, context)
    guard let made = object as? Self else {
      fatalError(
        "The objects of the entity “\(entity.name ?? "")” are of the class \(type(of: object)), which is no "
          + "\(Self.self)")
    }
    self.init(made: made)
  }
}
