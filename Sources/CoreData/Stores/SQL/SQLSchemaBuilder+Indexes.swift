extension SQLSchemaBuilder {
  /// Of foreign keys, of `Z_ENT`, of join tables, of the model's fetch indexes, of constraints.
  func indexes(of table: SQLSchema.Table, members: [Entity]) throws -> [String] {
    let quoted = SQLIdentifier.quoted
    let foreignKeys = members.flatMap { entity in
      entity.relationships.compactMap { columns[ObjectIdentifier($0)]?.name }
    }
    var indexes = foreignKeys.map { column in
      "CREATE INDEX \(quoted("\(table.name)_\(column)_INDEX")) ON \(quoted(table.name)) "
        + "(\(quoted(column)))"
    }
    if members.count > 1 {
      indexes.append(
        "CREATE INDEX \(quoted("\(table.name)_Z_ENT_INDEX")) ON \(quoted(table.name)) (Z_ENT)")
    }
    indexes += table.joins.map(\.index)
    for entity in members {
      indexes += try fetchIndexes(of: entity, table: table.name)
      indexes += uniqueIndexes(of: entity, table: table.name)
    }
    return indexes
  }

  private func fetchIndexes(of entity: Entity, table: String) throws -> [String] {
    try entity.description.indexes.map { index in
      let elements = try index.elements.map { try indexed($0, index, entity) }
      let name = SQLIdentifier.quoted("Z_\(entity.description.name ?? "")_\(index.name)")
      return "CREATE INDEX \(name) ON \(SQLIdentifier.quoted(table)) "
        + "(\(elements.joined(separator: ", ")))"
    }
  }

  private func indexed(
    _ element: NSFetchIndexElementDescription, _ index: NSFetchIndexDescription, _ entity: Entity
  ) throws -> String {
    guard element.collationType == .binary else {
      throw unsupported("The R-tree index “\(index.name)”", of: entity)
    }
    guard let name = element.propertyName, let column = column(named: name, of: entity) else {
      throw unsupported(
        "The index “\(index.name)” over “\(element.propertyName ?? "an expression")”", of: entity)
    }
    return "\(column) COLLATE BINARY \(element.isAscending ? "ASC" : "DESC")"
  }

  private func uniqueIndexes(of entity: Entity, table: String) -> [String] {
    entity.description.uniquenessConstraintNames.map { names in
      let columns = names.compactMap { column(named: $0, of: entity) }
      let name = "Z_\(entity.description.name ?? "")_UNIQUE_\(names.joined(separator: "_"))"
      let elements = columns.map { "\($0) COLLATE BINARY ASC" }.joined(separator: ", ")
      return "CREATE UNIQUE INDEX \(SQLIdentifier.quoted(name)) ON \(SQLIdentifier.quoted(table)) "
        + "(\(elements))"
    }
  }

  private func column(named name: String, of entity: Entity) -> String? {
    guard let property = entity.description.propertiesByName[name] else { return nil }
    return columns[ObjectIdentifier(property)].map { SQLIdentifier.quoted($0.name) }
  }
}

extension SQLSchemaBuilder {
  func unsupported(_ what: String, of entity: Entity) -> NSError {
    CoreDataError.unsupported(
      "\(what) of the entity “\(entity.description.name ?? "")” in a SQLite store")
  }

  /// Throws for what no column is known for.
  func checkSupported() throws {
    let types = Set(ColumnPass.all.flatMap(\.types))
    for entity in entities {
      for attribute in entity.attributes where !types.contains(attribute.attributeType) {
        throw unsupported(
          "The attribute “\(attribute.name)” of type \(attribute.attributeType)", of: entity)
      }
      for relationship in entity.relationships
      where relationship.isToMany && relationship.inverseRelationship == nil {
        throw unsupported(
          "The to-many relationship “\(relationship.name)”, which has no inverse,", of: entity)
      }
    }
  }
}
