extension StoreCatalog {
  /// Where the entities of a model are in this file, and what a connection that writes it needs.
  struct Schema {
    let mapping: SQLMapping
    let temporaryTriggers: [TemporaryTriggers]
  }

  /// Throws 134020 for a table or column that is missing.
  func schema(of layouts: [EntityLayout], url: URL?) throws -> Schema {
    let numbers = try numbers(of: layouts, url: url)
    let builder = try SQLSchemaBuilder(layouts: layouts, numbers: numbers)
    let expected = builder.mapping()
    for entity in expected.allEntities { try check(entity, url: url) }
    return Schema(
      mapping: SQLMapping(
        entities: expected.allEntities,
        joins: try expected.joins.mapValues { try found($0, url: url) },
        foreignKeys: try foundForeignKeys(expected, layouts, url: url)),
      temporaryTriggers: try builder.temporaryTriggers())
  }

  /// By ``EntityLayout/number``. A renamed entity may still be under its old name.
  private func numbers(of layouts: [EntityLayout], url: URL?) throws -> [Int: Int] {
    let byName = try entityNumbers()
    var numbers: [Int: Int] = [:]
    for layout in layouts {
      let names = [layout.entity.name, layout.entity.renamingIdentifier].compactMap { $0 }
      guard let number = names.lazy.compactMap({ byName[$0] }).first else {
        throw missing("Z_PRIMARYKEY has no entity “\(names.first ?? "")”", url: url)
      }
      numbers[layout.number] = number
    }
    return numbers
  }

  private func check(_ entity: EntityMapping, url: URL?) throws {
    let columns = try columns(of: entity.table)
    let needed = entity.columns.compactMap { $0 }.flatMap { column in
      [column.name, column.entityColumn, column.orderColumn].compactMap { $0 }
    }
    for name in ["Z_PK", "Z_ENT", "Z_OPT"] + needed where !columns.contains(name.uppercased()) {
      throw missing("The table \(entity.table) has no column \(name)", url: url)
    }
  }

  private func found(_ join: JoinMapping, url: URL?) throws -> JoinMapping {
    let columns = try columns(of: join.table)
    let needed = [join.ownerColumn, join.memberColumn] + (join.orderColumn.map { [$0] } ?? [])
    if needed.allSatisfy({ columns.contains($0.uppercased()) }) { return join }
    if let other = try joinTable(like: join) { return other }
    throw missing("There is no table \(join.table) (\(needed.joined(separator: ", ")))", url: url)
  }

  /// A column of a to-many relationship without an inverse, perhaps under an old number.
  private func foundForeignKeys(
    _ mapping: SQLMapping, _ layouts: [EntityLayout], url: URL?
  ) throws -> [ObjectIdentifier: ColumnMapping] {
    var found = mapping.foreignKeys
    for relationship in layouts.flatMap(\.toMany) {
      let key = ObjectIdentifier(relationship)
      guard let column = found[key], let destination = relationship.destinationEntity?.layout,
        let table = mapping[destination]?.table
      else { continue }
      let columns = try columns(of: table)
      guard let name = columns.first(where: { Self.leads($0, relationship, column.name) }) else {
        throw missing("The table \(table) has no column \(column.name)", url: url)
      }
      found[key]?.name = name
      if let order = column.orderColumn, !columns.contains(order) {
        found[key]?.orderColumn = "Z_FOK_\(name.dropFirst())"
      }
    }
    return found
  }

  private static func leads(
    _ column: String, _ relationship: NSRelationshipDescription, _ expected: String
  ) -> Bool {
    if column == expected.uppercased() { return true }
    let rest = column.dropFirst(column.hasPrefix("Z_") ? 2 : 1)
    let name = rest.drop { $0.isASCII && $0.isNumber }
    return column.hasPrefix("Z") && name.count < rest.count
      && name == relationship.name.uppercased()
  }

  private func missing(_ what: String, url: URL?) -> NSError {
    CoreDataError.make(
      .persistentStoreIncompatibleSchema,
      reason: "\(what) in the store at \(url?.path ?? "?"), though its model asks for it; open it "
        + "with the model that made it.",
      userInfo: url.map { [NSFilePathErrorKey: $0.path] } ?? [:])
  }
}
