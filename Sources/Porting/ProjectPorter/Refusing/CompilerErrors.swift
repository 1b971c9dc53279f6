import Foundation

/// The errors in the output of a build.
struct CompilerErrors {
  struct Message: Hashable {
    let file: URL
    let line: Int
    let text: String
  }

  /// Errors with a file and a line.
  let messages: [Message]
  /// The last eight lines with "error:" but no location, for builds that fail without one.
  let summary: String
  /// All lines with "error:" but no location.
  private let others: [String]

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
    self.others = others.map(String.init)
  }

  /// The first error without a location that names an address: of a package that is not to be had.
  func line(about address: String) -> String? {
    let name = address.hasSuffix(".git") ? String(address.dropLast(4)) : address
    return others.first { $0.contains(name) }
  }
}
