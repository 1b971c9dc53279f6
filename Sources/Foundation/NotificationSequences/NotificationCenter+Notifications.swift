import Foundation
import Synchronization

extension NotificationCenter {
  /// The notifications of a name, from this call on, as an asynchronous sequence. Notifications
  /// wait in the sequence until they are requested.
  ///
  /// Source:
  /// developer.apple.com/documentation/foundation/notificationcenter/notifications(named:object:)
  public func notifications(named name: Notification.Name, object: AnyObject? = nil)
    -> Notifications
  {
    Notifications(self, name, object)
  }

  /// A sequence of posted notifications, in order.
  ///
  /// Sendable: constants only; the stream and the notification center are thread-safe.
  public final class Notifications: AsyncSequence, @unchecked Sendable {
    // The elements are not Sendable, as on Apple's systems: the iterating task gets them from the
    // thread that posts them.
    public typealias Element = Notification
    public typealias Failure = Never

    private let stream: AsyncStream<Notification>
    private let continuation: AsyncStream<Notification>.Continuation
    private let center: NotificationCenter
    private let token: any NSObjectProtocol

    init(_ center: NotificationCenter, _ name: Notification.Name, _ object: AnyObject?) {
      let (stream, continuation) = AsyncStream.makeStream(of: Notification.self)
      (self.stream, self.continuation, self.center) = (stream, continuation, center)
      token = center.addObserver(forName: name, object: object, queue: nil) {
        // Sound as far as on Apple's systems: the poster must not change the notification after
        // posting it.
        nonisolated(unsafe) let notification = $0
        continuation.yield(notification)
      }
    }

    deinit {
      center.removeObserver(token)
      continuation.finish()
    }

    /// Iterates over the notifications.
    public func makeAsyncIterator() -> Iterator {
      Iterator(notifications: self, iterator: stream.makeAsyncIterator())
    }

    /// Iterator over the notifications.
    public struct Iterator: AsyncIteratorProtocol {
      // Retained, since the observation ends with the sequence.
      fileprivate let notifications: Notifications
      fileprivate var iterator: AsyncStream<Notification>.Iterator

      /// The next notification; nil if the task has been cancelled.
      public mutating func next() async -> Notification? { await iterator.next() }

      /// The next notification; nil if the task has been cancelled.
      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async -> Notification? {
        await iterator.next(isolation: actor)
      }
    }
  }
}
