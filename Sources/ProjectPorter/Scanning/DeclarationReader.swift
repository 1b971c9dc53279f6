/// Follows the tokens of a file, and tells in which declaration each word stands.
///
/// What it does not understand belongs to no declaration, or to one without a name, so that nothing is left out for it.
struct DeclarationReader {
  private(set) var declarations: [Declaration] = []
  /// For each word, the innermost declarations that have it, with the first line in each; -1 stands for none.
  private(set) var places: [String: [Int: Int]] = [:]

  private var depth = 0
  /// Open parentheses and brackets.
  private var nesting = 0
  /// The types, or the extension, whose members are read, innermost last.
  private var containers: [Int] = []
  /// The declaration that is read.
  private var current: Int?
  /// Whether its keyword, and its name, have been read.
  private var hasKeyword = false
  private var isNamed = false
  private var isAttribute = false
  /// Whether an extension's name may go on.
  private var isPath = false
  /// Whether the types are read that a type inherits from.
  private var isInherited = false
  private var previous = Token.none

  private var isBetweenDeclarations: Bool {
    nesting == 0 && depth == containers.count
  }

  mutating func read(_ token: Token) {
    let isOutside = isBetweenDeclarations
    switch token.kind {
    case .open:
      if isOutside { openBody() }
      depth += 1
    case .close: leave()
    case .parenthesis:
      // A pattern has no name.
      if isOutside, hasKeyword { isNamed = true }
      nesting += 1
    case .other: read(sign: token.text, isOutside)
    case .at:
      // `@unchecked` among what a type inherits belongs to that.
      isAttribute = isOutside && !isInherited
      if isAttribute { beginIfNeeded(token) }
    case .word:
      if isOutside {
        if previous.kind != .dot {
          read(word: token)
        } else if isPath, let current {
          declarations[current].name? += "." + token.text
        }
      }
      note(token.text, token.line)
      isAttribute = false
    default: break
    }
    isPath = isPath && [.word, .dot].contains(token.kind)
    previous = token
  }

  /// Notes where a word, or what a reader makes of several, stands.
  mutating func note(_ text: String, _ line: Int) {
    let place = current ?? containers.last ?? -1
    if places[text]?[place] == nil { places[text, default: [:]][place] = line }
  }

  // MARK: - Heads

  private mutating func read(word: Token) {
    if isAttribute {
      if let current { declarations[current].attributes.insert(word.text) }
    } else if hasKeyword, !isNamed {
      name(word)
    } else if word.isQuoted {
      return
    } else if hasKeyword, isNamed, isInherited, let current {
      declarations[current].inherited.append(word.text)
    } else if Self.keywords[word.text] != nil {
      beginIfNeeded(word)
      keyword(word.text)
    } else if Self.modifiers.contains(word.text) {
      beginIfNeeded(word)
      declarations[current!].modifiers.insert(word.text)
    }
  }

  /// Begins a declaration, unless one has begun whose keyword is still to come.
  private mutating func beginIfNeeded(_ token: Token) {
    if current != nil, !hasKeyword { return }
    declarations.append(Declaration(line: token.line, container: containers.last))
    isInherited = false
    current = declarations.count - 1
    (hasKeyword, isNamed) = (false, false)
  }

  private mutating func keyword(_ word: String) {
    declarations[current!].kind = Self.keywords[word]!
    declarations[current!].isProtocol = word == "protocol"
    declarations[current!].isClass = word == "class"
    declarations[current!].isImport = word == "import"
    hasKeyword = true
    // These have no name that others could use.
    isNamed = Self.nameless.contains(word)
  }

  private mutating func name(_ word: Token) {
    if previous.text == "class",
      Self.keywords[word.text] != nil || Self.modifiers.contains(word.text)
    {
      // It was a modifier: `class func`.
      declarations[current!].modifiers.insert("class")
      declarations[current!].isClass = false
      hasKeyword = false
      return read(word: word)
    }
    declarations[current!].name = word.text
    isPath = declarations[current!].kind == .anExtension
    isNamed = true
  }

  private mutating func read(sign: String, _ isOutside: Bool) {
    switch sign {
    case ")", "]": nesting = max(0, nesting - 1)
    case "[": nesting += 1
    default: break
    }
    guard isOutside, let current else { return }
    // An operator, or a pattern.
    if hasKeyword, !isNamed { isNamed = true }
    if sign == ",", declarations[current].kind == .property {
      declarations[current].isSeveral = true
    } else if sign == ":", isNamed {
      declarations[current].isConforming = true
      isInherited = [.type, .anExtension].contains(declarations[current].kind)
    } else if sign == "=", !declarations[current].hasBody {
      // What follows is a value, and its braces are no body.
      declarations[current].hasBody = true
    }
  }

  // MARK: - Bodies

  private mutating func openBody() {
    isInherited = false
    guard let current, hasKeyword else { return }
    let kind = declarations[current].kind
    if kind == .type || (kind == .anExtension && containers.isEmpty) {
      containers.append(current)
      self.current = nil
      (hasKeyword, isNamed) = (false, false)
    } else if !declarations[current].hasBody {
      declarations[current].isComputed = kind == .property
      declarations[current].hasBody = true
    }
  }

  private mutating func leave() {
    depth = max(0, depth - 1)
    guard nesting == 0 else { return }
    if depth < containers.count { containers.removeLast(containers.count - depth) }
    if depth == containers.count { current = nil }
    if current == nil { (hasKeyword, isNamed) = (false, false) }
  }

  private static let keywords: [String: Declaration.Kind] = [
    "func": .function, "var": .property, "let": .property, "class": .type, "struct": .type,
    "enum": .type, "actor": .type, "protocol": .type, "typealias": .type,
    "extension": .anExtension, "init": .other, "deinit": .other, "subscript": .other,
    "case": .other, "import": .other, "associatedtype": .other, "macro": .other,
    "precedencegroup": .other,
  ]
  private static let nameless: Set<String> = [
    "init", "deinit", "subscript", "case", "import", "precedencegroup",
  ]
  private static let modifiers: Set<String> = [
    "public", "open", "internal", "package", "private", "fileprivate", "static", "final", "lazy",
    "weak", "unowned", "nonisolated", "indirect", "required", "convenience", "mutating",
    "nonmutating", "override", "dynamic", "optional", "isolated", "consuming", "borrowing",
  ]
}
