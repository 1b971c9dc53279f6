extension ModelReader {
  static let deleteRules: [String: UInt] = [
    "No Action": 0, "Nullify": 1, "Cascade": 2, "Deny": 3,
  ]

  mutating func relationship(
    from element: ModelElement, entity: String
  ) throws -> ModelRelationship {
    guard let destination = element["destinationEntity"] else {
      throw error(
        element, entity: entity, property: try name(of: element),
        problem: "it has no destination entity")
    }
    return ModelRelationship(
      destination: destination, inverse: element["inverseName"],
      maxCount: count("maxCount", element: element, entity: entity)
        ?? (element.isYes("toMany") ? 0 : 1),
      minCount: count("minCount", element: element, entity: entity) ?? 0,
      isOrdered: element.isYes("ordered"),
      deleteRule: deleteRule(of: element, entity: entity))
  }

  private mutating func count(_ name: String, element: ModelElement, entity: String) -> Int? {
    guard let text = element[name] else { return nil }
    if let count = Int(text), count >= 0 { return count }
    warn(
      element, entity: entity, property: element["name"],
      problem: "\(name) “\(text)” is not a count; it is left out")
    return nil
  }

  private mutating func deleteRule(of element: ModelElement, entity: String) -> UInt {
    let text = element["deletionRule"] ?? "No Action"
    if let rule = Self.deleteRules[text] { return rule }
    warn(
      element, entity: entity, property: element["name"],
      problem: "“\(text)” is not a deletion rule; it is read as “No Action”")
    return 0
  }

  /// Checks names for existence. A missing destination is an error; an inverse that does not lead
  /// back gives a warning; indexes and constraints with unknown names are left out with a warning.
  mutating func checkReferences(in document: inout ModelDocument) throws {
    let entities = document.entitiesByName
    for index in document.entities.indices {
      let entity = document.entities[index]
      for property in entity.properties {
        guard let relationship = property.relationship else { continue }
        try check(relationship, property: property, of: entity, in: entities)
      }
      leaveOutUnknownNames(in: &document.entities[index], entities: entities)
    }
  }

  private mutating func check(
    _ relationship: ModelRelationship, property: ModelProperty, of entity: ModelEntity,
    in entities: [String: ModelEntity]
  ) throws {
    guard let destination = entities[relationship.destination] else {
      throw ModelFileError(
        file: file, line: property.line, entity: entity.name, property: property.name,
        problem: "its destination entity “\(relationship.destination)” does not exist")
    }
    guard let name = relationship.inverse else { return }
    let inverse = Self.property(name, of: destination, in: entities)?.relationship
    guard inverse?.inverse != property.name else { return }
    let found = inverse.map { "another inverse: “\($0.inverse ?? "none")”" }
    let problem =
      found.map { "its inverse “\(destination.name).\(name)” has \($0)" }
      ?? "the entity “\(destination.name)” has no relationship “\(name)” to be its inverse"
    warn(
      line: property.line, entity: entity.name, property: property.name,
      problem + "; it is kept as a relationship without an inverse")
  }

  /// A property of an entity, its own or an inherited one.
  private static func property(
    _ name: String, of entity: ModelEntity, in entities: [String: ModelEntity]
  ) -> ModelProperty? {
    var current: ModelEntity? = entity
    while let candidate = current {
      if let found = candidate.properties.first(where: { $0.name == name }) { return found }
      current = candidate.parentName.flatMap { entities[$0] }
    }
    return nil
  }

  private mutating func leaveOutUnknownNames(
    in entity: inout ModelEntity, entities: [String: ModelEntity]
  ) {
    let known = entity
    func exists(_ name: String) -> Bool { Self.property(name, of: known, in: entities) != nil }
    for names in entity.uniquenessConstraints {
      for name in names where !exists(name) {
        warn(
          line: entity.line, entity: entity.name,
          "a uniqueness constraint names “\(name)”, which is not a property; it is left out")
      }
    }
    entity.uniquenessConstraints.removeAll { !$0.allSatisfy(exists) }
    var missing: Set<String> = []
    for index in entity.indexes {
      for case .property(let name) in index.elements.map(\.subject) where !exists(name) {
        missing.insert(index.name)
        warn(
          line: index.line, entity: entity.name,
          "the index “\(index.name)” names “\(name)”, which is not a property; it is left out")
      }
    }
    entity.indexes.removeAll { missing.contains($0.name) }
  }
}
