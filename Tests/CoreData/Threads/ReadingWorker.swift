import CoreData
import Testing

@testable import CoreDataSamples

/// Reads what the others save, and merges it by itself.
final class ReadingWorker: ThreadWorker, @unchecked Sendable {
  let context: NSManagedObjectContext
  private let pairs: ItemGroup
  private var held: [Item] = []
  private var read = 0

  init(_ context: NSManagedObjectContext, _ pairs: ItemGroup) {
    self.context = context
    self.pairs = pairs
    context.automaticallyMergesChangesFromParent = true
  }

  var summary: String { "\(read) items read" }

  func step(_ random: inout SplitMix64) throws {
    let items = try context.items(random.next() % 2 == 0 ? "order > 3" : "parent.title != nil")
    read += items.count
    for item in items {
      if pairs.ids.contains(item.objectID) { try OverwritingWorker.checkPair(item) }
      _ = item.parent?.children.count
    }
    held = random.next() % 4 == 0 ? [] : items
  }

  /// What is held shows what the store has, once everything has been merged.
  func check(_ other: NSManagedObjectContext) throws {
    try context.performAndWait {
      for item in held where !item.isDeleted {
        let stored = try #require(try other.existingObject(with: item.objectID) as? Item)
        #expect(item.title == stored.title && item.order == stored.order)
        #expect(item.parent?.children.contains(item) != false)
        #expect(item.parent?.objectID == stored.parent?.objectID)
      }
    }
  }
}
