import Foundation

/// Reads the declarations of a Swift file: types, aliases, extensions and their members. Bodies of
/// functions and values of properties are skipped.
///
/// Invalid code is not diagnosed, since the compiler reads the same file later.
struct DeclarationReader {
  var cursor: SourceCursor
  private let path: String
  /// The last `#sourceLocation`: copies refer to the lines of their originals.
  private var named: (file: String, isAhead: Int)?
  private var imports: [String] = []
  private var isInExtension = false
  private var overridesInExtensions: [SourcePlace] = []
  /// Overrides of `observeValue`, each with the parents of its class.
  private var observers: [(place: SourcePlace, parents: [String])] = []
  var lastObserver: SourcePlace?
  var unfoundMethods: [(place: SourcePlace, text: String)] = []
  var faultOverrides: [SourcePlace] = []
  /// Of the class that is being read: its override of `didTurnIntoFault()`, and whether it has a
  /// `deinit`.
  var faultOverride: SourcePlace?
  private var hasDeinit = false

  static func file(_ url: URL) throws -> SourceFile {
    file(named: url.lastPathComponent, path: url.path, try Data(contentsOf: url))
  }

  static func file(named name: String, path: String, _ text: Data) -> SourceFile {
    var bytes = [UInt8](text)
    bytes.append(0)
    return bytes.withUnsafeBufferPointer { buffer in
      var reader = DeclarationReader(cursor: SourceCursor(buffer), path: path)
      var file = SourceFile(name: name)
      file.declarations = reader.declarations()
      file.imports = reader.imports
      file.overridesInExtensions = reader.overridesInExtensions
      file.unfoundMethods = reader.unfoundMethods
      file.faultOverrides = reader.faultOverrides
      file.observers = reader.observers.filter { $0.parents.first == "NSObject" }.map(\.place)
      return file
    }
  }

  private init(cursor: SourceCursor, path: String) {
    self.cursor = cursor
    self.path = path
  }

  /// The attributes and modifiers before a declaration's keyword.
  struct Head {
    var attributes: Set<String> = []
    var modifiers: Set<String> = []
    var access = ""
  }

  private static let accessLevels: Set<String> = [
    "open", "public", "package", "internal", "fileprivate", "private",
  ]
  private static let modifiers: Set<String> = [
    "final", "static", "lazy", "weak", "unowned", "override", "dynamic", "required", "convenience",
    "indirect", "mutating", "nonmutating", "nonisolated", "isolated", "optional", "distributed",
    "prefix", "postfix", "infix", "borrowing", "consuming", "sending",
  ]
  private static let statements: Set<String> = ["if", "guard", "for", "while", "switch", "do"]

  /// The declarations up to the end of the enclosing type or of the file.
  private mutating func declarations() -> [Declaration] {
    var found: [Declaration] = []
    var head = Head()
    while true {
      cursor.skipTrivia()
      guard !cursor.isAtEnd, cursor.byte != UInt8(ascii: "}") else { return found }
      if cursor.byte == UInt8(ascii: "@") {
        head.attributes.formUnion(attribute())
      } else if cursor.byte == UInt8(ascii: "#") {
        if let directive = directive() { found.append(directive) }
        head = Head()
      } else {
        let start = cursor.position
        let isEscaped = cursor.byte == UInt8(ascii: "`")
        guard let word = cursor.name(), !isEscaped else {
          passPiece(from: start)
          head = Head()
          continue
        }
        if !read(modifier: word, into: &head) {
          if isInExtension, head.modifiers.contains("override") {
            overridesInExtensions.append(place())
          }
          found += declaration(word, head: head)
          head = Head()
        }
      }
    }
  }

  /// Skips one piece of code, unless a name has been read already; a dot is skipped with the name
  /// after it.
  private mutating func passPiece(from start: UnsafePointer<UInt8>) {
    guard cursor.position == start else { return }
    let isDot = cursor.byte == UInt8(ascii: ".")
    cursor.skipPiece()
    if isDot { _ = cursor.name() }
  }

  /// The name of an attribute, and `unavailable` for one that makes its declaration so.
  private mutating func attribute() -> Set<String> {
    cursor.advance()
    let start = cursor.position
    while cursor.name() != nil, cursor.byte == UInt8(ascii: ".") { cursor.advance() }
    let name = cursor.text(from: start)
    guard cursor.byte == UInt8(ascii: "(") else { return [name] }
    let brackets = cursor.position
    cursor.skipBrackets()
    let words = cursor.text(from: brackets).dropFirst().dropLast().split(separator: ",").map {
      $0.filter { !$0.isWhitespace }
    }
    return words.starts(with: ["*", "unavailable"]) ? [name, "unavailable"] : [name]
  }

