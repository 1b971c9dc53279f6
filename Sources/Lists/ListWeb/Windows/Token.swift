/// A token of 128 random bits, in hexadecimal digits.
enum Token {
  static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  static func isOne(_ text: String) -> Bool {
    text.utf8.count == 32 && text.allSatisfy(\.isHexDigit)
  }
}
