import CoreData

/// Methods of Core Data's classes that sources call by name.
enum FrameworkMethods {
  /// Whether there is such a method; then it has been called.
  static func call(_ selector: String, of object: AnyObject, _ arguments: [Any?]) -> Bool {
    guard let block = (arguments.first ?? nil) as? () -> Void else { return false }
    // Sound because the block is called once, as it would be by the method.
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

private struct UncheckedBlock: @unchecked Sendable {
  let body: () -> Void
  init(_ body: @escaping () -> Void) { self.body = body }
}
