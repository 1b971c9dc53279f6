import Foundation

/// An observation of a notification that ends with this object. For notifications that are posted
/// on the main thread.
///
/// The class is isolated to no actor, so its owners need no `isolated deinit`, in which Swift's
/// runtime can free memory that it never allocated (swiftlang/swift, issue 87316).
package final class NotificationObservation: Sendable {
  /// Sound: set once in `init`, read only in `deinit`; the notification center is thread-safe.
  nonisolated(unsafe) private let token: any NSObjectProtocol

  package init(
    of name: Notification.Name, object: AnyObject?,
    _ act: @escaping @MainActor (Notification) -> Void
  ) {
    token = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) {
      // Sound: observed notifications are posted on the main thread, so it stays on that thread.
      nonisolated(unsafe) let notification = $0
      MainActor.assumeIsolated { act(notification) }
    }
  }

  deinit { NotificationCenter.default.removeObserver(token) }
}
