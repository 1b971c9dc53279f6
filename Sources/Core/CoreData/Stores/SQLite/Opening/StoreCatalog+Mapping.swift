import Synchronization

extension StoreCatalog {
  /// The mapping of a model's entities to this file's tables, and what a writing connection needs.
  final class Schema {
    let mapping: SQLMapping
    let temporaryTriggers: [TemporaryTriggers]
    let builder: SQLSchemaBuilder
    /// The columns of attributes that allow external storage.
    let externalColumns: [ExternalColumn]
    private let shared: PreparedRows?
    /// Whether a file with this schema was found to have all indexes of the model.
    let hasAllIndexes = Atomic(false)

    init(mapping: SQLMapping, temporaryTriggers: [TemporaryTriggers], builder: SQLSchemaBuilder) {
      self.mapping = mapping
      self.temporaryTriggers = temporaryTriggers
      self.builder = builder
      externalColumns = mapping.externalColumns
      shared = externalColumns.isEmpty && !mapping.hasTransformers ? PreparedRows() : nil
    }

    /// The prepared selections and codecs; new ones for each store that has external data or
    /// transformers.
    var prepared: PreparedRows { shared ?? PreparedRows() }
  }

  /// The schema for a model's entities. Throws 134020 for a missing table or column.
  func schema(of layouts: [EntityLayout], url: URL?) throws -> Schema {
    let numbers = try entityNumbers()
    return try KnownSchemas.schema(of: layouts, texts: texts, numbers: numbers) {
      try findSchema(of: layouts, numbers: self.numbers(numbers, of: layouts, url: url), url: url)
    }
  }

  private func findSchema(
    of layouts: [EntityLayout], numbers: [Int: Int], url: URL?
  ) throws -> Schema {
    let builder = try SQLSchemaBuilder(layouts: layouts, numbers: numbers)
    let expected = builder.mapping()
    for entity in expected.allEntities { try check(entity, url: url) }
    try checkNames(ofElementsIn: expected, url: url)
    return Schema(
      mapping: SQLMapping(
        entities: expected.allEntities,
        joins: try foundJoins(expected, layouts: layouts, url: url),
        foreignKeys: try foundForeignKeys(expected, layouts: layouts, url: url)),
      temporaryTriggers: try builder.temporaryTriggers(), builder: builder)
  }

  /// The file's entity numbers, by ``EntityLayout/number``. A renamed entity may still have its old
  /// name in the file.
  private func numbers(
    _ byName: [String: Int], of layouts: [EntityLayout], url: URL?
  ) throws -> [Int: Int] {
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

  private func foundJoins(
    _ mapping: SQLMapping, layouts: [EntityLayout], url: URL?
  ) throws -> [ObjectIdentifier: JoinMapping] {
    if mapping.joins.isEmpty { return [:] }
    let search = JoinTableSearch(
      layouts.flatMap(\.toMany), expected: mapping.joins, columns: try joinTables())
    return try search.joins { join in
      let columns = [join.ownerColumn, join.memberColumn] + (join.orderColumn.map { [$0] } ?? [])
      return missing(
        "There is no table \(join.table) (\(columns.joined(separator: ", ")))", url: url)
    }
  }

  /// The columns of to-many relationships without an inverse, which may have old numbers in their
  /// names.
  private func foundForeignKeys(
    _ mapping: SQLMapping, layouts: [EntityLayout], url: URL?
  ) throws -> [ObjectIdentifier: ColumnMapping] {
    var found = mapping.foreignKeys
    for relationship in layouts.flatMap(\.toMany) {
      let key = ObjectIdentifier(relationship)
      guard let column = mapping.foreignKeys[key],
        let destination = relationship.destinationEntity?.layout,
        let table = mapping[destination]?.table
      else { continue }
      let columns = try columns(of: table)
      let expected = NumberedColumn(column.name, of: relationship)
      guard let name = expected.nearest(in: columns)?.name else {
        throw missing("The table \(table) has no column \(column.name)", url: url)
      }
      found[key]?.name = name
      if let order = column.orderColumn, !columns.contains(order.uppercased()) {
        found[key]?.orderColumn = "Z_FOK_\(name.dropFirst())"
      }
    }
    return found
  }

  /// Checks the columns of composite attributes' elements against the model in the store. Version
  /// hashes omit the names of composite attributes, and the numbers of columns follow the order of
  /// these names: after a renaming, the columns of one composite could be read as those of a
  /// similar one. Throws 134020 in that case.
  private func checkNames(ofElementsIn mapping: SQLMapping, url: URL?) throws {
    guard mapping.allEntities.contains(where: { !$0.layout.composites.isEmpty }),
      let kept = try keptMapping(of: mapping.allEntities, url: url)
    else { return }
    for entity in mapping.allEntities {
      let former = kept.allEntities.first { $0.layout.entity.name == entity.layout.entity.name }
      for (slot, column) in zip(entity.layout.slots, entity.columns) {
        guard let former, let index = former.layout.slot(of: slot.name),
          let name = former.columns[index]?.name, let column, column.name != name
        else { continue }
        throw CoreDataError.make(
          .persistentStoreIncompatibleSchema,
          reason:
            "“\(slot.name)” of “\(entity.layout.entity.name ?? "")” is in the column \(name) of the "
            + "store at \(url?.path ?? "?"), where this model would look for it in \(column.name): a composite "
            + "attribute of the entity has got another name. Give it its former one.",
          userInfo: url.map { [NSFilePathErrorKey: $0.path] } ?? [:])
      }
    }
  }

  /// The mapping by the model in the store, if its elements of composite attributes differ from
  /// those of `entities`; nil if not, or if the store contains no model.
  private func keptMapping(of entities: [EntityMapping], url: URL?) throws -> SQLMapping? {
    // A model that cannot be read cannot be compared.
    guard let kept = try? ModelCache.model(in: connection, file: url?.path ?? ""),
      entities.contains(where: { entity in
        let former = kept.entitiesByName[entity.layout.entity.name ?? ""]
        return former.map { $0.elementPaths != entity.layout.entity.elementPaths } ?? false
      })
    else { return nil }
    let byName = try entityNumbers()
    let layouts = kept.entityLayouts()
    let numbers = layouts.compactMap { layout in
      byName[layout.entity.name ?? ""].map { (layout.number, $0) }
    }
    return try SQLSchemaBuilder(
      layouts: layouts, numbers: Dictionary(uniqueKeysWithValues: numbers)
    )
    .mapping()
  }

  private func missing(_ what: String, url: URL?) -> NSError {
    CoreDataError.make(
      .persistentStoreIncompatibleSchema,
      reason: "\(what) in the store at \(url?.path ?? "?"), though its model asks for it; open it "
        + "with the model that made it.",
      userInfo: url.map { [NSFilePathErrorKey: $0.path] } ?? [:])
  }
}

extension NSEntityDescription {
  fileprivate var elementPaths: Set<String> {
    Set(attributesByName.values.flatMap { $0.storedElements.map(\.key.path) })
  }
}
