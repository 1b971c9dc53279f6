import BrowserDriver
import Foundation

enum JavaScript {
  /// A text as JavaScript writes it, which is the way of JSON.
  static func literal(_ text: String) -> String {
    // A string can always be written as JSON.
    String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
  }
}

extension Browser {
  func waitForConnection() async throws {
    try await wait(until: "document.body.dataset.connected === 'true'")
  }
}