  /// Records a modifier, including `class` before another keyword. Returns false for other words.
  private mutating func read(modifier word: String, into head: inout Head) -> Bool {
    let isAccess = Self.accessLevels.contains(word)
    guard isAccess || Self.modifiers.contains(word) || isClassModifier(word) else { return false }
    var isOfSetter = false
    if cursor.byte == UInt8(ascii: "(") {
      let start = cursor.position
      cursor.skipBrackets()
      isOfSetter = cursor.text(from: start) == "(set)"
    }
    if !isAccess { head.modifiers.insert(word) } else if !isOfSetter { head.access = word }
    return true
  }

  private func isClassModifier(_ word: String) -> Bool {
    guard word == "class" else { return false }
    var ahead = cursor
    ahead.skipTrivia()
    guard let next = ahead.name() else { return false }
    return ["var", "let", "func", "subscript"].contains(next) || Self.accessLevels.contains(next)
      || Self.modifiers.contains(next)
  }

  private mutating func directive() -> Declaration? {
    let start = cursor.position
    var ahead = cursor
    ahead.advance()
    let directive = ahead.name()
    if directive == "sourceLocation" {
      cursor.move(to: ahead.position)
      readSourceLocation()
      return nil
    }
    guard let word = directive, ["if", "elseif", "else", "endif"].contains(word) else {
      cursor.skipPiece()
      return nil
    }
    let place = place()
    cursor.move(to: ahead.position)
    while !cursor.isAtEnd, cursor.byte != 10 {
      if cursor.byte == UInt8(ascii: "/"), cursor.byte(after: 1) == UInt8(ascii: "/") { break }
      cursor.skipPiece()
    }
    let text = line(from: start)
    return Declaration(.directive, name: word, detail: text, place: place)
  }

  /// Reads `(file: "…", line: 3)`, which names the next line. Empty parentheses end the mapping.
  private mutating func readSourceLocation() {
    let start = cursor.position
    let line = cursor.line()
    cursor.skipBrackets()
    let text = cursor.text(from: start)
    guard let match = text.firstMatch(of: /file:\s*"(.*)",\s*line:\s*(\d+)/),
      let first = Int(match.2)
    else {
      named = nil
      return
    }
    let file = match.1.replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
    named = (String(file), first - line - 1)
  }

  /// The text on one line, without comments at the ends of lines.
  func line(from start: UnsafePointer<UInt8>) -> String {
    cursor.text(from: start).split(whereSeparator: \.isNewline)
      .map { line in line.range(of: "//").map { line[..<$0.lowerBound] } ?? line }
      .joined(separator: " ")
  }

  mutating func place() -> SourcePlace {
    let line = cursor.line()
    guard let named else { return SourcePlace(file: path, line: line) }
    return SourcePlace(file: named.file, line: line + named.isAhead)
  }

  // MARK: - Declarations by their keyword

  private mutating func declaration(_ keyword: String, head: Head) -> [Declaration] {
    switch keyword {
    case "import": readImport()
    case "class", "struct", "enum", "actor", "protocol", "extension":
      return type(keyword, head: head)
    case "typealias": return alias(head)
    case "var", "let": return properties(head, isVariable: keyword == "var")
    case "func" where head.attributes.contains("NSManaged"): return managedFunction(head)
    case "init": return initializer(head)
    case "func": return namedFunction(head)
    case "deinit": hasDeinit = true
    case "case": skipCases()
    case _ where Self.statements.contains(keyword): skipStatement()
    default: break
    }
    return []
  }

  private mutating func readImport() {
    let start = cursor.position
    cursor.skipLine()
    let words = cursor.text(from: start).split(separator: " ").map(String.init)
    let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
    guard let path = words.first(where: { !kinds.contains($0) }) else { return }
    imports.append(String(path.prefix { $0 != "." && $0 != ";" && $0 != "/" }))
  }

  private mutating func skipName() {
    cursor.skipTrivia()
    _ = cursor.name()
  }

  /// Skips enumeration cases, whose names may look like keywords.
  private mutating func skipCases() {
    repeat {
      if cursor.byte == UInt8(ascii: ",") { cursor.advance() }
      skipName()
      cursor.skipTrivia()
      if cursor.byte == UInt8(ascii: "(") { cursor.skipBrackets() }
      cursor.skipTrivia()
      if cursor.byte == UInt8(ascii: "=") {
        cursor.advance()
        cursor.skipTrivia()
        cursor.skipPiece()
        cursor.skipTrivia()
      }
    } while cursor.byte == UInt8(ascii: ",")
  }

