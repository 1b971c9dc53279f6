/// Splits a format into tokens.
struct Lexer {
  let format: String
  let scalars: [Unicode.Scalar]
  var index = 0
  private var argumentCount = 0

  init(format: String) {
    self.format = format
    scalars = Array(format.unicodeScalars)
  }

  /// All tokens; the last one has the kind `end`.
  static func tokens(of format: String) throws(PredicateFormatError) -> [Token] {
    var lexer = Lexer(format: format)
    var tokens: [Token] = []
    repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
    return tokens
  }

  var current: Unicode.Scalar? { peek(0) }

  func peek(_ distance: Int) -> Unicode.Scalar? {
    index + distance < scalars.count ? scalars[index + distance] : nil
  }

  func error(_ reason: String, at position: Int) -> PredicateFormatError {
    PredicateFormatError(format: format, position: position, reason: reason)
  }

  private mutating func next() throws(PredicateFormatError) -> Token {
    while let scalar = current, scalar.properties.isWhitespace { index += 1 }
    let position = index
    return Token(kind: try kind(), position: position)
  }

  private mutating func kind() throws(PredicateFormatError) -> Token.Kind {
    guard let scalar = current else { return .end }
    switch scalar {
    case "\"", "'": return .string(try quotedString(closedBy: scalar))
    case "0"..."9": return try number()
    case "%": return try argument()
    case "$": return .variable(try name(after: "$", called: "variable"))
    case "@": return .collectionOperator(try name(after: "@", called: "collection operator"))
    case "#": return .escapedWord(try name(after: "#", called: "key"))
    case _ where scalar.startsName: return .word(word())
    default: return try symbol()
    }
  }

  private mutating func name(
    after mark: String, called kind: String
  ) throws(PredicateFormatError) -> String {
    index += 1
    guard let scalar = current, scalar.startsName else {
      throw error("expected the name of a \(kind) after \(mark)", at: index)
    }
    return identifier()
  }

  private mutating func identifier() -> String {
    let start = index
    while let scalar = current, scalar.continuesName { index += 1 }
    return text(start..<index)
  }

  /// A word. Two words of the language contain hyphens.
  private mutating func word() -> String {
    let word = identifier()
    guard word.uppercased() == "UTI" else { return word }
    for rest in ["-CONFORMS-TO", "-EQUALS"] where matchesIgnoringCase(rest) {
      index += rest.count
      return "UTI" + rest
    }
    return word
  }

  private func matchesIgnoringCase(_ text: String) -> Bool {
    let end = min(index + text.count, scalars.count)
    return self.text(index..<end).uppercased() == text
  }

  func text(_ range: Range<Int>) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars[range])
    return text
  }

  private static let pairs: Set<[Unicode.Scalar]> = Set(
    ["==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", "**", "<<", ">>", ":="].map {
      Array($0.unicodeScalars)
    })

  private static let singles = Set("=<>!+-*/&|^(){}[],.:".unicodeScalars)

  /// A symbol of two characters if they form one, so that `**` is not read as two `*`.
  private mutating func symbol() throws(PredicateFormatError) -> Token.Kind {
    let first = scalars[index]
    guard Self.singles.contains(first) else {
      throw error("\"\(first)\" is no part of the language", at: index)
    }
    if let second = peek(1), Self.singles.contains(second), Self.pairs.contains([first, second]) {
      index += 2
      return .symbol("\(first)\(second)")
    }
    index += 1
    return .symbol(String(first))
  }

  /// `%@`, `%K` or a conversion of printf, whose flags and lengths are ignored.
  private mutating func argument() throws(PredicateFormatError) -> Token.Kind {
    let position = index
    index += 1
    while let scalar = current, Self.modifiers.contains(scalar) { index += 1 }
    if current == "%" {
      throw error("% is no operator: a remainder is written modulus:by:(a, b)", at: position)
    }
    guard let letter = current, let conversion = Self.conversions[letter] else {
      throw error("expected a conversion like %@, %K, %d or %f", at: position)
    }
    index += 1
    defer { argumentCount += 1 }
    return .argument(conversion, index: argumentCount)
  }

  private static let modifiers = Set("-+ #0123456789.*hlqztjL".unicodeScalars)

  private static let conversions: [Unicode.Scalar: Token.Conversion] = {
    var table: [Unicode.Scalar: Token.Conversion] = ["@": .object, "K": .keyPath]
    for letter in "dDiuUxXoO".unicodeScalars { table[letter] = .integer }
    for letter in "fFeEgGaA".unicodeScalars { table[letter] = .double }
    for letter in "cCsS".unicodeScalars { table[letter] = .text }
    return table
  }()
}

extension Unicode.Scalar {
  /// Whether a name can start with the character: as in Apple's parser, names are identifiers of C.
  var startsName: Bool {
    ("a"..."z").contains(self) || ("A"..."Z").contains(self) || self == "_"
  }

  var continuesName: Bool { startsName || ("0"..."9").contains(self) }
}
