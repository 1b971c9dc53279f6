/// A symbol of the language as a number: one or two ASCII characters.
struct Symbol: Equatable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  private let code: UInt16

  /// The value for tokens that are not symbols.
  static let none = Symbol(code: 0)

  private init(code: UInt16) { self.code = code }

  init(_ text: String) {
    code = text.utf8.reduce(0) { $0 << 8 | UInt16($1) }
  }

  @inline(__always)
  init(stringLiteral text: StaticString) {
    var code: UInt16 = 0
    for index in 0..<text.utf8CodeUnitCount { code = code << 8 | UInt16(text.utf8Start[index]) }
    self.code = code
  }

  var description: String {
    String(decoding: [UInt8(code >> 8), UInt8(code & 0xFF)].drop { $0 == 0 }, as: UTF8.self)
  }
}
