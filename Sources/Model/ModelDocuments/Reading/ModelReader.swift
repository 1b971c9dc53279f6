import Foundation

/// Reads the `contents` of an `.xcdatamodel` into a document.
///
///     model         userDefinedModelVersionIdentifier
///       entity      name, representedClassName, parentEntity, isAbstract, elementID,
///                   versionHashModifier
///         attribute, relationship, fetchedProperty, fetchIndex, uniquenessConstraints,
///         compoundIndexes, userInfo
///       composite   name; attribute
///       fetchRequest, configuration/memberEntity
///       elements    the editor's layout, not read
///
/// Faults that Apple's tools tolerate become warnings of the document, with the reading chosen
/// here.
struct ModelReader {
  let file: String
  let composites: [String: ModelElement]
  private(set) var warnings: [ModelFileError] = []
  private let root: ModelElement

  init(root: ModelElement, file: String) throws {
    self.root = root
    self.file = file
    guard root.name == "model" else {
      throw ModelFileError(
        file: file, line: root.line,
        problem: "the root element is “\(root.name)”, expected “model”")
    }
    composites = try Self.table(of: root.children(named: "composite"), file: file)
  }

  mutating func document() throws -> ModelDocument {
    var document = ModelDocument(file: file)
    document.versionIdentifier = root.attributes["userDefinedModelVersionIdentifier"]
    let elements = root.children(named: "entity")
    let byName = try Self.table(of: elements, file: file)
    for element in elements { try checkAncestors(of: element, in: byName) }
    document.entities = try elements.map { try entity(from: $0) }
    try checkReferences(in: &document)
    document.configurations = try configurations(entities: byName)
    document.fetchRequests = try root.children(named: "fetchRequest").map {
      try fetchRequest(from: $0, entity: nil, property: nil)
    }
    warnAboutUnknownWords(in: root)
    document.warnings = warnings
    return document
  }

  private func checkAncestors(
    of element: ModelElement, in elements: [String: ModelElement]
  ) throws {
    var seen: Set<String> = []
    var current = element
    while let parent = current["parentEntity"] {
      guard let next = elements[parent] else {
        throw error(
          current, entity: current["name"], problem: "its parent entity “\(parent)” does not exist")
      }
      guard seen.insert(parent).inserted else {
        throw error(element, entity: element["name"], problem: "it is its own ancestor")
      }
      current = next
    }
  }

  private mutating func configurations(
    entities: [String: ModelElement]
  ) throws -> [ModelConfiguration] {
    try root.children(named: "configuration").map { element in
      let name = try self.name(of: element)
      let members = try element.children(named: "memberEntity").map { try self.name(of: $0) }
      for member in members where entities[member] == nil {
        warn(
          element,
          problem: "configuration “\(name)” has no such entity: “\(member)”; it is left out")
      }
      return ModelConfiguration(
        name: name, entityNames: members.filter { entities[$0] != nil })
    }
  }

  private static func table(
    of elements: [ModelElement], file: String
  ) throws -> [String: ModelElement] {
    var table: [String: ModelElement] = [:]
    for element in elements {
      let name = try name(of: element, file: file)
      guard table.updateValue(element, forKey: name) == nil else {
        throw ModelFileError(
          file: file, line: element.line,
          problem: "there is more than one \(element.name) named “\(name)”")
      }
    }
    return table
  }

  func name(of element: ModelElement) throws -> String {
    try Self.name(of: element, file: file)
  }

  private static func name(of element: ModelElement, file: String) throws -> String {
    guard let name = element["name"] else {
      throw ModelFileError(
        file: file, line: element.line, problem: "“\(element.name)” has no name")
    }
    return name
  }

  func error(
    _ element: ModelElement, entity: String? = nil, property: String? = nil, problem: String
  ) -> ModelFileError {
    ModelFileError(
      file: file, line: element.line, entity: entity, property: property, problem: problem)
  }

  mutating func warn(
    _ element: ModelElement, entity: String? = nil, property: String? = nil, problem: String
  ) {
    warn(line: element.line, entity: entity, property: property, problem)
  }

  mutating func warn(
    line: Int?, entity: String?, property: String? = nil, _ problem: String
  ) {
    warnings.append(
      ModelFileError(
        file: file, line: line, entity: entity, property: property, problem: problem))
  }
}

extension ModelDocument {
  /// Reads the root element of a model file.
  package init(root: ModelElement, file: String) throws {
    var reader = try ModelReader(root: root, file: file)
    self = try reader.document()
  }

  /// Reads a model file. Class names that begin with a dot are completed with `moduleName`, if
  /// given.
  package init(data: Data, file: String, moduleName: String? = nil) throws {
    let root = try ModelElement.root(of: data, file: file)
    if let moduleName { root.resolveClassNames(module: moduleName) }
    try self.init(root: root, file: file)
  }
}
