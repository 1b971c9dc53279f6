import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Collects the answer to one request, up to a limit.
final class AnswerReader: ResponseReader {
  private let longest: Int
  private let finish: (Result<Data, any Error>) -> Void
  private var data = Data()
  private var count = 0
  /// The most bytes of an error's words.
  static let longestWords = 1000

  init(longest: Int, finish: @escaping (Result<Data, any Error>) -> Void) {
    self.longest = longest
    self.finish = finish
  }

  func read(_ data: Data, of response: HTTPURLResponse?) -> SyncTransportError? {
    count += data.count
    if let response, response.statusCode != 200 {
      // The rest of it, which may have no end, says no more.
      self.data += data.prefix(Self.longestWords - self.data.count)
      return count <= longest
        ? nil : SyncTransportError(response, text: String(decoding: self.data, as: UTF8.self))
    }
    guard count <= longest else {
      return SyncTransportError(
        .answer,
        message: "The server's answer has more than \(longest) bytes, the most that are read.")
    }
    self.data += data
    return nil
  }

  func end(_ response: HTTPURLResponse?, error: (any Error)?) {
    if let error { return finish(.failure(error)) }
    guard let response else {
      return finish(
        .failure(SyncTransportError(.answer, message: "The answer is not one of HTTP.")))
    }
    guard response.statusCode == 200 else {
      let text = String(decoding: data, as: UTF8.self)
      return finish(.failure(SyncTransportError(response, text: text)))
    }
    finish(.success(data))
  }
}
