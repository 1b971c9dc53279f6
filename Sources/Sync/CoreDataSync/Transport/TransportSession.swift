import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A session with what hears of its requests. It ends with this object and its requests.
final class TransportSession: Sendable {
  private let delegate = SessionDelegate()
  private let session: URLSession

  init(_ configuration: URLSessionConfiguration) {
    session = URLSession(
      configuration: configuration, delegate: delegate, delegateQueue: BoundedQueue())
  }

  deinit {
    // Whoever lets it go may be what the session waits for.
    DispatchQueue.global().async { [session] in session.finishTasksAndInvalidate() }
  }

  /// Whether an answer was given up, and every request with it: the next one needs another session.
  var isClosed: Bool { delegate.isClosed }

  func task(with request: URLRequest) -> URLSessionTask { session.dataTask(with: request) }

  func start(_ task: URLSessionTask, for reader: any ResponseReader) {
    delegate.start(task, for: reader)
  }

  func cancel(_ task: URLSessionTask) { delegate.cancel(task) }

  /// Ends a request with an error, if it has not ended.
  func giveUp(_ task: URLSessionTask, because refusal: SyncTransportError) {
    delegate.giveUp(task, of: session, because: refusal)
  }
}
