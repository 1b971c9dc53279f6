import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What becomes of one request: called by one thread at a time.
protocol ResponseReader: AnyObject {
  /// Nil, or why no more is read.
  func read(_ data: Data, of response: HTTPURLResponse?) -> SyncTransportError?
  /// The response is whole, or the connection was lost.
  func end(_ response: HTTPURLResponse?, error: (any Error)?)
}

/// Leads what a session says to the reader of the request. (A task's own delegate is not asked
/// everywhere.)
///
/// Sendable: `lock` guards the table and is held while a reader reads; whoever ends one has taken
/// it out before.
final class SessionDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let lock = NSLock()
  /// To cancel may wait for the session, which may wait for room in its delegate queue.
  private let cancelling = DispatchQueue(label: "CoreDataSync.cancelling")
  private var readers: [Int: (task: URLSessionTask, reader: any ResponseReader)] = [:]
  private var refusals: [Int: SyncTransportError] = [:]
  /// Tasks whose answer nobody waits for any more, until they end.
  private var unread: [Int: URLSessionTask] = [:]
  private var isOver = false

  /// Whether an answer was given up, and everything else with it.
  var isClosed: Bool { lock.withLock { isOver } }

  func start(_ task: URLSessionTask, for reader: any ResponseReader) {
    let isLate = lock.withLock {
      if !isOver { readers[task.taskIdentifier] = (task, reader) }
      return isOver
    }
    if isLate { reader.end(nil, error: Self.closed) } else { task.resume() }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let number = dataTask.taskIdentifier
    let response = dataTask.response as? HTTPURLResponse
    let refusal = lock.withLock {
      refusals[number] == nil ? readers[number]?.reader.read(data, of: response) : nil
    }
    if let refusal { giveUp(dataTask, of: session, because: refusal) }
  }

  /// A redirection is not followed: the key would go to whoever it names.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    let refusal = SyncTransportError(
      .refused,
      message: "The server names another address: \(request.url?.absoluteString ?? "none").")
    // The task ends with the redirection as its answer. Cancelled here, it would stop the program.
    lock.withLock { refusals[task.taskIdentifier] = refusal }
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let (reader, refusal) = lock.withLock {
      unread[task.taskIdentifier] = nil
      return (
        readers.removeValue(forKey: task.taskIdentifier)?.reader,
        refusals.removeValue(forKey: task.taskIdentifier)
      )
    }
    reader?.end(
      task.response as? HTTPURLResponse, error: refusal ?? error.map { SyncTransportError.of($0) })
  }

  // MARK: - Giving up

  /// Cancels a task whose request has not ended.
  func cancel(_ task: URLSessionTask) {
    guard lock.withLock({ readers[task.taskIdentifier] != nil }) else { return }
    cancelling.async { task.cancel() }
  }

  /// Ends a request in the middle of its answer, if it has not ended, and the session with it.
  ///
  /// The task goes on for a while: a sender that is quicker than its reader keeps every session
  /// reading, for which a cancellation would wait. Now nobody reads, which is quicker. And one that
  /// meets the end of its task stops the program, in Foundation on Linux: the end comes first.
  func giveUp(_ task: URLSessionTask, of session: URLSession, because refusal: SyncTransportError) {
    let ended = lock.withLock { () -> [Int: (task: URLSessionTask, reader: any ResponseReader)] in
      guard readers[task.taskIdentifier] != nil else { return [:] }
      isOver = true
      unread = readers.mapValues(\.task)
      defer { readers = [:] }
      return readers
    }
    guard !ended.isEmpty else { return }
    (session.delegateQueue as? BoundedQueue)?.letEverythingThrough()
    for (number, (_, reader)) in ended {
      reader.end(nil, error: number == task.taskIdentifier ? refusal : Self.closed)
    }
    cancelling.asyncAfter(deadline: .now() + Self.grace) { [self] in
      for task in lock.withLock({ unread.values }) { task.cancel() }
    }
  }

  /// Seconds that a task has to end by itself.
  private static let grace: TimeInterval = 2
  private static let closed = SyncTransportError(
    .unreachable, message: "The connection was given up with another answer, which was refused.")
}
