import Foundation

/// Makes a model from the `contents` of an `.xcdatamodel`.
///
///     model         userDefinedModelVersionIdentifier
///       entity      name, representedClassName, parentEntity, isAbstract, elementID, versionHashModifier
///         attribute, relationship, fetchedProperty, fetchIndex, uniquenessConstraints,
///         compoundIndexes, userInfo
///       composite   name; attribute
///       fetchRequest, configuration/memberEntity
///       elements    the editor's layout, not read
struct ModelXMLReader {
  let file: String
  /// The module that a leading dot in a class name stands for.
  let moduleName: String?
  private(set) var composites: [String: ModelElement] = [:]

  /// Reads a whole document.
  static func model(
    from data: Data, file: String, moduleName: String?
  ) throws -> NSManagedObjectModel {
    let root = try ModelElementParser.root(of: data, file: file)
    var reader = ModelXMLReader(file: file, moduleName: moduleName)
    return try reader.model(from: root)
  }

  private init(file: String, moduleName: String?) {
    self.file = file
    self.moduleName = moduleName
  }

  private mutating func model(from root: ModelElement) throws -> NSManagedObjectModel {
    guard root.name == "model" else {
      throw error(root, "the root element is “\(root.name)”, expected “model”")
    }
    composites = try table(of: root.children(named: "composite"), kind: "composite")
    let model = NSManagedObjectModel()
    let elements = root.children(named: "entity")
    model.entities = try entities(from: elements)
    try checkReferences(in: model, elements: elements)
    if let identifier = root.attributes["userDefinedModelVersionIdentifier"] {
      model.versionIdentifiers = [identifier]
    }
    try addConfigurations(from: root, to: model)
    try addTemplates(from: root, to: model)
    return model
  }

  private func entities(from elements: [ModelElement]) throws -> [NSEntityDescription] {
    let byName = try table(of: elements, kind: "entity")
    var made: [String: NSEntityDescription] = [:]
    for element in elements { made[try name(of: element)] = try entity(from: element) }
    for element in elements { try checkAncestors(of: element, in: byName) }
    let ordered = elements.compactMap { made[$0["name"] ?? ""] }
    for (element, parent) in zip(elements, ordered) {
      let children = elements.filter { $0["parentEntity"] == element["name"] }
      parent.subentities = children.compactMap { made[$0["name"] ?? ""] }
    }
    return ordered
  }

  private func checkAncestors(
    of element: ModelElement, in elements: [String: ModelElement]
  ) throws {
    var seen: Set<String> = []
    var current = element
    while let parent = current["parentEntity"] {
      guard let next = elements[parent] else {
        throw error(
          current, entity: current["name"], "its parent entity “\(parent)” does not exist")
      }
      guard seen.insert(parent).inserted else {
        throw error(element, entity: element["name"], "it is its own ancestor")
      }
      current = next
    }
  }

  private func addConfigurations(from root: ModelElement, to model: NSManagedObjectModel) throws {
    for configuration in root.children(named: "configuration") {
      let names = try configuration.children(named: "memberEntity").map { try name(of: $0) }
      for name in names where model.entitiesByName[name] == nil {
        throw error(
          configuration,
          "configuration “\(configuration["name"] ?? "")” has no such entity: “\(name)”")
      }
      model.setEntityNames(names, forConfigurationName: try name(of: configuration))
    }
  }

  private func addTemplates(from root: ModelElement, to model: NSManagedObjectModel) throws {
    for element in root.children(named: "fetchRequest") {
      let request = try fetchRequest(from: element, entity: nil, property: nil)
      model.setFetchRequestTemplate(request, forName: try name(of: element))
    }
  }

  private func table(of elements: [ModelElement], kind: String) throws -> [String: ModelElement] {
    var table: [String: ModelElement] = [:]
    for element in elements {
      let name = try name(of: element)
      guard table.updateValue(element, forKey: name) == nil else {
        throw error(element, "there is more than one \(kind) named “\(name)”")
      }
    }
    return table
  }

  func name(of element: ModelElement) throws -> String {
    guard let name = element["name"] else {
      throw error(element, "“\(element.name)” has no name")
    }
    return name
  }

  func error(
    _ element: ModelElement, entity: String? = nil, property: String? = nil, _ problem: String
  ) -> ModelFileError {
    ModelFileError(
      file: file, line: element.line, entity: entity, property: property, problem: problem)
  }
}
