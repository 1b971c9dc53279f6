import Foundation

/// A fault in a file, for errors that name the file.
package struct FileDamage: Error {
  package let text: String

  package init(text: String) {
    self.text = text
  }
}

/// A piece of an XML document.
package enum XMLToken: Equatable {
  case start(name: String, attributes: [String: String])
  case end(name: String)
  case text(String)
}

/// Reads an XML document piece by piece from a file that may be damaged or hostile. Used on one
/// thread.
///
/// Foundation's parser stops the program at some malformed tags. This one supports elements,
/// attributes, text, character references, CDATA sections, comments and processing instructions, in
/// UTF-8. It refuses document type declarations with content, which could define entities that
/// expand without limit. An empty element gives a start and an end.
package struct XMLScanner {
  private static let longestName = 4096
  private static let mostAttributes = 256

  private var source: XMLBytes
  private var ending: String?
  package private(set) var line = 1

  package init(_ url: URL) throws { source = try XMLBytes(url) }

  package init(_ data: Data) { source = XMLBytes(data) }

  /// The number of bytes read so far.
  package var offset: Int { source.offset }

  /// The next piece; nil at the end of the file.
  package mutating func next() throws -> XMLToken? {
    if let name = ending {
      ending = nil
      return .end(name: name)
    }
    while let byte = try source.peek() {
      if byte != UInt8(ascii: "<") { return .text(try text()) }
      try skip()
      switch try source.peek() {
      case UInt8(ascii: "/"): return try end()
      case UInt8(ascii: "?"): try instruction()
      case UInt8(ascii: "!"): if let text = try declaration() { return .text(text) }
      default: return try start()
      }
    }
    return nil
  }

  // MARK: - Bytes

  private func damage(_ text: String) -> FileDamage { FileDamage(text: "line \(line): \(text)") }

  @discardableResult
  private mutating func skip() throws -> UInt8 {
    guard let byte = try source.next() else { throw damage("it ends before its end") }
    if byte == UInt8(ascii: "\n") { line += 1 }
    return byte
  }

  private mutating func expect(_ text: String) throws {
    for byte in text.utf8 {
      guard try skip() == byte else { throw damage("“\(text)” was expected") }
    }
  }

  private mutating func skipSpace() throws {
    while let byte = try source.peek(), Self.isSpace(byte) { try skip() }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Reads the bytes up to `end`, and `end` itself.
  private mutating func bytes(until end: String) throws -> [UInt8] {
    let end = Array(end.utf8)
    var found: [UInt8] = []
    while !found.suffix(end.count).elementsEqual(end) { found.append(try skip()) }
    return found.dropLast(end.count)
  }

  private func string(_ bytes: [UInt8]) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw damage("a text is not UTF-8")
    }
    return text
  }

  private mutating func name() throws -> String {
    var bytes: [UInt8] = []
    while let byte = try source.peek(), !Self.isSpace(byte), !Self.endsName(byte) {
      bytes.append(try skip())
      guard bytes.count <= Self.longestName else { throw damage("a name is too long") }
    }
    guard !bytes.isEmpty else { throw damage("a name was expected") }
    return try string(bytes)
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: ">"), UInt8(ascii: "="), UInt8(ascii: "<"),
      UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "&"):
      true
    default: false
    }
  }

  // MARK: - Tags

  private mutating func start() throws -> XMLToken {
    let name = try name()
    var attributes: [String: String] = [:]
    while true {
      try skipSpace()
      switch try source.peek() {
      case UInt8(ascii: ">"):
        try skip()
        return .start(name: name, attributes: attributes)
      case UInt8(ascii: "/"):
        try expect("/>")
        ending = name
        return .start(name: name, attributes: attributes)
      default: try attribute(&attributes)
      }
    }
  }

  private mutating func attribute(_ attributes: inout [String: String]) throws {
    let name = try name()
    try skipSpace()
    try expect("=")
    try skipSpace()
    let quote = try skip()
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw damage("a value was expected after “\(name)=”")
    }
    let value = try content(until: quote)
    try skip()
    guard attributes.updateValue(value, forKey: name) == nil else {
      throw damage("“\(name)” is there twice")
    }
    guard attributes.count <= Self.mostAttributes else {
      throw damage("there are too many attributes")
    }
  }

  private mutating func end() throws -> XMLToken {
    try skip()
    let name = try name()
    try skipSpace()
    try expect(">")
    return .end(name: name)
  }

  // MARK: - Text

  private mutating func text() throws -> String { try content(until: nil) }

  /// Reads text up to a quote or, outside of tags, up to the next tag.
  private mutating func content(until quote: UInt8?) throws -> String {
    var bytes: [UInt8] = []
    while let byte = try source.peek() {
      if byte == quote { return try string(bytes) }
      if byte == UInt8(ascii: "<") {
        if quote != nil { throw damage("a value has a tag in it") }
        break
      }
      try skip()
      switch byte {
      case UInt8(ascii: "&"): bytes += try reference()
      case 0x0D:
        // CR LF becomes LF, as a lone CR does.
        if try source.peek() != 0x0A { bytes.append(0x0A) }
      case 0..<0x20 where !Self.isSpace(byte):
        throw damage(
          "it has a control character, U+\(String(byte, radix: 16)), which XML has no room for")
      default: bytes.append(byte)
      }
    }
    if quote != nil { throw damage("it ends inside of a tag") }
    return try string(bytes)
  }

  private static let characters = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
  ]

  private mutating func reference() throws -> [UInt8] {
    var name: [UInt8] = []
    while let byte = try source.peek(), byte != UInt8(ascii: ";"), name.count < 12 {
      name.append(try skip())
    }
    try expect(";")
    let text = try string(name)
    if let character = Self.characters[text] { return Array(character.utf8) }
    guard let scalar = Self.scalar(text) else {
      throw damage("“&\(text);” names no character; other entities are refused")
    }
    return Array(String(scalar).utf8)
  }

  private static func scalar(_ text: String) -> Unicode.Scalar? {
    guard text.hasPrefix("#") else { return nil }
    let digits = text.dropFirst()
    let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap(Unicode.Scalar.init).flatMap { isCharacter($0) ? $0 : nil }
  }

  /// Returns true for characters that XML allows. Source: w3.org/TR/xml, production 2.
  private static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D: true
    case 0..<0x20, 0xFFFE, 0xFFFF: false
    default: true
    }
  }

  // MARK: - Instructions, comments and CDATA

  private mutating func instruction() throws {
    let text = try string(bytes(until: "?>"))
    guard text.hasPrefix("?xml"), let range = text.range(of: "encoding") else { return }
    let encoding = text[range.upperBound...].lowercased()
    guard ["utf-8", "us-ascii"].contains(where: encoding.contains) else {
      throw damage("it is not in UTF-8")
    }
  }

  /// The text of a CDATA section; nil for comments and declarations.
  private mutating func declaration() throws -> String? {
    try skip()
    switch try source.peek() {
    case UInt8(ascii: "-"):
      try expect("--")
      _ = try bytes(until: "-->")
    case UInt8(ascii: "["):
      try expect("[CDATA[")
      return try string(bytes(until: "]]>"))
    default:
      let declaration = try bytes(until: ">")
      guard !declaration.contains(UInt8(ascii: "[")) else {
        throw damage("it declares entities or types of its own, which are refused")
      }
    }
    return nil
  }
}

/// The bytes of a file, read in pieces, or of data in memory.
private struct XMLBytes {
  private static let pieceSize = 1 << 16

  private let file: FileHandle?
  private var piece: [UInt8] = []
  private var place = 0
  private var earlier = 0

  init(_ url: URL) throws { file = try FileHandle(forReadingFrom: url) }

  init(_ data: Data) {
    file = nil
    piece = [UInt8](data)
  }

  var offset: Int { earlier + place }

  mutating func peek() throws -> UInt8? {
    if place == piece.count, try !refill() { return nil }
    return piece[place]
  }

  mutating func next() throws -> UInt8? {
    let byte = try peek()
    if byte != nil { place += 1 }
    return byte
  }

  private mutating func refill() throws -> Bool {
    guard let file else { return false }
    earlier += piece.count
    place = 0
    piece = [UInt8](try file.read(upToCount: Self.pieceSize) ?? Data())
    return !piece.isEmpty
  }
}
