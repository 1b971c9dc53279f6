import CoreData
import Testing

/// Initialisers that clients call though they say nothing: they compile and give what is empty.
@Suite struct PlainInitializerTests {
  @Test func aConflictAndACoordinatorOfNothingCanBeMade() {
    #expect(NSPersistentStoreCoordinator().persistentStores.isEmpty)
    #expect(NSPersistentStoreCoordinator().managedObjectModel.entities.isEmpty)
    #expect(NSConstraintConflict().constraint.isEmpty)
  }

  @Test func aRequestBecomesOneOfAnotherTypeWithAllItsSettings() {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
    request.predicate = NSPredicate(format: "age > 3")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
    request.fetchLimit = 5
    request.includesSubentities = false
    let erased = NSFetchRequest<NSFetchRequestResult>(request)
    #expect(erased.entityName == "Person")
    #expect(erased.predicate == request.predicate)
    #expect(erased.sortDescriptors == request.sortDescriptors)
    #expect(erased.fetchLimit == 5)
    #expect(!erased.includesSubentities)
  }
}
