import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Collects the answer to one request, up to a limit.
final class AnswerReader: ResponseReader {
  private let longest: Int
  private let finish: (Result<Data, any Error>) -> Void
  private var data = Data()

  init(longest: Int, finish: @escaping (Result<Data, any Error>) -> Void) {
    self.longest = longest
    self.finish = finish
  }

  func read(_ data: Data, of response: HTTPURLResponse?) -> SyncTransportError? {
    guard self.data.count + data.count <= longest else {
      return SyncTransportError(.answer, message: "The answer has more than \(longest) bytes.")
    }
    self.data += data
    return nil
  }

  func end(_ response: HTTPURLResponse?, _ error: (any Error)?) {
    if let error { return finish(.failure(error)) }
    guard let response else {
      return finish(
        .failure(SyncTransportError(.answer, message: "The answer is not one of HTTP.")))
    }
    guard response.statusCode == 200 else {
      let text = String(decoding: data.prefix(1000), as: UTF8.self)
      return finish(.failure(SyncTransportError(response, text: text)))
    }
    finish(.success(data))
  }
}
