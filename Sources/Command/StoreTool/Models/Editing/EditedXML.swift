import CoreData
import ModelDocuments

/// An XML file that is edited in place: what an edit does not touch keeps its bytes, comments and
/// spaces included.
///
/// Elements are numbered in the order of their start tags; 0 is the root. Each edit reads the file
/// again, so numbers are valid until the next edit.
struct EditedXML {
  struct Element {
    let name: String
    let attributes: [String: String]
    /// The bytes of the start tag, or of the whole element if it has no end tag.
    let tag: Range<Int>
    /// The bytes of the end tag; nil for `<name/>`.
    fileprivate(set) var end: Range<Int>?
    let parent: Int?
    fileprivate(set) var children: [Int] = []

    var range: Range<Int> { tag.lowerBound..<(end ?? tag).upperBound }
  }

  private static let unit = "    "

  private(set) var bytes: [UInt8]
  private(set) var elements: [Element]

  var data: Data { Data(bytes) }

  /// - Throws: `FileDamage` if the data is no XML.
  init(_ data: Data) throws {
    bytes = [UInt8](data)
    elements = try Self.elements(of: bytes)
  }

  private static func elements(of bytes: [UInt8]) throws -> [Element] {
    var scanner = XMLScanner(Data(bytes))
    var (found, open): ([Element], [Int]) = ([], [])
    while let token = try scanner.next() {
      // Values have no “<” in them, so the last one before the end of a tag is its start.
      let end = scanner.offset
      let start = bytes[..<end].lastIndex(of: UInt8(ascii: "<")) ?? 0
      switch token {
      case .start(let name, let attributes):
        if let parent = open.last { found[parent].children.append(found.count) }
        open.append(found.count)
        found.append(
          Element(
            name: name, attributes: attributes, tag: start..<end, parent: open.dropLast().last))
      case .end:
        guard let element = open.popLast() else { throw FileDamage(text: "a tag ends twice") }
        if found[element].tag.upperBound != end { found[element].end = start..<end }
      case .text: break
      }
    }
    guard !found.isEmpty, open.isEmpty else {
      throw FileDamage(text: "it has no root element, or an element has no end")
    }
    return found
  }

  private mutating func replace(_ range: Range<Int>, with text: String) throws {
    bytes.replaceSubrange(range, with: Array(text.utf8))
    elements = try Self.elements(of: bytes)
  }

  // MARK: - Finding

  func children(of element: Int, named name: String) -> [Int] {
    elements[element].children.filter { elements[$0].name == name }
  }

  // MARK: - Attributes

  /// Sets an attribute, or removes it for nil. A new one goes to the place that Xcode gives it.
  mutating func set(_ key: String, to value: String?, of element: Int) throws {
    let parts = parts(of: elements[element].tag)
    if let part = parts.first(where: { $0.key == key }) {
      guard let value else { return try replace(part.whole, with: "") }
      return try replace(part.value, with: ModelElement.escaped(value))
    }
    guard let value else { return }
    let place = ModelElement.place(of: key)
    let before = parts.last { ModelElement.place(of: $0.key) <= place }
    let end = before?.whole.upperBound ?? nameEnd(of: elements[element])
    try replace(end..<end, with: " \(key)=\"\(ModelElement.escaped(value))\"")
  }

  private struct Part {
    let key: String
    /// The bytes of the attribute and of the space before it.
    let whole: Range<Int>
    /// The bytes between the quotes.
    let value: Range<Int>
  }

  private func nameEnd(of element: Element) -> Int {
    element.tag.lowerBound + 1 + element.name.utf8.count
  }

  /// The attributes of a start tag, which the scanner has found to be well-formed.
  private func parts(of tag: Range<Int>) -> [Part] {
    var (parts, place): ([Part], Int) = ([], tag.lowerBound)
    func skip(while condition: (UInt8) -> Bool) {
      while place < tag.upperBound, condition(bytes[place]) { place += 1 }
    }
    let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    let endsName: (UInt8) -> Bool = { isSpace($0) || $0 == UInt8(ascii: "=") }
    skip { !isSpace($0) && $0 != UInt8(ascii: ">") }
    while true {
      let start = place
      skip(while: isSpace)
      let key = place
      skip { !endsName($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") }
      guard key < place else { return parts }
      let name = String(decoding: bytes[key..<place], as: UTF8.self)
      skip(while: endsName)
      let quote = bytes[place]
      place += 1
      let value = place
      skip { $0 != quote }
      place += 1
      parts.append(Part(key: name, whole: start..<place, value: value..<(place - 1)))
    }
  }

  // MARK: - Elements

  /// Inserts an element after a child of the same parent, or as the first child for nil.
  mutating func insert(_ new: ModelElement, in parent: Int, after sibling: Int?) throws {
    let element = elements[parent]
    if let sibling {
      let space = indentation(of: elements[sibling])
      let end = elements[sibling].range.upperBound
      return try replace(end..<end, with: "\n" + Self.lines(new, indentation: space))
    }
    let outer = indentation(of: element)
    let space =
      element.children.first.map { indentation(of: elements[$0]) } ?? outer + Self.unit
    let text = "\n" + Self.lines(new, indentation: space)
    guard element.end == nil else {
      return try replace(element.tag.upperBound..<element.tag.upperBound, with: text)
    }
    let slash = bytes[element.tag].lastIndex(of: UInt8(ascii: "/")) ?? element.tag.upperBound - 2
    try replace(
      slash..<element.tag.upperBound, with: ">" + text + "\n" + outer + "</\(element.name)>")
  }

  /// Removes an element with the line that it is on.
  mutating func remove(_ element: Int) throws {
    let removed = elements[element]
    let space = indentation(of: removed).utf8.count
    var start = removed.range.lowerBound - space
    if start > 0, bytes[start - 1] == 0x0A { start -= 1 }
    if start > 0, bytes[start] == 0x0A, bytes[start - 1] == 0x0D { start -= 1 }
    let parent = removed.parent
    try replace(start..<removed.range.upperBound, with: "")
    guard let parent, elements[parent].children.isEmpty, let end = elements[parent].end else {
      return
    }
    // What has no content any more is written as Xcode writes it.
    let content = elements[parent].tag.upperBound..<end.lowerBound
    guard bytes[content].allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) else { return }
    try replace(elements[parent].tag.upperBound - 1..<end.upperBound, with: "/>")
  }

  private static func lines(_ element: ModelElement, indentation: String) -> String {
    element.lines.split(separator: "\n").map { indentation + $0 }.joined(separator: "\n")
  }

  /// The space before an element that begins its line; else nothing.
  private func indentation(of element: Element) -> String {
    let line = bytes[..<element.range.lowerBound].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let space = bytes[line..<element.range.lowerBound]
    guard space.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return "" }
    return String(decoding: space, as: UTF8.self)
  }
}
