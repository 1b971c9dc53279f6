import Foundation

/// Parses XML into elements.
package struct ModelElementParser {
  /// The greatest nesting: deeper than any model, shallow enough for the stack.
  private static let deepest = 64

  private let file: String
  private var scanner: XMLScanner
  private var root: ModelElement?
  private var open: [ModelElement] = []
  /// The text since the last tag; nil after an end tag.
  private var text: String?

  private init(data: Data, file: String) {
    self.file = file
    scanner = XMLScanner(data)
  }

  /// The root element of a document.
  /// - Throws: ``ModelFileError`` if the data is no XML or its elements are nested too deep.
  package static func root(of data: Data, file: String) throws -> ModelElement {
    var parser = ModelElementParser(data: data, file: file)
    do { return try parser.read() } catch let damage as FileDamage {
      throw parser.error("this is not a readable XML file: \(damage.text)")
    }
  }

  private mutating func read() throws -> ModelElement {
    while let token = try scanner.next() {
      switch token {
      case .start(let name, let attributes): try start(name, attributes: attributes)
      case .end(let name): try end(name)
      case .text(let piece): text? += piece
      }
    }
    guard let root, open.isEmpty else {
      throw FileDamage(
        text: open.last.map { "“\($0.name)” has no end" } ?? "it has no root element")
    }
    return root
  }

  private mutating func start(_ name: String, attributes: [String: String]) throws {
    let element = ModelElement(name: name, attributes: attributes, line: scanner.line)
    if let parent = open.last {
      parent.append(element)
    } else {
      guard root == nil else { throw FileDamage(text: "it has more than one root element") }
      root = element
    }
    open.append(element)
    text = ""
    guard open.count > Self.deepest else { return }
    throw error("elements are nested more than \(Self.deepest) deep")
  }

  private mutating func end(_ name: String) throws {
    guard let element = open.popLast(), element.name == name else {
      throw FileDamage(text: "“\(name)” ends where it did not begin")
    }
    if let text { element.content = text }
    text = nil
  }

  private func error(_ problem: String) -> ModelFileError {
    ModelFileError(file: file, line: scanner.line, problem: problem)
  }
}
