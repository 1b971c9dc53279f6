/// Tracks the types that enclose each token, and collects references: names with the scope in which
/// they occur.
///
/// A reference has the form `scope:name`, as `Mastodon.Entity:Status.Kind` for `Status.Kind` in an
/// extension of `Mastodon.Entity`. Subscripts with a label are named as in `[safe:]`.
struct ScopeReader {
  /// Nested types by their paths: `Mastodon.Entity.Status`.
  private(set) var types: Set<String> = []
  /// Subscripts with a label, as `[safe:]`.
  private(set) var subscripts: Set<String> = []

  private var depth = 0
  /// The enclosing types, innermost last, each with the depth of its members.
  private var scopes: [(path: String, depth: Int)] = []
  /// The type or extension whose opening brace is still to come.
  private var pending: String?
  /// The dotted name that is being read.
  private var chain = ""
  /// Whether `chain` is the type that an extension extends.
  private var isExtended = false
  /// The last four tokens, newest first.
  private var last = [Token](repeating: .none, count: 4)

  /// - Returns: the reference or subscript name that ends with the token, if any.
  mutating func read(_ token: Token) -> String? {
    defer { last = [token] + last.dropLast() }
    switch token.kind {
    case .open:
      depth += 1
      if let path = pending { scopes.append((path, depth)) }
      pending = nil
      endChain()
    case .close:
      if scopes.last?.depth == depth { scopes.removeLast() }
      depth = max(0, depth - 1)
      pending = nil
      endChain()
    case .dot: break
    case .word: return read(word: token)
    case .other where token.text == ":":
      defer { endChain() }
      return readSubscript()
    default: endChain()
    }
    return nil
  }

  private mutating func endChain() { (chain, isExtended) = ("", false) }

  private mutating func read(word: Token) -> String? {
    if last[0].kind == .dot {
      guard !chain.isEmpty else { return nil }
      chain += "." + word.text
    } else if SourceFacts.isTypeDeclared(by: last[0].text, as: word.text) {
      if last[0].text != "associatedtype" {
        declare(word.text, hasBody: last[0].text != "typealias")
      }
      endChain()
      return nil
    } else {
      endChain()
      guard word.mayBeType else { return nil }
      chain = word.text
      isExtended = last[0].text == "extension" && scopes.isEmpty
    }
    if isExtended { pending = chain }
    if !word.mayBeType {
      endChain()
    } else if !scopes.isEmpty || chain.contains(".") {
      return "\(scopes.last?.path ?? ""):\(chain)"
    }
    return nil
  }

  private mutating func declare(_ name: String, hasBody: Bool) {
    let path = scopes.last.map { "\($0.path).\(name)" } ?? name
    if !scopes.isEmpty { types.insert(path) }
    if hasBody { pending = path }
  }

  /// Reads the label before a colon, in `subscript(safe index:` or in `items[safe:`.
  private mutating func readSubscript() -> String? {
    if last[2].kind == .parenthesis, last[3].text == "subscript", last[1].kind == .word,
      last[1].text != "_"
    {
      subscripts.insert("[\(last[1].text):]")
    }
    guard last[0].kind == .word, !last[0].mayBeType, last[1].text == "[" else { return nil }
    let isValue =
      last[2].kind == .word
      ? !Self.beforeLiterals.contains(last[2].text)
      : [")", "]"].contains(last[2].text)
        || (["?", "!"].contains(last[2].text) && last[3].kind == .word
          && !["as", "try"].contains(last[3].text))
    return isValue ? "[\(last[0].text):]" : nil
  }

  /// Words after which a bracket begins a literal.
  private static let beforeLiterals: Set<String> = [
    "as", "await", "case", "else", "in", "is", "return", "throw", "throws", "try", "where",
  ]

  // MARK: - References

  /// The paths that a reference could mean, innermost scope first.
  static func meanings(of reference: String) -> [String] {
    guard let colon = reference.firstIndex(of: ":") else { return [] }
    let name = reference[reference.index(after: colon)...]
    var meanings: [String] = []
    var scope = reference[..<colon]
    while !scope.isEmpty {
      meanings.append("\(scope).\(name)")
      scope = scope.lastIndex(of: ".").map { scope[..<$0] } ?? ""
    }
    // An unqualified top-level name is looked up in `mentions` instead.
    return name.contains(".") ? meanings + [String(name)] : meanings
  }
}
