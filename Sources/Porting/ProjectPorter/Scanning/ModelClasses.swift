import Foundation
import FoundationXML

/// The names of the classes of a model, which Xcode may write from it.
struct ModelClasses {
  private(set) var names: Set<String> = []
  /// Classes of which the model's properties are generated while the sources declare the class,
  /// each with its superclass.
  private(set) var extended: [String: String] = [:]
  /// To-many relationships whose properties are generated, sets of Foundation's.
  private(set) var toMany: Set<String> = []

  /// Reads all versions of a model. What cannot be read has no names.
  init(_ model: URL) {
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: model.path)) ?? []
    for folder in [model] + versions.map(model.appendingPathComponent) {
      let contents = folder.appendingPathComponent("contents")
      guard contents.isThere, let parser = XMLParser(contentsOf: contents) else { continue }
      let entities = Entities()
      parser.delegate = entities
      _ = parser.parse()
      names.formUnion(entities.classes.values)
      toMany.formUnion(entities.toMany)
      for (entity, parent) in entities.extended {
        guard let name = entities.classes[entity] else { continue }
        extended[name] = parent.flatMap { entities.classes[$0] } ?? "NSManagedObject"
      }
    }
    extended["NSManagedObject"] = nil
  }

  private final class Entities: NSObject, XMLParserDelegate {
    /// The classes of the entities.
    var classes: [String: String] = [:]
    /// The entities whose code is generated as a category, each with its parent.
    var extended: [String: String?] = [:]
    var toMany: Set<String> = []
    /// Whether code is generated for the entity that is being read.
    private var isGenerated = false

    func parser(
      _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      if element == "relationship", isGenerated, attributes["toMany"] == "YES" {
        toMany.formUnion(attributes["name"].map { [$0] } ?? [])
      }
      guard element == "entity", let entity = attributes["name"] else { return }
      isGenerated = ["class", "category"].contains(attributes["codeGenerationType"])
      // `.Book` is the class of the module that has the model.
      let name = attributes["representedClassName"] ?? entity
      classes[entity] = name.split(separator: ".").last.map(String.init)
      if attributes["codeGenerationType"] == "category" {
        extended[entity] = .some(attributes["parentEntity"])
      }
    }
  }
}
