/// Makes the objects of an entity without a class name in the model. SwiftData's models are typed
/// faces of such objects.
package struct ManagedObjectFactory: Sendable {
  package let type: NSManagedObject.Type
  package let make: ManagedObjectClasses.Factory

  package init(_ type: NSManagedObject.Type, make: @escaping ManagedObjectClasses.Factory) {
    self.type = type
    self.make = make
  }
}

extension NSEntityDescription {
  /// The factory of objects whose class has no name; not part of any file.
  package final var objectFactory: ManagedObjectFactory? {
    get { factoryStorage as? ManagedObjectFactory }
    set { factoryStorage = newValue }
  }
}
