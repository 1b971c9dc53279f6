import CoreData
import PostgreSQLServer
import TestSupport
import Testing

@testable import PostgreSQLStore

/// A store copied over another one: by its address the copy is the same store.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct ReplacementTests {
  private let source: ServerStack
  private let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]

  init() throws {
    source = try ServerStack(options: options)
    try source.add("one", "two")
    try source.add("three")
  }

  private func replace(_ destination: URL, with other: URL) throws {
    try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
      .replacePersistentStore(at: destination, withPersistentStoreFrom: other, type: .postgreSQL)
  }

  private func rows(_ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
    let context = source.context(coordinator)
    return try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      return try context.fetch(request).map {
        "\($0.objectID.uriRepresentation()) \($0.value(forKey: "title") ?? "")"
      }
    }
  }

  private func history(_ coordinator: NSPersistentStoreCoordinator) throws -> [Int64] {
    let context = source.context(coordinator)
    return try context.performAndWait {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(
        after: nil as NSPersistentHistoryToken?)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      return (result?.result as? [NSPersistentHistoryTransaction] ?? []).map(\.transactionNumber)
    }
  }

  @Test(arguments: [false, true]) func theCopyIsTheSameStore(isThereAlready: Bool) throws {
    let place = try PostgreSQLServer.url(schema: TestName.make("replaced"))
    if isThereAlready {
      let other = try ServerStack.open(place)
      try source.add("another", in: source.context(other))
      try other.remove(other.persistentStores[0])
    }
    try replace(place, with: source.url)
    let copy = try ServerStack.open(place, options)
    #expect(try rows(copy) == rows(source.coordinator))
    #expect(try rows(copy).count == 3)
    #expect(try history(copy) == history(source.coordinator))
    #expect(try history(copy).count == 2)
    // Each goes its own way, with keys that nobody has.
    try source.add("four", in: source.context(copy))
    #expect(try rows(copy).count == 4 && rows(source.coordinator).count == 3)
    #expect(try Set(rows(copy)).count == 4)
    #expect(try history(copy).count == 3)
    // A constraint is there.
    #expect(throws: (any Error).self) { try source.add("four", in: source.context(copy)) }
  }

  @Test func whatCannotBeCopiedLeavesTheDestinationAsItWas() throws {
    let other = try ServerStack()
    try other.add("kept")
    let uuid = other.coordinator.persistentStores[0].identifier
    let beside = try source.connection()
    // A table that the schema has is missing.
    try beside.execute("DROP TABLE \"Book\"")
    #expect(throws: NSError.self) { try replace(other.url, with: source.url) }
    let again = try ServerStack.open(other.url)
    #expect(again.persistentStores[0].identifier == uuid)
    #expect(try rows(again).count == 1)
  }

  /// Where the same store was before in a later state, nobody's place in its history means anything any more.
  @Test func aCopyOfFormerTimesBeginsItsHistoryAnew() throws {
    let other = try PostgreSQLServer.url(schema: TestName.make("replaced"))
    try replace(other, with: source.url)
    let copy = try ServerStack.open(other, options)
    try source.add("four", in: source.context(copy))
    let end = copy.currentPersistentHistoryToken(fromStores: nil)
    try replace(other, with: source.url)
    let context = source.context(try ServerStack.open(other, options))
    let error = #expect(throws: NSError.self) {
      try context.performAndWait {
        _ = try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: end))
      }
    }
    #expect(error?.code == NSPersistentHistoryTokenExpiredError)
  }

  @Test func nothingHappensWithoutASourceOrWithItself() throws {
    let before = try rows(source.coordinator)
    try replace(source.url, with: try PostgreSQLServer.url(schema: TestName.make("nobody")))
    try replace(source.url, with: source.url)
    #expect(try rows(source.coordinator) == before)
  }
}
