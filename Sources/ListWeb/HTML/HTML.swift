/// Markup that is safe to send: text comes in escaped, or as markup made here.
///
/// The one place that escapes. Everything that a user or a store can contain passes through `text`
/// or an attribute.
struct HTML: ExpressibleByStringInterpolation, Equatable {
  var markup: String

  init(stringLiteral value: String) { markup = value }
  init(stringInterpolation: Interpolation) { markup = stringInterpolation.markup }

  static func text(_ text: String) -> HTML { "\(text)" }

  static func + (left: HTML, right: HTML) -> HTML {
    var sum = left
    sum.markup += right.markup
    return sum
  }

  /// Interpolation escapes strings and lets markup through.
  struct Interpolation: StringInterpolationProtocol {
    var markup = ""

    init(literalCapacity: Int, interpolationCount: Int) { markup.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { markup += literal }
    mutating func appendInterpolation(_ html: HTML) { markup += html.markup }
    mutating func appendInterpolation(_ number: Int) { markup += String(number) }
    mutating func appendInterpolation(_ text: String) { markup += text.escapedForHTML }

    /// Markup that is there only under a condition.
    mutating func appendInterpolation(_ html: HTML, if condition: Bool) {
      if condition { markup += html.markup }
    }
  }
}

extension Sequence<HTML> {
  func joined() -> HTML { reduce("") { $0 + $1 } }
}

extension String {
  /// Safe as text and inside a quoted attribute.
  fileprivate var escapedForHTML: String {
    var escaped = ""
    escaped.reserveCapacity(utf8.count)
    for scalar in unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\0": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
