// Triggers of derived attributes and of R-tree indexes.
extension SQLSchemaBuilder {
  /// The triggers that are stored in the file.
  func triggers(of table: SQLSchema.Table, members: [Entity]) throws -> [String] {
    try members.flatMap { entity in
      try derivedAttributes(of: entity).flatMap { try triggers(of: $0, entity, temporary: false) }
        + searchTrees(of: entity).flatMap(\.triggers)
    }
  }

  /// The triggers that each writing connection makes for itself, by attribute.
  func temporaryTriggers() throws -> [TemporaryTriggers] {
    try entities.flatMap { entity in
      try derivedAttributes(of: entity).compactMap { attribute in
        let triggers = try triggers(of: attribute, entity, temporary: true)
        guard !triggers.isEmpty else { return nil }
        return TemporaryTriggers(
          suffix: "_\(entity.description.name ?? "")_\(attribute.name)_", statements: triggers)
      }
    }
  }

  private func derivedAttributes(of entity: Entity) -> [NSDerivedAttributeDescription] {
    entity.attributes.compactMap { $0 as? NSDerivedAttributeDescription }
  }

  private func triggers(
    of attribute: NSDerivedAttributeDescription, _ entity: Entity, temporary: Bool
  ) throws -> [String] {
    let derivation = try Derivation(attribute, of: entity.description)
    guard derivation.needsOwnFunction == temporary,
      let column = columns[ObjectIdentifier(attribute)]?.name
    else { return [] }
    let kinds = kindNumbers(entity.description).sorted()
    let triggers = DerivedTriggers(
      table: SQLIdentifier.quoted(tableName(rootNumber: entity.rootNumber)),
      column: SQLIdentifier.quoted(column), entity: entity.description.name ?? "",
      attribute: attribute.name, kinds: entity.isRoot ? nil : kinds, areTemporary: temporary)
    return try statements(derivation, triggers: triggers, attribute: attribute, entity: entity)
  }

  private func statements(
    _ derivation: Derivation, triggers: DerivedTriggers,
    attribute: NSDerivedAttributeDescription, entity: Entity
  ) throws -> [String] {
    switch derivation {
    case .now: return triggers.now()
    case .count(let relationship):
      if let join = makeJoins().mappings[ObjectIdentifier(relationship)] {
        return triggers.count(join: join)
      }
      guard let key = foreignKey(of: relationship) else {
        throw elsewhere(attribute, entity: entity)
      }
      return triggers.count(members: key.table, foreignKey: key.column)
    case .sum(let relationship, let source):
      guard let members = table(of: relationship.destinationEntity),
        let column = column(of: source)
      else { throw elsewhere(attribute, entity: entity) }
      if let join = makeJoins().mappings[ObjectIdentifier(relationship)] {
        return triggers.sum(of: column, members: members, join: join)
      }
      guard let key = foreignKey(of: relationship) else {
        throw elsewhere(attribute, entity: entity)
      }
      return triggers.sum(of: column, members: key.table, foreignKey: key.column)
    case .value(let path, let source, let function):
      let value = FollowedValue(
        links: try links(path, source: source, attribute: attribute, entity: entity)
      ) { value in
        function.map { "\(SQLFunction.name(of: $0))(\(value))" } ?? value
      }
      return value.triggers(triggers)
    }
  }

  private func links(
    _ path: [NSRelationshipDescription], source: NSAttributeDescription,
    attribute: NSDerivedAttributeDescription, entity: Entity
  ) throws -> [FollowedValue.Link] {
    let tables = [entity.description] + path.map(\.destinationEntity)
    return try zip(tables, path + [source]).map { owner, property in
      guard let table = table(of: owner), let column = column(of: property) else {
        throw elsewhere(attribute, entity: entity)
      }
      return FollowedValue.Link(table: table, column: column)
    }
  }

  private func foreignKey(
    of relationship: NSRelationshipDescription
  ) -> (table: String, column: String)? {
    let own = foreignKeys[ObjectIdentifier(relationship)]?.name
    let inverse = relationship.storedInverse
    guard let column = own ?? inverse.flatMap({ columns[ObjectIdentifier($0)]?.name }),
      let table = table(of: inverse?.entity ?? relationship.destinationEntity)
    else { return nil }
    return (table, SQLIdentifier.quoted(column))
  }

  private func table(of entity: NSEntityDescription?) -> String? {
    guard let number = number(of: entity),
      let root = entities.first(where: { $0.number == number })?.rootNumber
    else { return nil }
    return SQLIdentifier.quoted(tableName(rootNumber: root))
  }

  private func column(of property: NSPropertyDescription) -> String? {
    columns[ObjectIdentifier(property)].map { SQLIdentifier.quoted($0.name) }
  }

  private func elsewhere(
    _ attribute: NSDerivedAttributeDescription, entity: Entity
  ) -> NSError {
    unsupported(
      "The derived attribute “\(attribute.name)”, which is made of what another store has,",
      of: entity)
  }
}

/// The temporary triggers of one attribute.
struct TemporaryTriggers {
  /// The part that the names of all triggers for this attribute have in common, in Apple's files
  /// too.
  let suffix: String
  let statements: [String]
}

extension Derivation {
  /// Whether the value's SQL calls a function that Apple's frameworks lack.
  fileprivate var needsOwnFunction: Bool {
    if case .value(_, _, .some) = self { true } else { false }
  }
}
