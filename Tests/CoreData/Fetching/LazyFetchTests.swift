import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// What a lazy fetch gives is what the array of the same request has.
@Suite struct LazyFetchTests {
  private func request(_ size: Int) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
    request.fetchBatchSize = size
    return request
  }

  @Test(arguments: StoreKind.all, [1, 2, 3, 100])
  func itHasTheObjectsOfTheArrayInTheirOrder(_ kind: StoreKind, _ size: Int) throws {
    let stack = try PeopleGraph.makeStack(kind)
    try stack.withContext { context in
      let expected = try context.fetch(request(0)).map { $0.objectID }
      context.reset()
      let list = try context.fetchLazily(request(size))
      #expect(list.map(\.objectID) == expected)
      #expect(Set(list.map { $0.entity.name }).count > 1)
      let names = list.map { $0.value(forKey: "name") as? String ?? "" }
      #expect(names == names.sorted(by: >) && !names.contains(""))
    }
  }

  @Test(arguments: StoreKind.all)
  func whatIsEditedOrHeldStaysTheSameObjectAndKeepsItsEdits(_ kind: StoreKind) throws {
    let stack = try PeopleGraph.makeStack(kind)
    try stack.withContext { context in
      let held = try context.fetch(request(0))
      held[1].setValue(77, forKey: "age")
      context.refresh(held[2], mergeChanges: false)
      let list = try context.fetchLazily(request(3))
      #expect(zip(list, held).allSatisfy { $0 === $1 } && list.count == held.count)
      #expect(list[1].value(forKey: "age") as? Int == 77)
      #expect(list[2].value(forKey: "name") as? String == held[2].value(forKey: "name") as? String)
    }
  }

  @Test(arguments: StoreKind.all)
  func aChildContextReadsThroughItsParent(_ kind: StoreKind) throws {
    let stack = try PeopleGraph.makeStack(kind)
    try stack.withContext { parent in
      let all = try parent.fetch(request(0))
      all[0].setValue(78, forKey: "age")
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = parent
      let ages = try child.performAndWait {
        try child.fetchLazily(request(2)).map { $0.value(forKey: "age") as? Int }
      }
      #expect(ages == all.map { $0.value(forKey: "age") as? Int })
    }
  }

  @Test func aRowThatIsGoneIsAFaultThatCountsAsDeleted() throws {
    let stack = try PeopleGraph.makeStack(.sqlite)
    try stack.withContext { context in
      let list = try context.fetchLazily(request(10))
      let file = try #require(stack.coordinator.persistentStores[0].url)
      let key = try #require(
        Int(PlainSQL(url: file).rows("SELECT Z_PK FROM ZPERSON ORDER BY ZNAME DESC LIMIT 1")[0]))
      try PlainSQL(url: file).execute("DELETE FROM ZPERSON WHERE Z_PK = \(key)")
      #expect(list[0].value(forKey: "name") == nil)
      #expect(list[0].isDeleted)
      #expect(list[1].value(forKey: "name") != nil && !list[1].isDeleted)
    }
  }
}
