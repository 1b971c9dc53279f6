import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What becomes of one request: called by one thread at a time.
protocol ResponseReader: AnyObject {
  /// Nil, or why no more is read.
  func read(_ data: Data, of response: HTTPURLResponse?) -> SyncTransportError?
  /// The response is whole, or the connection was lost.
  func end(_ response: HTTPURLResponse?, _ error: (any Error)?)
}

/// Leads what a session says to the reader of the request. (A task's own delegate is not asked
/// everywhere.)
///
/// Sendable: `lock` guards the table; readers are called by the session's delegate queue alone.
final class SessionDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let lock = NSLock()
  /// To cancel waits for the session, which may wait for room in its delegate queue.
  private let cancelling = DispatchQueue(label: "CoreDataSync.cancelling")
  private var readers: [Int: any ResponseReader] = [:]
  private var refusals: [Int: SyncTransportError] = [:]

  func start(_ task: URLSessionTask, _ reader: any ResponseReader) {
    lock.withLock { readers[task.taskIdentifier] = reader }
    task.resume()
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let number = dataTask.taskIdentifier
    guard let reader = lock.withLock({ refusals[number] == nil ? readers[number] : nil }),
      let refusal = reader.read(data, of: dataTask.response as? HTTPURLResponse)
    else { return }
    lock.withLock { refusals[number] = refusal }
    cancelling.async { dataTask.cancel() }
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

  /// Ends a task with an error, if it has not ended.
  func giveUp(_ task: URLSessionTask, because refusal: SyncTransportError) {
    let isRunning = lock.withLock {
      guard readers[task.taskIdentifier] != nil else { return false }
      refusals[task.taskIdentifier] = refusal
      return true
    }
    if isRunning { task.cancel() }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let (reader, refusal) = lock.withLock {
      (
        readers.removeValue(forKey: task.taskIdentifier),
        refusals.removeValue(forKey: task.taskIdentifier)
      )
    }
    reader?.end(
      task.response as? HTTPURLResponse, refusal ?? error.map { SyncTransportError.of($0) })
  }
}
