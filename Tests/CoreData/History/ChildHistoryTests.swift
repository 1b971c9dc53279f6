import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct ChildHistoryTests {
  /// A child has no stores of its own: its requests are its root's.
  @Test(arguments: 1...2) func aBatchRequestOfAChildIsItsRoots(_ depth: Int) throws {
    let stack = try TestStack(
      .sqlite, options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
    let root = stack.makeContext()
    (root.name, root.transactionAuthor) = ("root", "the root")
    var contexts = [root]
    for level in 1...depth {
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = contexts[level - 1]
      (child.name, child.transactionAuthor) = ("child \(level)", "child \(level)")
      contexts.append(child)
    }
    let leaf = contexts[depth]
    try leaf.performAndWait {
      _ = try leaf.execute(NSBatchInsertRequest(entityName: "Item", objects: [["title": "a"]]))
      let coordinator = stack.coordinator
      _ = try coordinator.execute(
        NSBatchInsertRequest(entityName: "Item", objects: [["title": "b"]]), with: leaf)
    }
    let transactions = try stack.withContext { context in
      let request = NSPersistentHistoryChangeRequest.fetchHistory(
        after: nil as NSPersistentHistoryToken?)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      return result?.result as? [NSPersistentHistoryTransaction] ?? []
    }
    #expect(transactions.map(\.author) == ["the root", "the root"])
    #expect(transactions.map(\.contextName) == ["root", "root"])
  }
}
