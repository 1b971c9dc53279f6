import Foundation

/// Why a format could not be parsed, and where.
public struct PredicateFormatError: Error, Equatable, CustomStringConvertible, LocalizedError {
  /// The format as it was given, its arguments not filled in.
  public let format: String
  /// Where it went wrong: the number of Unicode scalars before the place.
  public let position: Int
  /// What was expected or is wrong there, as a sentence without its full stop.
  public let reason: String

  /// Apple's text, then the reason, the place and a mark below it.
  public var description: String {
    "Unable to parse the format string \"\(format)\": \(reason), at position \(position):\n\(place)"
  }

  public var errorDescription: String? { description }

  /// The part of the line around the place, with a caret below.
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
