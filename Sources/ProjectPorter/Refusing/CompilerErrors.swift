import Foundation

/// The errors in what a build prints.
struct CompilerErrors {
  struct Message: Hashable {
    let file: URL
    let line: Int
    let text: String
  }

  /// Those that name a place.
  let messages: [Message]
  /// The last lines that speak of an error, for a build that fails without a place.
  let summary: String

  init(_ output: String) {
    var messages: [Message] = []
    var others: [Substring] = []
    for line in output.split(whereSeparator: \.isNewline) {
      if let match = line.wholeMatch(of: /(\/.+?):(\d+):(?:\d+:)? error: (.+)/),
        let number = Int(match.2)
      {
        let message = Message(
          file: URL(fileURLWithPath: String(match.1)).standardizedFileURL, line: number,
          text: String(match.3))
        if !messages.contains(message) { messages.append(message) }
      } else if line.contains("error:") {
        others.append(line)
      }
    }
    self.messages = messages
    summary = others.suffix(8).joined(separator: "\n")
  }
}
