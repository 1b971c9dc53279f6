/// A word or a sign of a Swift file.
struct Token {
  enum Kind { case none, word, at, dot, open, close, parenthesis, other }

  let kind: Kind
  let text: String
  let line: Int
  /// Whether the word is in backticks, which make a name of a keyword.
  var isQuoted = false

  static let none = Token(kind: .none, text: "", line: 0)

  var mayBeType: Bool { text.first?.isUppercase ?? false }
}

/// Reads the words and signs of a Swift file, skipping comments, string literals and inactive
/// branches of `#if`. Interpolations in string literals are read.
struct TokenReader {
  private let text: [UInt8]
  private var place = 0
  private var line = 1
  private var branches: [Branch] = []
  /// Platforms with code in branches of which none is active here.
  private(set) var platformsLeft: Set<String> = []
  /// Types declared only in such branches, with their platforms.
  private(set) var typesLeft: [String: Set<String>] = [:]
  /// The last token of an inactive branch.
  private var skipped = Token.none
  private let conditions: Set<String>
  /// The interpolations being read, innermost last: open parentheses, and the end of the string
  /// that continues afterwards.
  private var insertions: [(parentheses: Int, string: StringEnd)] = []

  private struct Branch {
    /// Whether the surrounding code is active.
    let isOuterActive: Bool
    var isActive: Bool
    /// Whether an earlier branch of the same `#if` was active.
    var wasActive: Bool
    /// Platforms that the conditions so far name; nil once a condition has another form.
    var platforms: Set<String>?
    /// Types that inactive branches declare.
    var types: Set<String> = []
  }

  private static let typeKeywords: Set<String> = [
    "actor", "class", "enum", "protocol", "struct", "typealias",
  ]

  private struct StringEnd {
    let hashes: Int
    let quotes: Int
  }

  init(_ text: [UInt8], conditions: Set<String>) {
    self.text = text
    self.conditions = conditions
  }

  mutating func next() -> Token? {
    while place < text.count {
      guard let token = step() else { continue }
      if branches.last?.isActive ?? true { return token }
      skip(token)
    }
    return nil
  }

  private mutating func skip(_ token: Token) {
    if token.kind == .word, token.mayBeType, Self.typeKeywords.contains(skipped.text) {
      branches[branches.count - 1].types.insert(token.text)
    }
    skipped = token
  }

