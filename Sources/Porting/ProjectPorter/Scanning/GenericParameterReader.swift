/// Finds the names of generic parameters, as `Value` in `func load<Key, Value: Decodable>(…)`: they
/// are types in their file alone.
struct GenericParameterReader {
  /// The number of open angle brackets of a list of parameters.
  private var depth = 0
  /// Whether the next word is a parameter.
  private var isExpected = false
  /// The last two tokens, newest first.
  private var last = (Token.none, Token.none)

  /// - Returns: the name of a parameter, if the token is one.
  mutating func read(_ token: Token) -> String? {
    defer { last = (token, last.0) }
    if depth == 0 {
      if token.text == "<", isDeclaration { (depth, isExpected) = (1, true) }
      return nil
    }
    switch token.text {
    case "<": depth += 1
    case ">" where last.0.text != "-": depth -= 1
    case ",": isExpected = depth == 1
    default:
      // A list has no block: what began was an operator.
      if token.kind == .open { depth = 0 }
      guard token.kind == .word, isExpected, token.text != "each" else { return nil }
      isExpected = false
      return token.text
    }
    return nil
  }

  /// Whether a declaration may have parameters behind its last word.
  private var isDeclaration: Bool {
    last.0.text == "init" || last.0.text == "subscript"
      || last.0.kind == .word && Self.keywords.contains(last.1.text)
  }

  private static let keywords: Set<String> = [
    "actor", "class", "enum", "func", "macro", "struct", "typealias",
  ]
}
