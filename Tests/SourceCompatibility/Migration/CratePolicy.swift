import CoreData

/// Named in the mapping model by its class alone, as in Xcode.
final class CratePolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let made = manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    let name = sInstance.value(forKey: "name") as? String ?? ""
    made.first?.setValue("Crate of \(name)", forKey: "title")
  }
}
