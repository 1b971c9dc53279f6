extension StoreCatalog {
  /// Where the entities of a model are in this file. Throws 134020 for a table or column that is missing.
  func mapping(of layouts: [EntityLayout], url: URL?) throws -> SQLMapping {
    let numbers = try numbers(of: layouts, url: url)
    let expected = try SQLSchemaBuilder(layouts: layouts, numbers: numbers).mapping()
    for entity in expected.allEntities { try check(entity, url: url) }
    return try expected.replacingJoins { try found($0, url: url) }
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

  private func missing(_ what: String, url: URL?) -> NSError {
    CoreDataError.make(
      .persistentStoreIncompatibleSchema,
      reason: "\(what) in the store at \(url?.path ?? "?"), though its model asks for it; open it "
        + "with the model that made it.",
      userInfo: url.map { [NSFilePathErrorKey: $0.path] } ?? [:])
  }
}

extension SQLMapping {
  fileprivate func replacingJoins(
    _ replace: (JoinMapping) throws -> JoinMapping
  ) rethrows -> SQLMapping {
    SQLMapping(entities: allEntities, joins: try joins.mapValues(replace))
  }
}