  /// Advances by a token, a comment, a string or a space; returns the token, if any.
  private mutating func step() -> Token? {
    let byte = text[place]
    switch byte {
    case UInt8(ascii: "\n"):
      line += 1
      place += 1
    case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"): skipLine()
    case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): skipComment()
    case UInt8(ascii: "\""): beginString(hashes: 0)
    case UInt8(ascii: "#"): hash()
    case UInt8(ascii: "`"): return quotedWord()
    case UInt8(ascii: "("), UInt8(ascii: ")"): return parenthesis(byte)
    case _ where Self.isWord(byte): return word()
    default:
      place += 1
      return sign(byte)
    }
    return nil
  }

  private func sign(_ byte: UInt8) -> Token? {
    switch byte {
    case UInt8(ascii: "@"): Token(kind: .at, text: "@", line: line)
    case UInt8(ascii: "."): Token(kind: .dot, text: ".", line: line)
    case UInt8(ascii: "{"): Token(kind: .open, text: "{", line: line)
    case UInt8(ascii: "}"): Token(kind: .close, text: "}", line: line)
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): nil
    default: Token(kind: .other, text: String(Unicode.Scalar(byte)), line: line)
    }
  }

  private mutating func parenthesis(_ byte: UInt8) -> Token? {
    place += 1
    let isOpen = byte == UInt8(ascii: "(")
    let token = Token(
      kind: isOpen ? .parenthesis : .other, text: isOpen ? "" : ")", line: line)
    guard let insertion = insertions.last else { return token }
    if isOpen {
      insertions[insertions.count - 1].parentheses += 1
    } else if insertion.parentheses == 0 {
      insertions.removeLast()
      string(insertion.string)
    } else {
      insertions[insertions.count - 1].parentheses -= 1
    }
    return token
  }

  private func peek(_ offset: Int) -> UInt8? {
    place + offset < text.count ? text[place + offset] : nil
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  private mutating func quotedWord() -> Token? {
    place += 1
    guard let byte = peek(0), Self.isWord(byte) else { return nil }
    var token = word()
    token.isQuoted = true
    if peek(0) == UInt8(ascii: "`") { place += 1 }
    return token
  }

  private mutating func word() -> Token {
    let start = place
    while place < text.count, Self.isWord(text[place]) { place += 1 }
    return Token(
      kind: .word, text: String(decoding: text[start..<place], as: UTF8.self), line: line)
  }

  // MARK: - Comments and strings

  private mutating func skipLine() {
    while place < text.count, text[place] != UInt8(ascii: "\n") { place += 1 }
  }

  private mutating func skipComment() {
    var depth = 0
    repeat {
      if text[place] == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
        depth += 1
        place += 2
      } else if text[place] == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
        depth -= 1
        place += 2
      } else {
        if text[place] == UInt8(ascii: "\n") { line += 1 }
        place += 1
      }
    } while depth > 0 && place < text.count
  }

  private mutating func beginString(hashes: Int) {
    let isLong = peek(1) == UInt8(ascii: "\"") && peek(2) == UInt8(ascii: "\"")
    place += isLong ? 3 : 1
    string(StringEnd(hashes: hashes, quotes: isLong ? 3 : 1))
  }

  /// Skips to the end of a string or to its next interpolation; called again after the
  /// interpolation.
  private mutating func string(_ end: StringEnd) {
    while place < text.count {
      switch text[place] {
      case UInt8(ascii: "\n"):
        // An unterminated one-line string ends with its line.
        if end.quotes == 1 { return }
        line += 1
        place += 1
      case UInt8(ascii: "\\") where follows(end.hashes, at: 1):
        if peek(1 + end.hashes) == UInt8(ascii: "(") {
          place += 2 + end.hashes
          insertions.append((0, end))
          return
        }
        place += 2 + end.hashes
      case UInt8(ascii: "\"") where isEnd(end):
        place += end.quotes + end.hashes
        return
      default: place += 1
      }
    }
  }

  private func follows(_ hashes: Int, at offset: Int) -> Bool {
    (0..<hashes).allSatisfy { peek(offset + $0) == UInt8(ascii: "#") }
  }

  private func isEnd(_ end: StringEnd) -> Bool {
    (0..<end.quotes).allSatisfy { peek($0) == UInt8(ascii: "\"") }
      && follows(end.hashes, at: end.quotes)
  }

  // MARK: - Directives

  private mutating func hash() {
    var hashes = 0
    while peek(hashes) == UInt8(ascii: "#") { hashes += 1 }
    if peek(hashes) == UInt8(ascii: "\"") {
      place += hashes
      return beginString(hashes: hashes)
    }
    place += hashes
    guard let first = peek(0), Self.isWord(first) else { return }
    let directive = word().text
    guard ["if", "elseif", "else", "endif"].contains(directive) else { return }
    let start = place
    skipLine()
    let condition = String(decoding: text[start..<place], as: UTF8.self)
    follow(directive, condition: condition)
  }

  private mutating func follow(_ directive: String, condition: String) {
    let holds = PlatformCondition(condition, defined: conditions).holds
    switch directive {
    case "if":
      let isOuterActive = branches.last?.isActive ?? true
      let isActive = isOuterActive && holds
      branches.append(
        Branch(
          isOuterActive: isOuterActive, isActive: isActive, wasActive: isActive,
          platforms: Self.platforms(condition)))
    case "endif":
      guard let branch = branches.popLast(), branch.isOuterActive, !branch.wasActive else { return }
      guard let platforms = branch.platforms else { return }
      platformsLeft.formUnion(platforms)
      for type in branch.types { typesLeft[type, default: []].formUnion(platforms) }
    default:
      guard var branch = branches.popLast() else { return }
      branch.isActive =
        branch.isOuterActive && !branch.wasActive && (directive == "else" || holds)
      branch.wasActive = branch.wasActive || branch.isActive
      let platforms = directive == "else" ? [] : Self.platforms(condition)
      branch.platforms = branch.platforms.flatMap { known in platforms.map(known.union) }
      branches.append(branch)
    }
  }

  /// The platforms of a condition such as `os(iOS) || os(tvOS)`; nil for any other form.
  private static func platforms(_ condition: String) -> Set<String>? {
    let code = condition.split(separator: "//", maxSplits: 1).first ?? ""
    var platforms: Set<String> = []
    for part in code.split(separator: "||") {
      guard let match = part.wholeMatch(of: /\s*os\((iOS|macOS|tvOS|watchOS|visionOS)\)\s*/) else {
        return nil
      }
      platforms.insert(String(match.1))
    }
    return platforms
  }
}
