import CoreData

/// The description of a model, a value that can also be encoded as JSON.
package struct ModelReport: Codable, Sendable {
  package struct Attribute: Codable, Sendable {
    package let name: String
    package let type: String
    package let isOptional: Bool
    package let isTransient: Bool
    package let isExternal: Bool
    package let defaultValue: String?
    package let derivation: String?
  }

  package struct Relationship: Codable, Sendable {
    package let name: String
    package let destination: String
    package let inverse: String?
    package let isToMany: Bool
    package let isOrdered: Bool
    package let isOptional: Bool
    package let deleteRule: String
  }

  package struct Entity: Codable, Sendable {
    package let name: String
    package let className: String
    package let parent: String?
    package let isAbstract: Bool
    package let hash: String
    /// The entity's own properties, without inherited ones.
    package let attributes: [Attribute]
    package let relationships: [Relationship]
    package let fetchedProperties: [String]
    package let indexes: [String]
    package let uniquenessConstraints: [[String]]
  }

  package let version: String
  package let isCurrent: Bool
  package let identifiers: [String]
  package let checksum: String
  package let entities: [Entity]
  package let configurations: [String]
  package let fetchRequests: [String]

  package init(_ version: ModelSource.Version) {
    let model = version.model
    self.version = version.name
    isCurrent = version.isCurrent
    identifiers = model.versionIdentifiers.map { "\($0.base)" }.filter { !$0.isEmpty }.sorted()
    checksum = model.versionChecksum
    entities = model.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }.map(Entity.init)
    configurations = model.configurations.sorted()
    fetchRequests = model.fetchRequestTemplatesByName.keys.sorted()
  }
}

extension ModelReport.Entity {
  init(_ entity: NSEntityDescription) {
    let inherited = Set((entity.superentity?.properties ?? []).map(\.name))
    let own = entity.properties.filter { !inherited.contains($0.name) }.sorted { $0.name < $1.name }
    name = entity.name ?? ""
    className = entity.managedObjectClassName ?? ""
    parent = entity.superentity?.name
    isAbstract = entity.isAbstract
    hash = entity.versionHash.map { String(format: "%02x", $0) }.joined()
    attributes = own.compactMap { ($0 as? NSAttributeDescription).map(ModelReport.Attribute.init) }
    relationships = own.compactMap {
      ($0 as? NSRelationshipDescription).map(ModelReport.Relationship.init)
    }
    fetchedProperties = own.filter { $0 is NSFetchedPropertyDescription }.map(\.name)
    indexes = entity.indexes.map { index in
      "\(index.name) (\(index.elements.map { $0.propertyName ?? "expression" }.joined(separator: ", ")))"
    }
    uniquenessConstraints = entity.uniquenessConstraints.map { $0.map { "\($0)" } }
  }
}

extension ModelReport.Attribute {
  init(_ attribute: NSAttributeDescription) {
    let typeName = String("\(attribute.attributeType)".dropLast("AttributeType".count))
    name = attribute.name
    let elements = (attribute as? NSCompositeAttributeDescription)?.elements.map(\.name)
    type = elements.map { "composite (\($0.joined(separator: ", ")))" } ?? typeName
    isOptional = attribute.isOptional
    isTransient = attribute.isTransient
    isExternal = attribute.allowsExternalBinaryDataStorage
    defaultValue = attribute.defaultValue.map { CellText.text(of: $0, attribute) }
    derivation = (attribute as? NSDerivedAttributeDescription)?.derivationExpression.map { "\($0)" }
  }

  var text: String {
    var words = [type]
    if !isOptional { words.append("mandatory") }
    if isTransient { words.append("transient") }
    if isExternal { words.append("in files") }
    if let defaultValue { words.append("default \(defaultValue)") }
    if let derivation { words.append("= \(derivation)") }
    return words.joined(separator: ", ")
  }
}

extension ModelReport.Relationship {
  private static let rules: [NSDeleteRule: String] = [
    .noActionDeleteRule: "no action", .nullifyDeleteRule: "nullify", .cascadeDeleteRule: "cascade",
    .denyDeleteRule: "deny",
  ]

  init(_ relationship: NSRelationshipDescription) {
    name = relationship.name
    destination = relationship.destinationEntity?.name ?? ""
    inverse = relationship.inverseRelationship?.name
    isToMany = relationship.isToMany
    isOrdered = relationship.isOrdered
    isOptional = relationship.isOptional
    deleteRule = Self.rules[relationship.deleteRule] ?? ""
  }

  var text: String {
    var words = ["\(isToMany ? isOrdered ? "ordered →→" : "→→" : "→") \(destination)"]
    if let inverse { words.append("inverse \(inverse)") }
    if !isOptional { words.append("mandatory") }
    words.append(deleteRule)
    return words.joined(separator: ", ")
  }
}

extension ModelReport {
  /// The report as text.
  package func text(_ terminal: Terminal = .standardOutput) -> String {
    let current = isCurrent ? ", current" : ""
    var lines = [terminal.styled("\(version)\(current)", style: .bold), "  checksum \(checksum)"]
    if !identifiers.isEmpty { lines.append("  identifiers \(identifiers.joined(separator: ", "))") }
    for entity in entities { lines += [""] + Self.lines(of: entity, terminal) }
    if !fetchRequests.isEmpty {
      lines += ["", "Fetch requests: \(fetchRequests.joined(separator: ", "))"]
    }
    if !configurations.isEmpty {
      lines += ["", "Configurations: \(configurations.joined(separator: ", "))"]
    }
    return lines.map { CellText.visible($0) }.joined(separator: "\n")
  }

  private static func lines(of entity: Entity, _ terminal: Terminal) -> [String] {
    let parent = entity.parent.map { ": \($0)" } ?? ""
    let name =
      entity.className == "NSManagedObject" || entity.className == entity.name
      ? "" : " (\(entity.className))"
    var lines = ["\(entity.isAbstract ? "abstract " : "")\(entity.name)\(parent)\(name)"]
    let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
    let width = names.map(\.count).max() ?? 0
    func line(_ name: String, _ text: String) -> String {
      "  \(name.padding(toLength: width, withPad: " ", startingAt: 0))  \(text)"
    }
    lines += entity.attributes.map { line($0.name, $0.text) }
    lines += entity.relationships.map { line($0.name, $0.text) }
    lines += entity.fetchedProperties.map { line($0, "fetched") }
    lines += entity.indexes.map { "  index \($0)" }
    lines += entity.uniquenessConstraints.map { "  unique \($0.joined(separator: ", "))" }
    return lines
  }
}
