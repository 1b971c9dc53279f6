import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reads XML into elements.
package final class ModelElementParser: NSObject, XMLParserDelegate {
  /// Deeper than any model, shallow enough for the stack.
  private static let deepest = 64

  private let file: String
  private var open: [ModelElement] = []
  private var root: ModelElement?
  private var problem: ModelFileError?

  private init(file: String) {
    self.file = file
  }

  /// The root element of a document.
  package static func root(of data: Data, file: String) throws -> ModelElement {
    let reader = ModelElementParser(file: file)
    let parser = XMLParser(data: data)
    parser.shouldResolveExternalEntities = false
    parser.delegate = reader
    let isRead = parser.parse()
    if let problem = reader.problem { throw problem }
    guard isRead, reader.open.isEmpty, let root = reader.root else {
      let reason = parser.parserError?.localizedDescription ?? "it has no root element"
      throw ModelFileError(
        file: file, line: parser.lineNumber, problem: "this is not a readable XML file: \(reason)")
    }
    return root
  }

  package func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    let element = ModelElement(name: elementName, attributes: attributes, line: parser.lineNumber)
    if open.isEmpty { root = element }
    open.last?.append(element)
    open.append(element)
    guard open.count > Self.deepest else { return }
    problem = ModelFileError(
      file: file, line: parser.lineNumber,
      problem: "elements are nested more than \(Self.deepest) deep")
    parser.abortParsing()
  }

  /// Linux's parser answers true from `parse` also after it reported an error here.
  package func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
    guard problem == nil else { return }
    problem = ModelFileError(
      file: file, line: parser.lineNumber,
      problem: "this is not a readable XML file: \(parseError.localizedDescription)")
  }

  package func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
    qualifiedName: String?
  ) {
    _ = open.popLast()
  }
}
