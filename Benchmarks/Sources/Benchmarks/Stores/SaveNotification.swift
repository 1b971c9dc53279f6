import CoreData

extension NSManagedObjectContext {
  /// Saves and gives the notification of it, for other contexts to merge. On the context's queue.
  func saveForMerging() throws -> Notification {
    let box = NotificationBox()
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: self, queue: nil
    ) { box.notification = $0 }
    defer { NotificationCenter.default.removeObserver(observer) }
    try save()
    guard let notification = box.notification else {
      throw BenchmarkError.wrongResult("Notifications of a save", expected: 1, found: 0)
    }
    return notification
  }
}

/// Unchecked: a save posts on the thread that waits for it.
private final class NotificationBox: @unchecked Sendable {
  var notification: Notification?
}
