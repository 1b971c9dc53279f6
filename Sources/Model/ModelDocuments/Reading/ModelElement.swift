/// An element of a model's `contents`.
package final class ModelElement {
  package let name: String
  package private(set) var attributes: [String: String]
  /// The line in the file; nil if the model was not read from text.
  let line: Int?
  package private(set) var children: [ModelElement]
  /// The text of an element without children.
  package internal(set) var content = ""

  package init(
    name: String, attributes: [String: String] = [:], line: Int? = nil,
    children: [ModelElement] = [], content: String = ""
  ) {
    self.name = name
    self.attributes = attributes
    self.line = line
    self.children = children
    self.content = content
  }

  /// The value of an attribute; nil if it is absent or empty.
  subscript(_ attribute: String) -> String? {
    attributes[attribute].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns true if an attribute has the value YES, TRUE or 1.
  func isYes(_ attribute: String) -> Bool {
    ["YES", "TRUE", "1"].contains((attributes[attribute] ?? "").uppercased())
  }

  func children(named name: String) -> [ModelElement] {
    children.filter { $0.name == name }
  }

  func append(_ child: ModelElement) {
    children.append(child)
  }

  /// Qualifies class names that begin with a dot: with the module that the entity names, or else
  /// with `module`, for which the model is compiled.
  package func resolveClassNames(module: String) {
    for entity in children(named: "entity") {
      guard let name = entity["representedClassName"] else { continue }
      if let custom = entity["customModuleName"], name.hasPrefix(".") || !name.contains(".") {
        entity.attributes["representedClassName"] = "\(custom).\(name.drop { $0 == "." })"
      } else if name.hasPrefix(".") {
        entity.attributes["representedClassName"] = module + name
      }
    }
  }
}
