import Foundation

extension ModelDocument {
  /// The version hashes (32 bytes each) by entity name.
  package func versionHashes() -> [String: Data] {
    DocumentHashes(entities: entitiesByName).hashes()
  }
}

/// Computes the version hashes of a document's entities; each property is hashed once.
private struct DocumentHashes {
  private typealias PropertyHash = (name: String, hash: Data)

  private let entities: [String: ModelEntity]
  private var known: [String: (hash: Data, properties: [String: Data?])] = [:]

  init(entities: [String: ModelEntity]) {
    self.entities = entities
  }

  func hashes() -> [String: Data] {
    var work = self
    for entity in entities.values { _ = work.visit(entity) }
    return work.known.mapValues(\.hash)
  }

  /// The hash of an entity, and the hashes of its properties with inherited ones. The hash is nil
  /// for a property that is not stored, which still hides an inherited property of its name.
  private mutating func visit(_ entity: ModelEntity) -> (hash: Data, properties: [String: Data?]) {
    if let known = known[entity.name] { return known }
    let parent = entity.parentName.flatMap { entities[$0] }.map { visit($0) }
    var properties = parent?.properties ?? [:]
    for property in entity.properties {
      properties.updateValue(Self.hash(of: property, in: entity.name), forKey: property.name)
    }
    let hash = VersionHash.entity(
      name: entity.name, isAbstract: entity.isAbstract, superentity: parent?.hash,
      properties: properties.compactMap { name, hash in hash.map { (name, $0) } },
      uniquenessConstraints: entity.uniquenessConstraints, modifier: entity.versionHashModifier)
    known[entity.name] = (hash, properties)
    return (hash, properties)
  }

  private static func hash(of property: ModelProperty, in entity: String) -> Data? {
    property.isTransient ? nil : hashOfKind(property, in: entity)
  }

  /// The hash of a property, transient or not: elements of composites always count.
  private static func hashOfKind(_ property: ModelProperty, in entity: String) -> Data? {
    let base = VersionHash.Base(
      name: property.name, isOptional: property.isOptional,
      modifier: property.versionHashModifier)
    switch property.kind {
    case .fetched: return nil
    case .relationship(let relationship):
      return VersionHash.relationship(
        base, destination: relationship.destination, inverse: relationship.inverse,
        isOwnInverse: relationship.inverse == property.name && relationship.destination == entity,
        maxCount: relationship.maxCount, minCount: relationship.minCount,
        isOrdered: relationship.isOrdered)
    case .attribute(let attribute):
      if case .composite(_, let elements) = attribute.form {
        return VersionHash.composite(
          elements: elements.compactMap { element in
            hashOfKind(element, in: entity).map { (element.name, $0) }
          })
      }
      return VersionHash.attribute(
        base, type: attribute.type.number, isExternal: attribute.allowsExternalBinaryDataStorage,
        isPreservedOnDeletion: attribute.preservesValueInHistoryOnDeletion)
    }
  }
}
