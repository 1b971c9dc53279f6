import Foundation

/// The reason why a format could not be parsed, and the position.
public struct PredicateFormatError: Error, Equatable, CustomStringConvertible, LocalizedError {
  /// The format as given, without its arguments.
  public let format: String
  /// The position of the error: the number of Unicode scalars before it.
  public let position: Int
  /// The error in a sentence without a full stop: what was expected, what was found.
  public let reason: String

  /// Apple's text, followed by the reason, the position and an excerpt with a caret.
  public var description: String {
    "Unable to parse the format string \"\(format)\": \(reason), at position \(position):\n\(place)"
  }

  /// The description.
  public var errorDescription: String? { description }

  /// The excerpt around the position, with a caret below.
  private var place: String {
    let scalars = Array(format.unicodeScalars)
    let start = max(0, position - 30)
    let end = min(scalars.count, position + 30)
    var text = ""
    for scalar in scalars[start..<end] {
      text.unicodeScalars.append(scalar == "\n" || scalar == "\t" ? " " : scalar)
    }
    return "  \(text)\n  \(String(repeating: " ", count: position - start))^"
  }
}
