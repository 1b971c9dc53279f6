import Foundation
import Synchronization

extension NotificationCenter {
  /// The notifications of a name from now on, as an asynchronous sequence. It keeps those that nobody has asked for yet.
  ///
  /// Source: developer.apple.com/documentation/foundation/notificationcenter/notifications(named:object:)
  public func notifications(named name: Notification.Name, object: AnyObject? = nil)
    -> Notifications
  {
    Notifications(self, name, object)
  }

  /// Posted notifications, in their order.
  public final class Notifications: AsyncSequence, @unchecked Sendable {
    // Notifications are not Sendable, here as there: whoever iterates takes them from the thread that has posted them.
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
        nonisolated(unsafe) let notification = $0
        continuation.yield(notification)
      }
    }

    deinit {
      center.removeObserver(token)
      continuation.finish()
    }

    public func makeAsyncIterator() -> Iterator {
      Iterator(notifications: self, iterator: stream.makeAsyncIterator())
    }

    public struct Iterator: AsyncIteratorProtocol {
      // Observed as long as somebody iterates.
      fileprivate let notifications: Notifications
      fileprivate var iterator: AsyncStream<Notification>.Iterator

      public mutating func next() async -> Notification? { await iterator.next() }

      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async -> Notification? {
        await iterator.next(isolation: actor)
      }
    }
  }
}
