import Foundation

/// The parts of a model that mapping models need: names, destinations and version hashes.
package struct ModelShape: Sendable {
  package struct Entity: Sendable {
    package let parentName: String?
    package let versionHash: Data
    /// The attributes, inherited ones included.
    package let attributes: Set<String>
    /// The names of destination entities by relationship, inherited ones included.
    package let relationships: [String: String]

    package init(
      parentName: String?, versionHash: Data, attributes: Set<String>,
      relationships: [String: String]
    ) {
      self.parentName = parentName
      self.versionHash = versionHash
      self.attributes = attributes
      self.relationships = relationships
    }
  }

  package let entities: [String: Entity]

  package init(entities: [String: Entity]) {
    self.entities = entities
  }

  package init(of document: ModelDocument) {
    let table = document.entitiesByName
    let hashes = document.versionHashes()
    entities = table.mapValues { entity in
      var properties: [ModelProperty] = []
      var current: ModelEntity? = entity
      while let next = current {
        properties += next.properties
        current = next.parentName.flatMap { table[$0] }
      }
      return Entity(
        parentName: entity.parentName, versionHash: hashes[entity.name] ?? Data(),
        attributes: Set(properties.filter { $0.attribute != nil }.map(\.name)),
        relationships: Dictionary(
          properties.compactMap { property in
            property.relationship.map { (property.name, $0.destination) }
          }, uniquingKeysWith: { first, _ in first }))
    }
  }

  /// Returns true if the entity is `ancestor` or inherits from it.
  func isKind(_ name: String, of ancestor: String) -> Bool {
    var current: String? = name
    while let candidate = current {
      if candidate == ancestor { return true }
      current = entities[candidate]?.parentName
    }
    return false
  }
}
