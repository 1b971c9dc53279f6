import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Waits for a short answer, whatever it says, before a long request takes its connection.
///
/// Foundation on Linux asks of a connection that it has opened, for as long as the request lasts,
/// whether it takes bytes, which it does: half a core. Of one that another request has left it asks
/// only whether bytes have come.
final class OpeningReader: ResponseReader, Sendable {
  private let next: Mutex<(@Sendable () -> Void)?>

  /// - Parameter next: called once the answer is there, or the request failed; not once it is
  ///   cancelled.
  init(next: @escaping @Sendable () -> Void) { self.next = Mutex(next) }

  func cancel() { next.withLock { $0 = nil } }

  func read(_ data: Data, of response: HTTPURLResponse?) -> SyncTransportError? { nil }

  func end(_ response: HTTPURLResponse?, error: (any Error)?) {
    next.withLock { $0.take() }?()
  }
}
