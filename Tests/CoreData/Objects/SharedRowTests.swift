import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// The row of an object is the one that all contexts of the coordinator share: for the first who reads it, for who comes
/// after, after everybody has let go, and for who saves.
@Suite struct SharedRowTests {
  private static func items(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    let items = try context.fetch(request)
    for item in items { _ = item.value(forKey: "title") }
    return items
  }

  private static func areShared(_ items: [NSManagedObject]) -> Bool {
    !items.isEmpty && items.allSatisfy { $0.snapshot?.isShared == true }
  }

  private static func insertItems(_ stack: TestStack) throws {
    try stack.withContext { context in
      for number in 0..<200 {
        NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
          .setValue("\(number)", forKey: "title")
      }
      try context.save()
    }
  }

  @Test(arguments: StoreKind.all)
  func everybodyHasTheSameRow(kind: StoreKind) throws {
    let stack = try TestStack(kind)
    try Self.insertItems(stack)
    // Those that have written are gone; each of these is the first to read after the last is gone.
    for round in 0..<3 {
      try stack.withContext { first in
        let items = try Self.items(first)
        #expect(Self.areShared(items))
        try stack.withContext { second in
          let others = try Self.items(second)
          #expect(Self.areShared(items) && Self.areShared(others))
          for item in others { item.setValue("changed \(round)", forKey: "title") }
          try second.save()
          #expect(Self.areShared(others))
          #expect(items.allSatisfy { $0.snapshot?.isShared == false })
        }
      }
    }
  }

  /// Many who come at once, while nobody has a row yet.
  @Test(arguments: StoreKind.all)
  func manyAtOnceHaveTheSameRows(kind: StoreKind) throws {
    let stack = try TestStack(kind)
    try Self.insertItems(stack)
    for _ in 0..<5 {
      let contexts = (0..<4).map { _ in stack.makeContext() }
      DispatchQueue.concurrentPerform(iterations: contexts.count) { number in
        let context = contexts[number]
        context.performAndWait {
          let count = try? Self.items(context).count
          #expect(count == 200)
        }
      }
      let held = try contexts.map { context in
        try context.performAndWait { try Self.items(context) }
      }
      let areShared = zip(contexts, held).allSatisfy { context, items in
        context.performAndWait { Self.areShared(items) }
      }
      #expect(areShared)
    }
  }
}
