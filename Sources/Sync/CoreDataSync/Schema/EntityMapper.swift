import CoreData

/// Decides what sync does with the properties of an entity.
struct EntityMapper {
  let configuration: SyncConfiguration
  /// The names of the entities that the store holds.
  let held: Set<String>

  func isExcluded(_ entity: NSEntityDescription) -> Bool {
    !held.contains(entity.name ?? "")
      || flag(SyncConfiguration.Annotation.excluded, in: entity.userInfo) ?? false
      || names(of: entity).contains { configuration.excludedEntities.contains($0) }
  }

  func editWins(_ entity: ModelMap.Entity) -> Bool {
    flag(SyncConfiguration.Annotation.editWins, in: entity.description.userInfo) ?? false
      || names(of: entity.description).contains { configuration.editWins.contains($0) }
  }

  func map(_ entity: NSEntityDescription) -> ModelMap.Entity {
    var map = ModelMap.Entity(description: entity, name: name(of: entity))
    for (name, attribute) in entity.attributesByName where isSynced(attribute) {
      if isCounter(attribute, of: entity) {
        map.counters[name] = attribute
      } else {
        map.attributes[name] = attribute
        let value = AttributeCoding.value(attribute.defaultValue, of: attribute)
        map.defaults[name] = value.fingerprint
      }
    }
    for (name, relationship) in entity.relationshipsByName where isSynced(relationship) {
      if !relationship.isToMany {
        map.references[name] = reference(relationship, of: entity)
      } else if let inverse = relationship.inverseRelationship, !inverse.isToMany {
        if relationship.isOrdered { map.lists[name] = inverse.name }
      } else {
        map.sides[name] = side(relationship)
      }
    }
    map.lifelines = map.references.filter { $0.value.isRequired || $0.value.rule == .cascade }
      .keys.sorted()
    map.constraints = constraints(of: entity)
    map.identity = identity(of: entity).flatMap { map.attributes[$0] == nil ? nil : $0 }
    return map
  }

  // MARK: - Attributes

  private func isSynced(_ property: NSPropertyDescription) -> Bool {
    guard !property.isTransient, !(property is NSDerivedAttributeDescription),
      flag(SyncConfiguration.Annotation.excluded, in: property.userInfo) != true
    else { return false }
    if let relationship = property as? NSRelationshipDescription {
      return relationship.destinationEntity.map { !isExcluded($0) } ?? false
    }
    guard let attribute = property as? NSAttributeDescription else { return false }
    switch attribute.attributeType {
    case .undefinedAttributeType, .objectIDAttributeType: return false
    default: return true
    }
  }

  private func isCounter(_ attribute: NSAttributeDescription, of entity: NSEntityDescription)
    -> Bool
  {
    flag(SyncConfiguration.Annotation.counter, in: attribute.userInfo) ?? false
      || names(of: entity).contains {
        configuration.counters[$0]?.contains(attribute.name) ?? false
      }
  }

  private func identity(of entity: NSEntityDescription) -> String? {
    let named = lineage(of: entity).lazy.compactMap {
      $0.userInfo?[SyncConfiguration.Annotation.identity] as? String
    }.first
    return names(of: entity).lazy.compactMap { configuration.identities[$0] }.first ?? named
  }

  /// What the store keeps unique: an entity's own constraints, and those of every entity of its
  /// family whose attributes it has. Those with a relationship in them are left to the store.
  private func constraints(of entity: NSEntityDescription) -> [ModelMap.Constraint] {
    let lineage = lineage(of: entity)
    var found: [ModelMap.Constraint] = []
    for member in family(of: lineage.last ?? entity) {
      for group in member.uniquenessConstraints {
        let names = group.map { ($0 as? NSPropertyDescription)?.name ?? "\($0)" }
        func hasAll(_ entity: NSEntityDescription) -> Bool {
          names.allSatisfy { entity.attribute(at: PropertyPath($0)) != nil }
        }
        guard let owner = self.lineage(of: member).last(where: hasAll), lineage.contains(owner)
        else { continue }
        let constraint = ModelMap.Constraint(
          owner: owner.name ?? "", properties: names,
          isShared: family(of: owner).filter { !$0.isAbstract }.count > 1)
        if !found.contains(constraint) { found.append(constraint) }
      }
    }
    return found
  }