  /// Skips a statement with its first block, whose contents are no members.
  private mutating func skipStatement() {
    while !cursor.isAtEnd, cursor.byte != UInt8(ascii: "{"), cursor.byte != UInt8(ascii: "}") {
      cursor.skipTrivia()
      if cursor.byte != UInt8(ascii: "{") { cursor.skipPiece() }
    }
    if cursor.byte == UInt8(ascii: "{") { cursor.skipBrackets() }
  }

  private mutating func type(_ keyword: String, head: Head) -> [Declaration] {
    let place = place()
    cursor.skipTrivia()
    let start = cursor.position
    let isExtension = keyword == "extension"
    let plainName = isExtension ? nil : cursor.name()
    guard isExtension || plainName != nil else { return [] }
    let afterName = cursor.position
    skip(until: ":{")
    let detail = cursor.text(from: isExtension ? start : afterName)
    let inherited = inheritedTypes()
    guard cursor.byte == UInt8(ascii: "{") else { return [] }
    let declaration = Declaration(
      isExtension ? .typeExtension : .type(keyword: keyword),
      name: plainName ?? Self.extendedType(detail), access: head.access,
      detail: isExtension ? "" : Self.genericParameters(detail), inherited: inherited, place: place)
    if keyword == "protocol" {
      cursor.skipBrackets()
    } else {
      cursor.advance()
      let outer = (isInExtension, lastObserver, faultOverride, hasDeinit)
      (isInExtension, lastObserver, faultOverride, hasDeinit) = (isExtension, nil, nil, false)
      declaration.members = declarations()
      if let lastObserver { observers.append((lastObserver, inherited)) }
      if let faultOverride, !hasDeinit { faultOverrides.append(faultOverride) }
      (isInExtension, lastObserver, faultOverride, hasDeinit) = outer
      cursor.advance()
    }
    if head.attributes.contains("MainActor") {
      declaration.isOnMainActor = true
      for member in declaration.members { noteUnfound(member, why: "on the main actor") }
      declaration.members.removeAll { $0.isCalledByName }
    }
    return [declaration]
  }

  /// The name of the extended type in `Outer.Name<Int> where …`.
  private static func extendedType(_ head: String) -> String {
    let end =
      head.range(of: #"\bwhere\b"#, options: .regularExpression)?.lowerBound ?? head.endIndex
    let name = head[..<end].prefix { $0 != "<" && $0 != "/" }
    return name.filter { !$0.isWhitespace && $0 != "`" }
  }

  /// The generic parameters without constraints: those are in no symbol and may name unknown types.
  private static func genericParameters(_ head: String) -> String {
    guard head.hasPrefix("<") else { return "" }
    let parameters = head.dropFirst().prefix { $0 != ">" }.split(separator: ",").map { parameter in
      parameter.prefix { $0 != ":" }.trimmingCharacters(in: .whitespaces)
    }
    return "<\(parameters.joined(separator: ", "))>"
  }

  /// The inherited types, read up to the opening brace of the body.
  private mutating func inheritedTypes() -> [String] {
    guard cursor.byte == UInt8(ascii: ":") else { return [] }
    cursor.advance()
    let start = cursor.position
    skip(until: "{")
    let text = cursor.text(from: start)
    let end =
      text.range(of: #"\bwhere\b"#, options: .regularExpression)?.lowerBound ?? text.endIndex
    return Declaration.types(inList: text[..<end])
  }

  /// Skips to the first of these bytes, or to a closing brace.
  mutating func skip(until bytes: String) {
    while true {
      cursor.skipTrivia()
      guard !cursor.isAtEnd, !bytes.utf8.contains(cursor.byte), cursor.byte != UInt8(ascii: "}")
      else { return }
      if cursor.byte == UInt8(ascii: "<") { skipAngles() } else { cursor.skipPiece() }
    }
  }

  private mutating func alias(_ head: Head) -> [Declaration] {
    let place = place()
    cursor.skipTrivia()
    guard let name = cursor.name() else { return [] }
    let parameters = cursor.position
    skip(until: "=")
    let generics = cursor.text(from: parameters)
    guard cursor.byte == UInt8(ascii: "=") else { return [] }
    cursor.advance()
    cursor.skipTrivia()
    let detail = generics + " = " + typeText()
    return [Declaration(.alias, name: name, access: head.access, detail: detail, place: place)]
  }
}
