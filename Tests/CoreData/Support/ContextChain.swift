import CoreData
import CoreDataSupport

/// A context of a coordinator and those below it, each the child of the one before.
///
/// Sendable: constant; the contexts are used inside of their queues.
final class ContextChain: Sendable {
  let contexts: [NSManagedObjectContext]

  /// - Parameter depth: how many children there are; 0: the context alone.
  convenience init(_ stack: TestStack, depth: Int) { self.init(stack.coordinator, depth: depth) }

  init(_ coordinator: NSPersistentStoreCoordinator, depth: Int) {
    let root = coordinator.makeContext()
    var contexts = [root]
    for _ in 0..<depth {
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = contexts.last
      contexts.append(child)
    }
    self.contexts = contexts
  }

  var root: NSManagedObjectContext { contexts[0] }
  var leaf: NSManagedObjectContext { contexts[contexts.count - 1] }

  /// Runs `body` inside of all queues, the lowest one first.
  func inside<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.inside(contexts.reversed()[...], body)
  }

  static func inside<Result>(
    _ contexts: ArraySlice<NSManagedObjectContext>, _ body: () throws -> Result
  ) rethrows -> Result {
    guard let first = contexts.first else { return try body() }
    return try first.performAndWait { try inside(contexts.dropFirst(), body) }
  }

  /// Saves up to the store.
  func save() throws { try save(contexts.reversed()) }

  /// Saves into the root, which has yet to save.
  func saveIntoRoot() throws { try save(contexts.dropFirst().reversed()) }

  private func save(_ contexts: [NSManagedObjectContext]) throws {
    for context in contexts { try context.performAndWait { try context.save() } }
  }

  /// Forgets what did not get into the store, and what was read.
  func giveUp() {
    for context in contexts.reversed() { context.performAndWait { context.rollback() } }
    for context in contexts.reversed() { context.performAndWait { context.reset() } }
  }
}

extension NSError {
  /// The objects of the conflicts that the error names; nil for another error than that of a save that met some.
  var conflictingObjects: [NSManagedObject]? {
    guard domain == NSCocoaErrorDomain, code == NSManagedObjectMergeError else { return nil }
    let list = userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
    return list?.map(\.sourceObject)
  }
}
