// `T(context: context)` for a type variable or `Self`. Swift calls a class's initializers on such
// types only if they are `required`, which would forbid `override init(entity:insertInto:)`.
// Initializers of a protocol can always be called.

/// Initializers for managed objects whose class is given by a type variable. Adopted by
/// ``NSManagedObject`` alone.
public protocol InitializableByTypeVariable {}

extension NSManagedObject: InitializableByTypeVariable {}

extension InitializableByTypeVariable {
  // Allowed because `Self` need not be a class here: a class's initializers may not assign `self`.
  fileprivate init(made: Self) { self = made }
}

extension InitializableByTypeVariable where Self: NSManagedObject {
  /// Makes an object of the entity of this class and inserts it into `context`.
  ///
  /// The class is the static type: for a value of type `NSManagedObject.Type` it is
  /// `NSManagedObject`, whatever class the value holds.
  public init(context: NSManagedObjectContext) {
    self.init(entity: context.entity(for: Self.self), insertInto: context)
  }

  /// Makes an object of `entity` and inserts it into `context`, if there is one.
  ///
  /// The object has the entity's class. Stops the program unless that is this class or a subclass.
  public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    let object = entity.layout.objectClass.make(entity, in: context)
    guard let made = object as? Self else {
      fatalError(
        "The objects of the entity “\(entity.name ?? "")” are of the class \(type(of: object)), which is no "
          + "\(Self.self)")
    }
    self.init(made: made)
  }
}
