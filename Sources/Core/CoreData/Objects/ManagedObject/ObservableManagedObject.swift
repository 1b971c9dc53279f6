/// Enables key paths of an object's own class in observations. Every managed object conforms.
public protocol ObservableManagedObject: NSManagedObject, KeyPathObservable {}

extension NSManagedObject: ObservableManagedObject {}
