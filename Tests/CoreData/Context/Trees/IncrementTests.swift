import CoreData
import Dispatch
import Synchronization
import Testing

@testable import CoreDataSamples

/// Eight threads count one item up, each through a context or a chain of contexts of its own, and try again whenever a save
/// meets a conflict: no increment is lost.
@Suite struct IncrementTests {
  private static let kinds: [StoreKind] = StoreKind.all.filter {
    $0 == .inMemory || $0 == .sqlite || $0 == .postgreSQL
  }
  private static let count = 100

  @Test(
    arguments: Sample.of(kinds, [(0, false), (1, false), (2, false), (1, true), (2, true)]))
  func noneIsLost(_ kind: StoreKind, _ chain: (depth: Int, merges: Bool)) throws {
    let stack = try TestStack(kind)
    let coordinator = stack.coordinator
    try count(stack) { _ in
      let made = ContextChain(coordinator, depth: chain.depth)
      made.root.automaticallyMergesChangesFromParent = chain.merges
      return made.contexts.reversed()
    }
  }

  /// What the root has from one child is its own to save or to drop: a child saves through it in one turn.
  @Test(arguments: kinds)
  func noneIsLostByChildrenOfOneParent(_ kind: StoreKind) throws {
    let stack = try TestStack(kind)
    let root = stack.makeContext()
    try count(stack, inOneTurn: true) { _ in
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = root
      return [child, root]
    }
  }

  private func count(
    _ stack: TestStack, inOneTurn: Bool = false,
    _ makeContexts: @Sendable (Int) -> [NSManagedObjectContext]
  ) throws {
    let id = try stack.withContext { context in
      let item = context.makeItem("a")
      try context.save()
      return item.objectID
    }
    let failures = Mutex<[String]>([])
    let conflicts = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      let contexts = makeContexts(thread)
      for _ in 0..<Self.count {
        do {
          while try !Self.countUp(id, contexts, inOneTurn) { conflicts.withLock { $0 += 1 } }
        } catch { failures.withLock { $0.append("\(error)") } }
      }
    }
    let order = try stack.withContext { context in
      try (context.existingObject(with: id) as? Item)?.order
    }
    #expect(failures.withLock { $0 }.isEmpty)
    #expect(order == Int64(8 * Self.count), "\(conflicts.withLock { $0 }) conflicts")
  }

  /// False after a conflict. Unless all happens in one turn, others may use the queues in between.
  private static func countUp(
    _ id: NSManagedObjectID, _ contexts: [NSManagedObjectContext], _ inOneTurn: Bool
  ) throws -> Bool {
    try contexts[0].performAndWait {
      let item = try contexts[0].existingObject(with: id) as? Item
      item?.order += 1
    }
    if !inOneTurn { return try save(contexts) }
    return try ContextChain.inside(contexts[...]) { try save(contexts) }
  }

  private static func save(_ contexts: [NSManagedObjectContext]) throws -> Bool {
    do {
      for context in contexts { try context.performAndWait { try context.save() } }
      return true
    } catch let error as NSError {
      guard error.conflictingObjects != nil else { throw error }
      for context in contexts {
        context.performAndWait {
          context.rollback()
          context.refreshAllObjects()
        }
      }
      contexts[0].performAndWait { contexts[0].reset() }
      return false
    }
  }
}