  /// An entity and all that inherit from it.
  private func family(of entity: NSEntityDescription) -> [NSEntityDescription] {
    [entity] + entity.subentities.flatMap { family(of: $0) }
  }

  // MARK: - Relationships

  private func reference(
    _ relationship: NSRelationshipDescription, of entity: NSEntityDescription
  ) -> SyncSchema.Reference {
    let inverse = relationship.inverseRelationship
    let rule: SyncSchema.Reference.DeleteRule =
      switch inverse?.deleteRule {
      case .cascadeDeleteRule: .cascade
      case .denyDeleteRule: .deny
      default: .nullify
      }
    return SyncSchema.Reference(
      target: relationship.destinationEntity.map(name) ?? "", isRequired: !relationship.isOptional,
      rule: rule, inverse: inverse.flatMap { $0.isToMany ? nil : $0.name },
      list: inverse.flatMap { $0.isToMany && $0.isOrdered ? $0.name : nil },
      isAcyclic: isAcyclic(relationship, of: entity, rule: rule))
  }

  private func isAcyclic(
    _ relationship: NSRelationshipDescription, of entity: NSEntityDescription,
    rule: SyncSchema.Reference.DeleteRule
  ) -> Bool {
    let names = names(of: entity)
    guard let target = relationship.destinationEntity?.name, names.contains(target) else {
      return false
    }
    if let said = flag(SyncConfiguration.Annotation.acyclic, in: relationship.userInfo) {
      return said
    }
    return rule == .cascade
      || names.contains { configuration.acyclic[$0]?.contains(relationship.name) ?? false }
  }

  private func side(_ relationship: NSRelationshipDescription) -> ModelMap.Side {
    let name = fullName(relationship)
    guard let inverse = relationship.inverseRelationship else {
      return ModelMap.Side(relationship: name, isFirst: true, isSymmetric: false)
    }
    let other = fullName(inverse)
    return ModelMap.Side(
      relationship: min(name, other), isFirst: name <= other, isSymmetric: name == other)
  }

  /// The relationship with the entity that declares it, whichever inherits it.
  private func fullName(_ relationship: NSRelationshipDescription) -> String {
    var entity = relationship.entity
    while let parent = entity.superentity, parent.relationshipsByName[relationship.name] != nil {
      entity = parent
    }
    return "\(name(of: entity)).\(relationship.name)"
  }

  // MARK: - Annotations

  /// What an entity is called on the server.
  private func name(of entity: NSEntityDescription) -> String {
    let name = entity.name ?? ""
    let said = entity.userInfo?[SyncConfiguration.Annotation.name] as? String
    return configuration.names[name] ?? said ?? name
  }

  private func lineage(of entity: NSEntityDescription) -> [NSEntityDescription] {
    Array(sequence(first: entity, next: \.superentity))
  }

  private func names(of entity: NSEntityDescription) -> [String] {
    lineage(of: entity).compactMap(\.name)
  }

  private func flag(_ key: String, in userInfo: [AnyHashable: Any]?) -> Bool? {
    switch userInfo?[key] {
    case let flag as Bool: flag
    case let text as String: ["yes", "true", "1"].contains(text.lowercased())
    case let number as NSNumber: number.boolValue
    default: nil
    }
  }
}

extension NSEntityDescription {
  /// The attribute that a path leads to, or the element of a composite attribute.
  func attribute(at path: PropertyPath) -> NSAttributeDescription? {
    path.elements.reduce(attributesByName[path.property]) { attribute, name in
      (attribute as? NSCompositeAttributeDescription)?.elements.first { $0.name == name }
    }
  }
}
