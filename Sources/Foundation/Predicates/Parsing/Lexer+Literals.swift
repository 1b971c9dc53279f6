extension Lexer {
  /// The text between quotes, with escapes resolved: `\"`, `\'`, `\\`, `\n` and the like, `\ooo`,
  /// `\xHH`, `\uHHHH`. Any other escape keeps its backslash, which LIKE needs.
  mutating func quotedString(
    closedBy quote: Unicode.Scalar
  ) throws(PredicateFormatError) -> String {
    let start = index
    var text = String.UnicodeScalarView()
    index += 1
    while let scalar = current {
      index += 1
      if scalar == quote { return String(text) }
      if scalar == "\\" { text.append(contentsOf: try escape()) } else { text.append(scalar) }
    }
    throw error("the string that begins here has no end", at: start)
  }

  private mutating func escape() throws(PredicateFormatError) -> [Unicode.Scalar] {
    guard let scalar = current else { return ["\\"] }
    index += 1
    switch scalar {
    case "\"", "'", "\\": return [scalar]
    case "n": return ["\n"]
    case "t": return ["\t"]
    case "r": return ["\r"]
    case "x", "X": return [try code(digits: 2, radix: 16, from: index)]
    case "u", "U": return [try unicodeEscape()]
    case "0"..."7": return [try code(digits: 3, radix: 8, from: index - 1)]
    default: return ["\\", scalar]
    }
  }

  /// `\uHHHH`; two of them for a character outside the basic plane.
  private mutating func unicodeEscape() throws(PredicateFormatError) -> Unicode.Scalar {
    let start = index
    let high = try codeValue(digits: 4, radix: 16, from: start)
    if let scalar = Unicode.Scalar(high) { return scalar }
    guard current == "\\", let letter = peek(1), letter == "u" || letter == "U" else {
      throw error("half of a surrogate pair is no character", at: start)
    }
    let low = try codeValue(digits: 4, radix: 16, from: index + 2)
    guard (0xD800..<0xDC00).contains(high), (0xDC00..<0xE000).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    else { throw error("these two escapes are no surrogate pair", at: start) }
    return scalar
  }

  private mutating func code(
    digits: Int, radix: Int, from start: Int
  ) throws(PredicateFormatError) -> Unicode.Scalar {
    let value = try codeValue(digits: digits, radix: radix, from: start)
    guard let scalar = Unicode.Scalar(value) else {
      throw error("the escape stands for no character", at: start)
    }
    return scalar
  }

  private mutating func codeValue(
    digits: Int, radix: Int, from start: Int
  ) throws(PredicateFormatError) -> UInt32 {
    let end = min(start + digits, scalars.count)
    let digitsText = text(start..<end)
    guard end - start == digits, let value = UInt32(digitsText, radix: radix) else {
      throw error("expected \(digits) digits of base \(radix) in the escape", at: start)
    }
    index = end
    return value
  }

  /// A number in base 10, or in another base with the prefix `0x`, `0o` or `0b`.
  mutating func number() throws(PredicateFormatError) -> Token.Kind {
    let start = index
    if current == "0", let letter = peek(1), let radix = Self.radixes[letter] {
      return try integer(radix: radix, start: start)
    }
    skipDigits()
    if current == ".", let digit = peek(1), digit.isDigit {
      index += 1
      skipDigits()
    }
    skipExponent()
    try expectEndOfNumber(start)
    return try decimal(text(start..<index), start: start)
  }

  private static let radixes: [Unicode.Scalar: Int] = [
    "x": 16, "X": 16, "o": 8, "O": 8, "b": 2, "B": 2,
  ]

  private mutating func integer(
    radix: Int, start: Int
  ) throws(PredicateFormatError) -> Token.Kind {
    index += 2
    let digits = index
    while let scalar = current, scalar.continuesName { index += 1 }
    guard let value = UInt64(text(digits..<index), radix: radix) else {
      throw error("expected digits of base \(radix), for 64 bits at most", at: start)
    }
    return .integer(Int64(bitPattern: value))
  }

  private func decimal(
    _ text: String, start: Int
  ) throws(PredicateFormatError) -> Token.Kind {
    if let value = Int64(text) { return .integer(value) }
    if let value = Double(text), value.isFinite { return .double(value) }
    throw error("the number is too large", at: start)
  }

  private mutating func skipDigits() {
    while let scalar = current, scalar.isDigit { index += 1 }
  }

  private mutating func skipExponent() {
    guard current == "e" || current == "E" else { return }
    let sign = peek(1) == "+" || peek(1) == "-" ? 1 : 0
    guard let digit = peek(1 + sign), digit.isDigit else { return }
    index += 1 + sign
    skipDigits()
  }

  private func expectEndOfNumber(_ start: Int) throws(PredicateFormatError) {
    guard let scalar = current else { return }
    if scalar.continuesName { throw error("a name cannot begin with a digit", at: start) }
    if scalar == ".", let next = peek(1), next.isDigit || next == "." {
      throw error("a number has one decimal point", at: index)
    }
  }
}

extension Unicode.Scalar {
  var isDigit: Bool { ("0"..."9").contains(self) }
}
