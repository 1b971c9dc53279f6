import CoreDataSupport
import Dispatch
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// A reader that a save has overtaken has an older row than the one that contexts share, and hands it in later.
@Suite struct OvertakenRowTests {
  /// An item that is saved with order 1, then with order 2, and a row as a reader had it in between.
  private func withOvertakenRow(
    _ kind: StoreKind, _ body: (TestStack, NSManagedObject, Row) throws -> Void
  ) throws {
    let stack = try TestStack(kind)
    try stack.withContext { context in
      let item = context.makeItem("one", order: 1)
      try context.save()
      let read = try #require(item.objectID.cachedRow).copy()
      read.seal(identity: item.objectID, version: 1)
      item.order = 2
      try context.save()
      try body(stack, item, read)
    }
  }

  @Test(arguments: StoreKind.all) func theNewerRowStaysTheSharedOne(_ kind: StoreKind) throws {
    try withOvertakenRow(kind) { stack, item, read in
      read.share(.read)
      #expect(item.objectID.cachedRow?.version == 2 && !read.isShared)
      let identity = item.objectID
      try stack.withContext { context in
        let other = try context.existingObject(with: identity)
        #expect(other.value(forKey: "order") as? Int == 2)
        other.setValue(3, forKey: "order")
        try context.save()
      }
    }
  }

  @Test(arguments: StoreKind.all) func anOvertakenRowLeavesTheNewerOneInItsPlaceAtItsEnd(
    _ kind: StoreKind
  ) throws {
    let stack = try TestStack(kind)
    try stack.withContext { context in
      let item = context.makeItem("one", order: 1)
      try context.save()
      do {
        let read = try #require(item.objectID.cachedRow).copy()
        read.seal(identity: item.objectID, version: 0)
        read.share(.read)
      }
      #expect(item.objectID.cachedRow?.version == 1)
    }
  }

  @Test func whatAStoreSaysThatAloneKnowsTheNewestIsShared() throws {
    try withOvertakenRow(.sqlite) { _, item, read in
      read.share(.saved)
      #expect(item.objectID.cachedRow === read)
      withExtendedLifetime(read) {}
    }
  }

  /// Readers fetch all the time and keep what they have, one context saves, one follows.
  @Test(arguments: StoreKind.all)
  func whoFollowsHasTheLastSave(_ kind: StoreKind) throws {
    let stack = try TestStack(kind)
    let (count, rounds) = (40, 60)
    let follower = stack.makeContext()
    let saver = stack.makeContext()
    try saver.performAndWait {
      for number in 0..<count { saver.makeItem("item \(number)", order: 0) }
      try saver.save()
    }
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    let followed = try follower.performAndWait {
      follower.automaticallyMergesChangesFromParent = true
      return try follower.fetch(request)
    }
    let isOver = Flag()
    let readers = DispatchGroup()
    let coordinator = stack.coordinator
    for _ in 0..<3 {
      DispatchQueue.global().async(group: readers) {
        var kept: [NSManagedObjectContext] = []
        var objects: [[NSManagedObject]] = []
        while !isOver.isSet {
          let context = coordinator.makeContext()
          context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            objects.append((try? context.fetch(request)) ?? [])
          }
          kept.append(context)
          if kept.count > 20 { (kept, objects) = ([], []) }
        }
      }
    }
    for round in 1...rounds {
      try saver.performAndWait {
        for item in try saver.fetch(request) { item.setValue(round, forKey: "order") }
        try saver.save()
      }
    }
    // The follower hears of the last save on its queue, before this.
    let values = follower.performAndWait { followed.map { $0.value(forKey: "order") as? Int } }
    isOver.set()
    readers.wait()
    #expect(values == Array(repeating: rounds, count: count))
  }
}

/// Sendable: guarded by its lock.
private final class Flag: @unchecked Sendable {
  private let lock = NSLock()
  private var value = false

  var isSet: Bool { lock.withLock { value } }
  func set() { lock.withLock { value = true } }
}
