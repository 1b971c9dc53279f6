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
    var text = self
    return text.withUTF8 { source -> String? in
      guard source.contains(where: { Self.escaped(byte: $0) != nil }) else { return nil }
      var bytes: [UInt8] = []
      bytes.reserveCapacity(source.count + 32)
      for byte in source {
        if let escaped = Self.escaped(byte: byte) {
          bytes.append(contentsOf: escaped.utf8)
        } else {
          bytes.append(byte)
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    } ?? self
  }

  /// What stands for a byte of UTF-8 that markup cannot have; nil for other bytes. All of them are
  /// ASCII, which no part of another character is.
  private static func escaped(byte: UInt8) -> String? {
    switch byte {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    case UInt8(ascii: "'"): "&#39;"
    case 0: "\u{FFFD}"
    default: nil
    }
  }
}
