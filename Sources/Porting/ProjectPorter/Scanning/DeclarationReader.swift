/// Assigns each word of a file to the declaration that contains it, token by token.
///
/// Syntax that the reader does not understand belongs to no declaration or to a nameless one, so it
/// is never removed.
struct DeclarationReader {
  private(set) var declarations: [Declaration] = []
  /// The innermost declarations that contain each word, by index, with the first line in each;
  /// index -1 is the file itself.
  private(set) var places: [String: [Int: Int]] = [:]
  /// Words in the head or in the value of each declaration, which are in no body.
  private(set) var heads: [Int: Set<String>] = [:]
  /// Words in the body of each declaration that stand elsewhere than at the start of a statement.
  private(set) var insides: [Int: Set<String>] = [:]

  private var depth = 0
  /// The number of open parentheses and brackets.
  private var nesting = 0
  /// The enclosing types or extensions, innermost last.
  private var containers: [Int] = []
  /// The declaration being read.
  private var current: Int?
  /// Whether the keyword of `current` has been read; `isNamed`: whether its name has.
  private var hasKeyword = false
  private var isNamed = false
  private var isAttribute = false
  /// Whether a dot may continue an extension's name.
  private var isPath = false
  /// Whether the words being read are the inherited types of a declaration.
  private var isInherited = false
  private var previous = Token.none
  /// The token before the last opening brace.
  private var opener = Token.none
  /// Whether the tokens being read are in the body of `current`.
  private var isInBody = false
  /// Whether the last tokens lead a statement without being its subject: `try await`, `_ =`.
  private var isLead = false
  /// Whether the last tokens are names joined by dots with which a statement begins.
  private var isChain = false
  /// The names after the first of a chain. They begin the statement if it is a call or sets
  /// something, as in `Center.shared.start()`.
  private var chain: [String] = []
  /// Whether the statement keeps the value of its blocks: `let task = Task { … }`.
  private var isValue = false
  /// The depth of the outermost such statement that is open.
  private var valueDepth: Int?

  /// The depth of the parentheses that hold the parameters of an initialiser; the number of open
  /// angle brackets in them, and whether a label comes next.
  private var parameters: Int?
  /// The function whose parentheses have just been opened.
  private var beginning: Int?
  private var angles = 0
  private var isAtLabel = false
  /// Initialisers whose parameters have begun.
  private var hasParameters: Set<Int> = []

  private var isBetweenDeclarations: Bool {
    nesting == 0 && depth == containers.count
  }

  mutating func read(_ token: Token) {
    let isOutside = isBetweenDeclarations
    if token.kind != .word { readChain(token) }
    if let function = beginning, token.text != ")" {
      declarations[function].hasParameters = true
    }
    beginning = nil
    switch token.kind {
    case .open:
      if isOutside { openBody(token.line) }
      if isValue, valueDepth == nil { valueDepth = depth }
      depth += 1
      opener = previous
    case .close: leave()
    case .parenthesis:
      // A pattern, as in `let (a, b)`, has no name.
      if isOutside, hasKeyword { isNamed = true }
      nesting += 1
      beginParameters(isOutside)
    case .other:
      readParameters(sign: token.text)
      read(sign: token.text, isOutside)
    case .at:
      // `@unchecked` in a list of inherited types is part of the list.
      isAttribute = isOutside && !isInherited
      if isAttribute { beginIfNeeded(token) }
    case .word:
      readParameters(word: token.text)
      if isOutside {
        if previous.kind != .dot {
          read(word: token)
        } else if isPath, let current {
          declarations[current].name? += "." + token.text
        }
      }
      note(ofStatement: token)
      isAttribute = false
    default: break
    }
    isPath = isPath && [.word, .dot].contains(token.kind)
    previous = token
  }

  // MARK: - Labels of initialisers

  private mutating func beginParameters(_ isOutside: Bool) {
    if isOutside, let current, declarations[current].kind == .function,
      !declarations[current].hasBody
    {
      beginning = current
    }
    guard isOutside, let current, declarations[current].keyword == "init",
      !declarations[current].hasBody, !hasParameters.contains(current)
    else { return }
    hasParameters.insert(current)
    (parameters, angles, isAtLabel) = (nesting, 0, true)
  }

  private mutating func readParameters(word: String) {
    guard isAtLabel, nesting == parameters, let current else { return }
    declarations[current].labels.append("\(word):")
    isAtLabel = false
  }

  private mutating func readParameters(sign: String) {
    guard let level = parameters, nesting == level else { return }
    switch sign {
    case ")": (parameters, isAtLabel) = (nil, false)
    case "<": angles += 1
    case ">": if previous.text != "-" { angles -= 1 }
    case ",": isAtLabel = angles == 0
    default: break
    }
  }

  // MARK: - Statements

  /// Records a word of a body, and whether a statement begins with it.
  private mutating func note(ofStatement token: Token) {
    let continues = isChain && previous.kind == .dot
    let starts = !continues && (isLead || startsStatement(token))
    if continues { chain.append(token.text) } else { endChain() }
    note(token.text, line: token.line, startsStatement: starts || continues)
    guard !continues else { return }
    if starts, !isLead { isValue = isInBody && Self.keeping.contains(token.text) }
    isLead = starts && Self.leading.contains(token.text)
    isChain = starts && !isLead && isInBody
  }

  private mutating func readChain(_ token: Token) {
    switch token.text {
    case "?", "!", ".": return
    case "=" where previous.text == "_": return
    default: isLead = false
    }
    if token.kind == .parenthesis || token.text == "=" || token.text == "[" { chain = [] }
    endChain()
  }

