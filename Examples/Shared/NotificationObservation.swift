import Foundation

/// Has a notification acted on for as long as it is kept; for notifications that are posted on the
/// main thread.
///
/// A class of no actor: whoever keeps one needs no `isolated deinit`, in which Swift's runtime can free
/// what it never allocated (swiftlang/swift, issue 87316).
package final class NotificationObservation: Sendable {
  nonisolated(unsafe) private let token: any NSObjectProtocol

  package init(
    of name: Notification.Name, object: AnyObject?,
    _ act: @escaping @MainActor (Notification) -> Void
  ) {
    token = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) {
      nonisolated(unsafe) let notification = $0
      MainActor.assumeIsolated { act(notification) }
    }
  }

  deinit { NotificationCenter.default.removeObserver(token) }
}
