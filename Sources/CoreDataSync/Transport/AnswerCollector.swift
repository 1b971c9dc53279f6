import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Collects the answer to one request, up to a limit.
///
/// Sendable: the session calls one delegate from one thread at a time.
final class AnswerCollector: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let longest: Int
  private let finish: @Sendable (Result<Data, any Error>) -> Void
  private var data = Data()
  private var isTooLong = false

  init(longest: Int, finish: @escaping @Sendable (Result<Data, any Error>) -> Void) {
    self.longest = longest
    self.finish = finish
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard self.data.count + data.count <= longest else {
      isTooLong = true
      return dataTask.cancel()
    }
    self.data += data
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    finish(result(task, error))
  }

  private func result(_ task: URLSessionTask, _ error: (any Error)?) -> Result<Data, any Error> {
    if isTooLong {
      return .failure(
        SyncTransportError(.answer, message: "The server's answer has more than \(longest) bytes."))
    }
    if let error { return .failure(SyncTransportError.of(error)) }
    guard let response = task.response as? HTTPURLResponse else {
      return .failure(SyncTransportError(.answer, message: "The answer is not one of HTTP."))
    }
    guard response.statusCode == 200 else {
      let text = String(decoding: data.prefix(1000), as: UTF8.self)
      return .failure(SyncTransportError(response, text: text))
    }
    return .success(data)
  }
}
