import Foundation
import FoundationXML

/// The names of the classes of a model, which Xcode may write from it.
struct ModelClasses {
  private(set) var names: Set<String> = []

  /// Reads all versions of a model. What cannot be read has no names.
  init(_ model: URL) {
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: model.path)) ?? []
    for folder in [model] + versions.map(model.appendingPathComponent) {
      let contents = folder.appendingPathComponent("contents")
      guard contents.isThere, let parser = XMLParser(contentsOf: contents) else { continue }
      let entities = Entities()
      parser.delegate = entities
      _ = parser.parse()
      names.formUnion(entities.names)
    }
  }

  private final class Entities: NSObject, XMLParserDelegate {
    var names: Set<String> = []

    func parser(
      _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      guard element == "entity" else { return }
      // `.Book` is the class of the module that has the model.
      let name = attributes["representedClassName"] ?? attributes["name"] ?? ""
      names.formUnion(name.split(separator: ".").suffix(1).map(String.init))
    }
  }
}
