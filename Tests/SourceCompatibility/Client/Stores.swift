import CoreData

// Stores, policies and transformers as they are written for Apple's SDK, where none of these classes
// is Sendable: with properties that change, and without a warning.

final class NotesStore: NSIncrementalStore {
  private var rows: [Int: [String: Any]] = [:]
  var reads = 0

  override func loadMetadata() throws {
    metadata = [NSStoreUUIDKey: "notes", NSStoreTypeKey: "Notes"]
  }

  override func execute(
    _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
  ) throws -> Any {
    reads += 1
    return [NSManagedObject]()
  }
}

class CardStore: NSAtomicStore {
  var cards: [String] = []
  override var type: String { "Cards" }
}

final class ShuffledCardStore: CardStore {
  lazy var order = cards.shuffled()
}

class CardNode: NSAtomicStoreCacheNode {
  var card: String?
}

class PlainStore: NSPersistentStore {
  var opened: Date?
}

final class CountingPolicy: NSMergePolicy {
  var conflicts = 0
}

final class CountingMigrationPolicy: NSEntityMigrationPolicy {
  var instances = 0
}

final class CountingTransformer: ValueTransformer {
  var values = 0
}
