import CoreData

extension NSManagedObjectContext {
  @discardableResult
  package func insert(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
    for (name, value) in values { object.setValue(value, forKey: name) }
    return object
  }
}
