import Foundation

/// What a Swift file imports, declares and mentions on this platform. It is read without a parser: fast, and with no more
/// of Swift's grammar than braces, strings, comments and `#if`.
struct SourceFacts {
  struct Import: Hashable {
    let module: String
    let line: Int
  }

  let file: URL
  private(set) var imports: [Import] = []
  /// Types at the top of the file, which other files may mention.
  private(set) var types: Set<String> = []
  /// Those of them that other modules may mention.
  private(set) var publicTypes: Set<String> = []
  /// Types inside of others, or of this file alone.
  private(set) var innerTypes: Set<String> = []
  /// Words that may be types, with the first line of each.
  private(set) var mentions: [String: Int] = [:]
  /// The line of `@main` or its older names.
  private(set) var entryLine: Int?

  var importsCoreData: Bool { imports.contains { $0.module == "CoreData" } }
  var importsTests: Bool { imports.contains { ["XCTest", "Testing"].contains($0.module) } }

  init(_ file: URL, conditions: Set<String>) throws {
    let data: Data
    do {
      data = try Data(contentsOf: file)
    } catch {
      throw PortError("\(file.path): the source cannot be read: \(error.localizedDescription)")
    }
    self.init(file, Array(data), conditions: conditions)
  }

  init(_ file: URL, _ text: [UInt8], conditions: Set<String> = []) {
    self.file = file
    var reader = TokenReader(text, conditions: conditions)
    var depth = 0
    var previous = Token.none
    var access = Token.none
    while let token = reader.next() {
      switch token.kind {
      case .open: depth += 1
      case .close: depth -= 1
      case .word where previous.kind == .word && previous.text == "import":
        note(importOf: token, &reader)
      case .word where previous.kind == .word && Self.declares.contains(previous.text):
        if !Self.modifiers.contains(token.text) {
          note(type: token, depth, access: access.line == token.line ? access.text : "")
        }
      case .word where previous.kind == .at && Self.entries.contains(token.text):
        entryLine = entryLine ?? token.line
      case .word where token.mayBeType && previous.kind != .dot:
        mentions[token.text] = mentions[token.text] ?? token.line
      case .word where Self.accessWords.contains(token.text): access = token
      default: break
      }
      previous = token
    }
  }

  private mutating func note(type: Token, _ depth: Int, access: String) {
    if depth > 0 || access.hasSuffix("private") {
      innerTypes.insert(type.text)
    } else {
      types.insert(type.text)
      if access == "public" || access == "open" { publicTypes.insert(type.text) }
    }
  }

  private mutating func note(importOf token: Token, _ reader: inout TokenReader) {
    var module = token
    if Self.importKinds.contains(token.text), let next = reader.next() { module = next }
    imports.append(Import(module: module.text, line: module.line))
  }

  private static let accessWords: Set<String> = [
    "public", "open", "internal", "package", "private", "fileprivate",
  ]
  private static let declares: Set<String> = [
    "class", "struct", "enum", "actor", "protocol", "typealias",
  ]
  /// What follows `class` where it is no type: `class func`.
  private static let modifiers: Set<String> = [
    "func", "var", "let", "override", "subscript", "final", "private", "public", "internal",
    "fileprivate", "open", "init", "is", "as", "in",
  ]
  private static let importKinds: Set<String> = [
    "class", "struct", "enum", "protocol", "typealias", "func", "var", "let",
  ]
  private static let entries: Set<String> = ["main", "UIApplicationMain", "NSApplicationMain"]
}
