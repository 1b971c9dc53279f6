import CoreData

/// Methods of Core Data's classes that sources call by selector.
enum FrameworkMethods {
  /// Calls the method; returns false if there is no such method.
  static func call(_ selector: String, of object: AnyObject, _ arguments: [Any?]) -> Bool {
    guard let block = (arguments.first ?? nil) as? () -> Void else { return false }
    // Sound: the block is called once, on the queue where the method would call it.
    let call = UncheckedBlock(block)
    switch (selector, object) {
    case ("performBlock:", let context as NSManagedObjectContext):
      context.perform { call.body() }
    case ("performBlockAndWait:", let context as NSManagedObjectContext):
      context.performAndWait { call.body() }
    case ("performBlock:", let coordinator as NSPersistentStoreCoordinator):
      coordinator.perform { call.body() }
    case ("performBlockAndWait:", let coordinator as NSPersistentStoreCoordinator):
      coordinator.performAndWait { call.body() }
    default: return false
    }
    return true
  }
}

/// Sendable: the block is called once, on the queue of its context or coordinator.
private struct UncheckedBlock: @unchecked Sendable {
  let body: () -> Void
  init(_ body: @escaping () -> Void) { self.body = body }
}
