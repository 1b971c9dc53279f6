import Foundation

/// A position in a Swift file that can skip strings, comments and brackets as units.
///
/// Function bodies are most of a file and are not needed. They are skipped by search functions of
/// the C library, so that a target of 25,000 lines takes a few hundredths of a second.
struct SourceCursor {
  /// The next byte; a zero follows the last byte of the text.
  private(set) var position: UnsafePointer<UInt8>
  private let start: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>
  private var knownLine: (position: UnsafePointer<UInt8>, line: Int)

  init(_ text: UnsafeBufferPointer<UInt8>) {
    start = text.baseAddress!
    position = start
    end = start + (text.count - 1)
    knownLine = (start, 1)
  }

  var isAtEnd: Bool { position >= end }

  var byte: UInt8 { position.pointee }

  func byte(after distance: Int) -> UInt8 {
    position + distance < end ? position[distance] : 0
  }

  mutating func advance(_ count: Int = 1) { position = min(position + count, end) }

  mutating func move(to place: UnsafePointer<UInt8>) { position = place }

  func text(from place: UnsafePointer<UInt8>) -> String {
    String(decoding: UnsafeBufferPointer(start: place, count: position - place), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The line of the next byte, from 1. Calls must go from the start of the file to its end.
  mutating func line() -> Int {
    var (place, line) = knownLine
    while place < position, let found = memchr(place, 10, position - place) {
      line += 1
      place = UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) + 1
    }
    knownLine = (position, line)
    return line
  }

  // MARK: - Tokens

  /// Skips white space and comments. Returns true if a line ended in between.
  @discardableResult
  mutating func skipTrivia() -> Bool {
    var hasNewLine = false
    while true {
      switch byte {
      case 10, 13:
        hasNewLine = true
        advance()
      case 32, 9, 11, 12: advance()
      case UInt8(ascii: "/") where byte(after: 1) == UInt8(ascii: "/"): skipLine()
      case UInt8(ascii: "/") where byte(after: 1) == UInt8(ascii: "*"): skipBlockComment()
      case 0xEF where byte(after: 1) == 0xBB && byte(after: 2) == 0xBF: advance(3)
      default: return hasNewLine
      }
    }
  }

  /// Skips to the end of the line.
  mutating func skipLine() {
    position = found(10) ?? end
  }

  private func found(_ byte: UInt8) -> UnsafePointer<UInt8>? {
    memchr(position, Int32(byte), end - position).map {
      UnsafePointer($0.assumingMemoryBound(to: UInt8.self))
    }
  }

  private mutating func skipBlockComment() {
    var depth = 0
    repeat {
      if byte == UInt8(ascii: "/"), byte(after: 1) == UInt8(ascii: "*") {
        depth += 1
        advance(2)
      } else if byte == UInt8(ascii: "*"), byte(after: 1) == UInt8(ascii: "/") {
        depth -= 1
        advance(2)
      } else {
        advance()
      }
    } while depth > 0 && !isAtEnd
  }

  static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 128...:
      true
    default: false
    }
  }

  /// Reads the name at the cursor, without backticks; nil for anything else.
  mutating func name() -> String? {
    if byte == UInt8(ascii: "`") {
      advance()
      let first = position
      while !isAtEnd, byte != UInt8(ascii: "`"), byte != 10 { advance() }
      let name = text(from: first)
      advance()
      return name
    }
    guard Self.isNamePart(byte), !(48...57).contains(byte) else { return nil }
    let first = position
    while Self.isNamePart(byte), !isAtEnd { advance() }
    return text(from: first)
  }

  // MARK: - Units

  /// Skips one piece of code: a string, a pair of brackets with its contents, a name, or one byte.
  mutating func skipPiece() {
    switch byte {
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): skipBrackets()
    case UInt8(ascii: "\""): skipString(hashes: 0)
    case UInt8(ascii: "#"): skipHash()
    case UInt8(ascii: "/"): skipSlash()
    default: if name() == nil { advance() }
    }
  }

  private static let brackets = Array("()[]{}\"#/`\0".utf8CString)

  /// Skips from an opening bracket past the matching closing one.
  mutating func skipBrackets() {
    var depth = 0
    repeat {
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        advance()
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        advance()
      case UInt8(ascii: "\""): skipString(hashes: 0)
      case UInt8(ascii: "#"): skipHash()
      case UInt8(ascii: "/"): skipSlash()
      case UInt8(ascii: "`"): _ = name()
      default: advance()
      }
      guard depth > 0 else { return }
      // A zero byte in the text ends the search early, and is skipped like any other byte.
      position += position.withMemoryRebound(to: CChar.self, capacity: 1) {
        strcspn($0, Self.brackets)
      }
    } while !isAtEnd
  }

  /// Skips `#"…"#`, `#/…/#`, or a lone `#`.
  private mutating func skipHash() {
    var hashes = 0
    while byte == UInt8(ascii: "#") {
      hashes += 1
      advance()
    }
    if byte == UInt8(ascii: "\"") {
      skipString(hashes: hashes)
    } else if byte == UInt8(ascii: "/") {
      advance()
      while !isAtEnd {
        guard byte == UInt8(ascii: "/"), hasHashes(hashes, after: 1) else {
          advance(byte == UInt8(ascii: "\\") ? 2 : 1)
          continue
        }
        return advance(1 + hashes)
      }
    }
  }

  private func hasHashes(_ count: Int, after distance: Int) -> Bool {
    (0..<count).allSatisfy { byte(after: distance + $0) == UInt8(ascii: "#") }
  }

  /// Skips a string literal with its interpolations.
  private mutating func skipString(hashes: Int) {
    let quote = UInt8(ascii: "\"")
    let isLong = byte(after: 1) == quote && byte(after: 2) == quote
    if !isLong, byte(after: 1) == quote, hasHashes(hashes, after: 2) { return advance(2 + hashes) }
    let marks = isLong ? 3 : 1
    advance(marks)
    while !isAtEnd {
      switch byte {
      case quote
      where (1..<marks).allSatisfy({ byte(after: $0) == quote }) && hasHashes(hashes, after: marks):
        return advance(marks + hashes)
      case UInt8(ascii: "\\") where hasHashes(hashes, after: 1):
        advance(1 + hashes)
        if byte == UInt8(ascii: "(") { skipBrackets() } else { advance() }
      case 10 where !isLong: return
      default: advance()
      }
    }
  }

  // MARK: - Slashes

  /// Skips a comment, a regular expression or an operator.
  private mutating func skipSlash() {
    let next = byte(after: 1)
    if next == UInt8(ascii: "/") { return skipLine() }
    if next == UInt8(ascii: "*") { return skipBlockComment() }
    let slash = position
    advance()
    guard next != 32, next != 9, next != UInt8(ascii: "="), startsExpression(slash) else { return }
    let rest = position
    while !isAtEnd, byte != 10 {
      if byte == UInt8(ascii: "/") { return advance() }
      advance(byte == UInt8(ascii: "\\") ? 2 : 1)
    }
    position = rest
  }

  private static let beforeExpressions: Set<String> = [
    "return", "in", "case", "where", "try", "await", "yield", "throw",
  ]

  /// Returns true if an expression can start at a place; a slash there is no division.
  private func startsExpression(_ place: UnsafePointer<UInt8>) -> Bool {
    var last = place - 1
    while last > start, last.pointee == 32 || last.pointee == 9 { last -= 1 }
    guard last >= start else { return true }
    if "(,[{=:;!&|?~<>+-*%^\n".utf8.contains(last.pointee) { return true }
    guard Self.isNamePart(last.pointee) else { return false }
    var first = last
    while first > start, Self.isNamePart((first - 1).pointee) { first -= 1 }
    let word = UnsafeBufferPointer(start: first, count: last - first + 1)
    return Self.beforeExpressions.contains(String(decoding: word, as: UTF8.self))
  }
}
