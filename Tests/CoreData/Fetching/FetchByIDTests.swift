import CoreData
import CoreDataSupport
import Foundation
import Testing

@testable import CoreDataSamples

@Suite struct FetchByIDTests {
  @Test(arguments: [0, 1, 2, 3, 32, 33, 200])
  func theObjectsOfIDsComeOnceAndInTheOrderOfTheirKeys(_ count: Int) throws {
    try TestStack(.sqlite).withContext { (context) throws in
      let items = (0..<250).map { context.makeItem("item", order: Int64($0)) }
      try context.save()
      let wanted = Array(items.prefix(count))
      let unsaved = context.makeItem("new", order: -1)
      let request = NSFetchRequest<Item>(entityName: "Item")
      request.includesPendingChanges = false
      let identities = (wanted.reversed() + wanted + [unsaved]).map(\.objectID)
      let forms: [Any] = [
        identities, wanted + [unsaved], Set(identities), NSArray(array: identities),
        identities as [Any] + ["text", 7],
      ]
      for form in forms {
        request.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [form])
        #expect(try context.fetch(request).map(\.order) == wanted.map(\.order))
        #expect(try context.count(for: request) == count)
      }
    }
  }

  @Test func subentitiesCountOnlyWhenTheyAreWanted() throws {
    try BatchModel.makeStack().withContext { (context) throws in
      let objects = [
        context.insert("Good", ["code": "a"]), context.insert("Toy", ["code": "b"]),
        context.insert("Owner", ["name": "c"]),
      ]
      try context.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Good")
      request.predicate = NSPredicate(format: "SELF IN %@", objects.map(\.objectID))
      #expect(try Set(context.fetch(request)) == Set(objects[..<2]))
      request.includesSubentities = false
      #expect(try context.fetch(request) == [objects[0]])
      request.predicate = NSPredicate(format: "SELF IN %@", [objects[2].objectID])
      #expect(try context.fetch(request).isEmpty)
    }
  }

  @Test func anotherCoordinatorsIDsOnTheSameStoreAreTaken() throws {
    let stack = try TestStack(.sqlite)
    let identity = try stack.withContext { (context) throws in
      let item = context.makeItem("item", order: 1)
      try context.save()
      return item.objectID
    }
    let other = NSPersistentStoreCoordinator(managedObjectModel: NestedModel.make())
    try other.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil,
      at: stack.coordinator.persistentStores[0].url)
    let context = other.makeContext()
    try context.performAndWait { () throws in
      let request = NSFetchRequest<Item>(entityName: "Item")
      request.predicate = NSPredicate(format: "SELF IN %@", [identity])
      #expect(try context.fetch(request).map(\.order) == [1])
    }
  }
}
