import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Fetch requests as values.
@Suite struct FetchRequestTests {
  @Test func theDefaultsAreApples() {
    let request = NSFetchRequest<NSFetchRequestResult>()
    #expect(request.includesSubentities)
    #expect(request.includesPendingChanges)
    #expect(request.includesPropertyValues)
    #expect(request.returnsObjectsAsFaults)
    #expect(!request.returnsDistinctResults)
    #expect(!request.shouldRefreshRefetchedObjects)
    #expect(request.fetchLimit == 0)
    #expect(request.fetchOffset == 0)
    #expect(request.fetchBatchSize == 0)
    #expect(request.resultType == .managedObjectResultType)
    #expect(request.predicate == nil)
    #expect(request.sortDescriptors == nil)
    #expect(request.propertiesToGroupBy == nil)
    #expect(request.havingPredicate == nil)
    #expect(request.affectedStores == nil)
    #expect(request.entity == nil)
    #expect(request.requestType == .fetchRequestType)
  }

  @Test func aRequestByNameKnowsTheNameAlone() {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Tag")
    #expect(request.entityName == "Tag")
    #expect(request.settings.entity == nil)
  }

  @Test func readingTheEntityOfARequestByNameBeforeItsUseStopsTheProgram() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = NSFetchRequest<NSManagedObject>(entityName: "Tag").entity
      })
    let text = result.complaint
    #expect(text.contains("was created with a string name (Tag)"))
  }

  @Test func aRequestByNameAnswersItsEntityOnceAContextHasUsedIt() throws {
    let stack = try TestStack(.inMemory, model: PeopleModel.make())
    try stack.withContext { (context) throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
      _ = try context.fetch(request)
      #expect(request.entity === stack.coordinator.managedObjectModel.entitiesByName["Tag"])
    }
  }

  @Test func theEntityIsThereAfterItWasLookedUp() throws {
    let model = PeopleModel.make()
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Tag")
    let entity = try request.entity(in: model)
    #expect(entity === model.entitiesByName["Tag"])
    #expect(request.entity === entity)
  }

  @Test func anUnknownEntityAndAMissingOneAreErrors() {
    let model = PeopleModel.make()
    let error = #expect(throws: NSError.self) {
      try NSFetchRequest<NSManagedObjectID>(entityName: "Nothing").entity(in: model)
    }
    let reason = error?.userInfo[CoreDataError.reasonKey] as? String
    #expect(reason?.contains("entity name 'Nothing'") == true)
    let missing = #expect(throws: NSError.self) {
      try NSFetchRequest<NSManagedObjectID>().entity(in: model)
    }
    #expect(
      missing?.userInfo[CoreDataError.reasonKey] as? String
        == "A fetch request must have an entity.")
  }

  @Test func rawValuesOfResultTypesAreApples() {
    #expect(NSFetchRequestResultType.managedObjectResultType.rawValue == 0)
    #expect(NSFetchRequestResultType.managedObjectIDResultType.rawValue == 1)
    #expect(NSFetchRequestResultType.dictionaryResultType.rawValue == 2)
    #expect(NSFetchRequestResultType.countResultType.rawValue == 4)
  }

  @Test func aCopyIsIndependent() throws {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Tag")
    request.predicate = NSPredicate(value: true)
    request.fetchLimit = 3
    request.relationshipKeyPathsForPrefetching = ["people"]
    let copy = try #require(request.copy() as? NSFetchRequest<NSManagedObjectID>)
    request.fetchLimit = 4
    #expect(copy.fetchLimit == 3)
    #expect(copy.entityName == "Tag")
    #expect(copy.predicate === request.predicate)
    #expect(copy.relationshipKeyPathsForPrefetching == ["people"])
  }

  @Test func theErasedRequestIsTheSameOne() {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Tag")
    let erased = request.erased
    #expect(erased === request)
    erased.fetchLimit = 7
    erased.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    #expect(request.fetchLimit == 7)
    #expect(request.sortDescriptors?.map(\.key) == ["name"])
  }

  @Test func aSaveRequestGivesBackItsSets() {
    let request = NSSaveChangesRequest(
      inserted: nil, updated: [], deleted: nil, locked: nil)
    #expect(request.requestType == .saveRequestType)
    #expect(request.insertedObjects == nil)
    #expect(request.updatedObjects == [])
  }
}
