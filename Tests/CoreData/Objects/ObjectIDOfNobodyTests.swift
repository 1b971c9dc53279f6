import CoreData
import CoreDataSupport
import Testing

@testable import CoreDataSamples

/// `NSManagedObjectID()`, as tests make one to have any.
@Suite struct ObjectIDOfNobodyTests {
  @Test func isEqualToItselfAlone() {
    let (first, second) = (NSManagedObjectID(), NSManagedObjectID())
    #expect(first == first && first != second)
    #expect(Set([first, second, first]).count == 2)
    #expect(first.isTemporaryID && first.persistentStore == nil && first.entity.name == nil)
    #expect(first.uriRepresentation() != second.uriRepresentation())
  }

  @Test func noContextHasIt() throws {
    let entity = NSEntityDescription()
    entity.name = "Item"
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let context = coordinator.makeContext()
    context.performAndWait {
      let id = NSManagedObjectID()
      #expect(context.registeredObject(for: id) == nil)
      #expect(throws: (any Error).self) { try context.existingObject(with: id) }
    }
  }
}
