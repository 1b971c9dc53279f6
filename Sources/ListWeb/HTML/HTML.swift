/// Markup that is safe to send: either escaped text or markup made in this module.
///
/// All escaping happens here. Everything that can come from a user or a store passes through `text`
/// or an interpolation.
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

  /// Interpolates strings escaped and markup as it is.
  struct Interpolation: StringInterpolationProtocol {
    var markup = ""

    init(literalCapacity: Int, interpolationCount: Int) { markup.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { markup += literal }
    mutating func appendInterpolation(_ html: HTML) { markup += html.markup }
    mutating func appendInterpolation(_ number: Int) { markup += String(number) }
    mutating func appendInterpolation(_ text: String) { markup += text.escapedForHTML }

    /// Markup that is added only under a condition.
    mutating func appendInterpolation(_ html: HTML, if condition: Bool) {
      if condition { markup += html.markup }
    }
  }
}

extension Sequence<HTML> {
  func joined() -> HTML { reduce("") { $0 + $1 } }
}

extension String {
  /// The text escaped for content and for quoted attributes.
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
