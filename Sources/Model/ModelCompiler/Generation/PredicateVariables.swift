import ModelDocuments

/// The variables of a predicate's text, with the Swift types of their values.
///
/// The predicate is not parsed: the words beside a variable suffice.
struct PredicateVariables {
  let predicate: String
  let entityName: String
  let names: ClassNames

  /// The variables by name; the type is `Any` if the comparison does not determine it.
  var variables: [(name: String, type: String)] {
    let tokens = Self.tokens(of: predicate)
    var types: [String: String] = [:]
    var bound: Set<String> = []
    for (place, token) in tokens.enumerated() where token.hasPrefix("$") {
      let name = String(token.dropFirst().prefix { $0 != "." })
      if Self.isBound(place, tokens: tokens) { bound.insert(name) }
      guard SwiftName.isIdentifier(name), token.count == name.count + 1 else { continue }
      let type = type(at: place, in: tokens)
      if types[name] == nil || types[name] == "Any" { types[name] = type ?? "Any" }
    }
    return types.filter { !bound.contains($0.key) }.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
  }

  private static let symbols: Set<Character> = ["=", "!", "<", ">"]

  /// Splits a text into string literals, comparison symbols, words and single characters, without
  /// modifiers such as `[cd]`.
  private static func tokens(of text: String) -> [String] {
    var tokens: [String] = []
    var rest = text[...]
    func isWord(_ character: Character) -> Bool {
      character.isLetter || character.isNumber || "_.@$#".contains(character)
    }
    while let first = rest.first {
      let token: Substring
      if first == "\"" || first == "'" {
        var end = rest.index(after: rest.startIndex)
        while end < rest.endIndex, rest[end] != first {
          _ = rest.formIndex(&end, offsetBy: rest[end] == "\\" ? 2 : 1, limitedBy: rest.endIndex)
        }
        token = rest[..<end]
        rest = rest[end...].dropFirst()
      } else if first == "[" {
        rest = rest.drop { $0 != "]" }.dropFirst()
        continue
      } else {
        token =
          symbols.contains(first)
          ? rest.prefix(while: symbols.contains)
          : isWord(first) ? rest.prefix(while: isWord) : rest.prefix(1)
        rest = rest.dropFirst(token.count)
      }
      if !first.isWhitespace { tokens.append(String(token)) }
    }
    return tokens
  }

  /// Returns true if the variable is bound by a subquery: `SUBQUERY(items, $item, …)`.
  private static func isBound(_ place: Int, tokens: [String]) -> Bool {
    place >= 4 && tokens[place - 1] == "," && tokens[place - 3] == "("
      && tokens[place - 4].uppercased() == "SUBQUERY"
  }

  private static let texts: Set = ["BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES"]
  private static let comparisons: Set = ["=", "==", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>"]

  private func type(at place: Int, in tokens: [String]) -> String? {
    if place >= 2,
      let type = type(of: tokens[place - 2], tokens[place - 1].uppercased(), isRight: true)
    {
      return type
    }
    // `BETWEEN {$low, $high}` and `IN {$a, $b}`: each variable is a single value.
    if let open = tokens[..<place].lastIndex(of: "{"), !tokens[open..<place].contains("}"),
      open >= 2
    {
      return type(of: tokens[open - 2], "==", isRight: true)
    }
    guard place + 2 < tokens.count else { return nil }
    return type(of: tokens[place + 2], tokens[place + 1].uppercased(), isRight: false)
  }

  /// The type of the operand on one side of an operator, determined by the path on the other side.
  private func type(of path: String, _ comparison: String, isRight: Bool) -> String? {
    if Self.texts.contains(comparison) { return "String" }
    let element = elementType(path)
    switch comparison {
    case _ where Self.comparisons.contains(comparison): return element
    case "IN", "BETWEEN": return isRight ? element.map { "[\($0)]" } : element
    case "CONTAINS": return element
    default: return nil
    }
  }

  private func elementType(_ path: String) -> String? {
    if path.hasSuffix(".@count") { return "Int" }
    let keys = path.hasPrefix("self.") ? String(path.dropFirst(5)) : path
    let property = names.property(at: keys.split(separator: "."), of: entityName)
    switch property?.kind {
    case .attribute(let attribute)?: return SwiftType.value(attribute)
    case .relationship(let relationship)?: return names.name(ofEntity: relationship.destination)
    default: return nil
    }
  }
}
