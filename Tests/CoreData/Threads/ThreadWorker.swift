import CoreData
import Testing

@testable import CoreDataSamples

/// One context's work on several threads. Everything but `context` is for the context's queue, or for
/// one thread when all others are done.
protocol ThreadWorker: AnyObject, Sendable {
  var context: NSManagedObjectContext { get }
  var summary: String { get }
  func step(_ random: inout SplitMix64) throws
  /// Whether a new context finds what the worker has saved.
  func check(_ context: NSManagedObjectContext) throws
}

extension ThreadWorker {
  func check(_ context: NSManagedObjectContext) throws {}
}

/// Items that several workers change, and how often each has been counted up.
///
/// Sendable: `counts` has its lock.
final class ItemGroup: @unchecked Sendable {
  let ids: [NSManagedObjectID]
  let name: String
  private let lock = NSLock()
  private var counts: [NSManagedObjectID: Int64] = [:]

  init(_ name: String, count: Int, _ stack: TestStack) throws {
    self.name = name
    ids = try stack.withContext { context in
      let items = (0..<count).map { _ in context.makeItem("\(name)-0") }
      try context.save()
      return items.map(\.objectID)
    }
  }

  /// One of the items, which the context keeps: the next edit of it may meet a conflict.
  func item(_ random: inout SplitMix64, _ context: NSManagedObjectContext) throws -> Item {
    context.retainsRegisteredObjects = true
    let id = ids[Int(random.next() % UInt64(ids.count))]
    return try #require(try context.existingObject(with: id) as? Item)
  }

  func countUp(_ id: NSManagedObjectID) { lock.withLock { counts[id, default: 0] += 1 } }

  /// Where somebody counts, the items must have been counted up exactly as often as was told.
  func check(_ context: NSManagedObjectContext) throws {
    let counts = lock.withLock { self.counts }
    for id in ids where !counts.isEmpty {
      let item = try #require(try context.existingObject(with: id) as? Item)
      #expect(item.order == counts[id] ?? 0, "\(name)")
    }
  }
}

extension NSManagedObjectContext {
  /// Saves up to the store.
  func saveThrough() throws {
    try save()
    if let parent { try parent.performAndWait { try parent.save() } }
  }

  /// Forgets what did not get into the store.
  func giveUp() {
    rollback()
    refreshAllObjects()
    guard let parent else { return }
    parent.performAndWait {
      parent.rollback()
      parent.refreshAllObjects()
    }
    reset()
  }
}
