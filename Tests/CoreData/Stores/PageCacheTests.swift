@testable import CoreData
@testable import CoreDataSamples
import Testing

/// A large save may keep more pages in memory than a small one, as long as it lasts.
@Suite struct PageCacheTests {
  private static func cacheSize(_ stack: TestStack) throws -> Int64? {
    let store = try #require(stack.coordinator.persistentStores[0] as? SQLiteStore)
    return try store.contents.database.write { try $0.integer("PRAGMA cache_size") }
  }

  @Test(arguments: [nil, "123"])
  func aLargeSaveLeavesTheCacheAsItWas(option: String?) throws {
    let options = option.map { [NSSQLitePragmasOption: ["cache_size": $0]] as [AnyHashable: Any] }
    let stack = try TestStack(.sqlite, options: options)
    let before = try Self.cacheSize(stack)
    #expect(option == nil || before == 123)
    try stack.withContext { (context) throws in
      for number in 0..<5000 { context.insert("Item", ["title": "\(number * 7919 % 5000)"]) }
      try context.save()
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Item")) == 5000)
    }
    #expect(try Self.cacheSize(stack) == before)
  }

  @Test func itIsLargerWithinAndAsBeforeAfterAFailure() throws {
    struct Failure: Error {}
    let stack = try TestStack(.sqlite)
    let store = try #require(stack.coordinator.persistentStores[0] as? SQLiteStore)
    let before = try Self.cacheSize(stack)
    let settings = try store.contents.settings
    try store.contents.database.write { (connection) throws in
      let cache = PageCache(connection: connection, settings: settings)
      let size = { try connection.integer("PRAGMA cache_size") }
      #expect(try cache.forChanges(999, body: size) == before)
      #expect(try cache.forChanges(1000, body: size) == -(64 << 10))
      #expect(throws: Failure.self) { try cache.forChanges(1000) { throw Failure() } }
      #expect(try size() == before)
    }
  }
}
