/// The syntax of derivation expressions; their names are resolved when a store is opened.
///
///     name, author.name                               a path
///     canonical:(name), uppercase:(…), lowercase:(…)  a function of a path
///     pages.@count, pages.words.@sum                  an operator at the end of a path
///     count:(pages), sum:(pages.words)                these operators as functions
///     now()
extension ModelReader {
  private static let forms =
    "a key path, canonical:(PATH), uppercase:(PATH), lowercase:(PATH), PATH.@count, PATH.@sum, count:(PATH), sum:(PATH) "
    + "or now()"

  func checkDerivation(of element: ModelElement, entity: String) throws {
    guard let expression = element["derivationExpression"] else {
      throw error(
        element, entity: entity, property: element["name"],
        problem: "it is derived, but there is no derivationExpression; expected \(Self.forms)")
    }
    guard !Self.isDerivation(expression) else { return }
    throw error(
      element, entity: entity, property: element["name"],
      problem:
        "“\(expression)” is no expression that an attribute can be derived by; expected \(Self.forms)"
    )
  }

  private static func isDerivation(_ text: String) -> Bool {
    let text = text.filter { !$0.isWhitespace }
    if text == "now()" || isPath(text) { return true }
    let functions = [
      "canonical:", "uppercase:", "lowercase:", "count:", "sum:", "@count:", "@sum:",
    ]
    guard let function = functions.first(where: { text.hasPrefix($0) }) else { return false }
    let rest = text.dropFirst(function.count)
    return rest.hasPrefix("(") && rest.hasSuffix(")") && isPath(String(rest.dropFirst().dropLast()))
  }

  private static func isPath(_ text: String) -> Bool {
    let keys = text.split(separator: ".", omittingEmptySubsequences: false)
    return keys.enumerated().allSatisfy { index, key in
      let name = key.first == "@" || key.first == "#" ? key.dropFirst() : key
      let isOperator = key.first == "@"
      return !name.isEmpty && (!isOperator || index == keys.count - 1)
        && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        && name.first?.isNumber == false
    }
  }
}