  /// Ends a chain; names that are left are those of a value.
  private mutating func endChain() {
    for word in chain { insides[current ?? containers.last ?? -1, default: []].insert(word) }
    (isChain, chain) = (false, [])
  }

  private static let leading: Set<String> = ["try", "await", "_"]
  /// Words at the beginning of statements that keep a value.
  private static let keeping: Set<String> = ["let", "var", "return", "throw"]

  /// Records the location of a word, or of a reference that another reader made of several words.
  mutating func note(_ text: String, line: Int, startsStatement: Bool = false) {
    let place = current ?? containers.last ?? -1
    if places[text]?[place] == nil { places[text, default: [:]][place] = line }
    if !isInBody {
      heads[place, default: []].insert(text)
    } else if !startsStatement {
      insides[place, default: []].insert(text)
    }
  }

  /// Returns true if the word is the first of a line or of a block, and a statement begins there:
  /// what it begins is no operand and no argument.
  private func startsStatement(_ token: Token) -> Bool {
    if valueDepth != nil { return false }
    if previous.kind == .open {
      // The only expression of a body is its result.
      let isFirst = depth == containers.count + 1
      let hasResult = current.map {
        declarations[$0].hasResult || declarations[$0].kind == .property
          || declarations[$0].keyword == "subscript"
      }
      return opener.text != "get" && !(isFirst && hasResult ?? false)
    }
    guard nesting == 0, previous.line < token.line else { return false }
    return previous.kind != .dot && !Self.continuing.contains(previous.text)
  }

  /// Signs and words at the end of a line whose statement goes on in the next.
  private static let continuing: Set<String> = [
    "&", "*", "+", ",", "-", "/", ":", "<", "=", ">", "?", "|", "await", "case", "is", "as",
    "return", "throw", "try",
  ]

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

  /// Begins a declaration, unless one has begun that still lacks its keyword.
  private mutating func beginIfNeeded(_ token: Token) {
    if current != nil, !hasKeyword { return }
    finishProperty()
    declarations.append(Declaration(line: token.line, container: containers.last))
    isInherited = false
    isInBody = false
    current = declarations.count - 1
    (hasKeyword, isNamed) = (false, false)
  }

  /// A variable whose type ends with `?` or `!` begins with nil.
  private mutating func finishProperty() {
    guard let current, declarations[current].isVariable, !declarations[current].hasBody,
      ["?", "!"].contains(previous.text)
    else { return }
    declarations[current].hasValue = true
  }

  private mutating func keyword(_ word: String) {
    declarations[current!].kind = Self.keywords[word]!
    declarations[current!].isProtocol = word == "protocol"
    declarations[current!].isClass = word == "class"
    declarations[current!].isImport = word == "import"
    declarations[current!].isVariable = word == "var"
    hasKeyword = true
    // These declarations have no name for others to use.
    isNamed = Self.nameless.contains(word)
    if Self.bodied.contains(word) || declarations[current!].kind == .type {
      declarations[current!].keyword = word
    }
  }

  private mutating func name(_ word: Token) {
    if previous.text == "class",
      Self.keywords[word.text] != nil || Self.modifiers.contains(word.text)
    {
      // `class` was a modifier, as in `class func`.
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
    // The declaration is an operator or a pattern.
    if hasKeyword, !isNamed { isNamed = true }
    if sign == ">", previous.text == "-" { declarations[current].hasResult = true }
    if sign == ",", declarations[current].kind == .property {
      declarations[current].isSeveral = true
    } else if sign == ":", isNamed {
      declarations[current].isConforming = true
      isInherited = [.type, .anExtension].contains(declarations[current].kind)
    } else if sign == "=", !declarations[current].hasBody {
      // A value follows; its braces are no body.
      declarations[current].hasBody = true
      declarations[current].hasValue = declarations[current].kind == .property
    }
  }

  // MARK: - Bodies

  private mutating func openBody(_ line: Int) {
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
      if kind == .function || kind == .property || declarations[current].keyword != nil {
        declarations[current].bodyLine = line
        isInBody = true
      }
    }
  }

  private mutating func leave() {
    if isBetweenDeclarations { finishProperty() }
    depth = max(0, depth - 1)
    if depth == valueDepth { valueDepth = nil }
    guard nesting == 0 else { return }
    if depth < containers.count { containers.removeLast(containers.count - depth) }
    if depth == containers.count {
      current = nil
      isInBody = false
    }
    if current == nil { (hasKeyword, isNamed) = (false, false) }
  }

  private static let keywords: [String: Declaration.Kind] = [
    "func": .function, "var": .property, "let": .property, "class": .type, "struct": .type,
    "enum": .type, "actor": .type, "protocol": .type, "typealias": .type,
    "extension": .anExtension, "init": .other, "deinit": .other, "subscript": .other,
    "case": .other, "import": .other, "associatedtype": .other, "macro": .other,
    "precedencegroup": .other,
  ]
  private static let bodied: Set<String> = ["init", "deinit", "subscript"]
  private static let nameless: Set<String> = [
    "init", "deinit", "subscript", "case", "import", "precedencegroup",
  ]
  private static let modifiers: Set<String> = [
    "public", "open", "internal", "package", "private", "fileprivate", "static", "final", "lazy",
    "weak", "unowned", "nonisolated", "indirect", "required", "convenience", "mutating",
    "nonmutating", "override", "dynamic", "optional", "isolated", "consuming", "borrowing",
  ]
}
