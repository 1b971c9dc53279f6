extension SQLSchemaBuilder {
  /// The indexes of a table: on foreign keys, `Z_ENT` and join tables, the model's fetch indexes
  /// (by entity number), and its uniqueness constraints.
  func indexes(
    of table: SQLSchema.Table, members: [Entity], declared: [Int: [FetchIndex]]
  ) throws -> [String] {
    let quoted = SQLIdentifier.quoted
    let foreignKeys = members.flatMap { entity in
      entity.relationships.compactMap { columns[ObjectIdentifier($0)]?.name }
    }
    var indexes = foreignKeys.map { column in
      "CREATE INDEX \(quoted("\(table.name)_\(column)_INDEX")) ON \(quoted(table.name)) "
        + "(\(quoted(column)))"
    }
    indexes += ownForeignKeys(of: table.name).map { column in
      "CREATE INDEX \(quoted("\(table.name)_\(column)_INDEX")) ON \(quoted(table.name)) "
        + "(\(quoted(column)))"
    }
    if members.count > 1 {
      indexes.append(
        "CREATE INDEX \(quoted("\(table.name)_Z_ENT_INDEX")) ON \(quoted(table.name)) (Z_ENT)")
    }
    indexes += table.joins.map(\.index)
    for entity in members {
      indexes += (declared[entity.number] ?? []).map(\.creation)
      var known: Set<String> = []
      indexes += try uniqueIndexes(of: entity, table: table.name)
        .filter { known.insert($0).inserted }
    }
    return indexes
  }

  /// The fetch indexes that the model declares. Of several with one name Apple's files have the
  /// first: Xcode's compiler has described an indexed attribute twice. SQLite's names have no case.
  func fetchIndexes() throws -> [FetchIndex] {
    var names: Set<String> = []
    return try entities.filter { !$0.description.indexes.isEmpty }.flatMap { entity in
      try fetchIndexes(of: entity, table: tableName(rootNumber: entity.rootNumber))
    }.filter { names.insert($0.name.lowercased()).inserted }
  }

  private func fetchIndexes(of entity: Entity, table: String) throws -> [FetchIndex] {
    try entity.description.indexes.compactMap { index in
      let suffix = "\(entity.description.name ?? "")_\(index.name)"
      if let tree = try searchTree(index, of: entity) {
        return FetchIndex(
          entityNumber: entity.number, name: "Z_RT_\(suffix)", creation: tree.creation, tree: tree)
      }
      guard let elements = try elements(of: index, entity) else { return nil }
      let name = "Z_\(suffix)"
      let creation =
        "CREATE INDEX \(SQLIdentifier.quoted(name)) ON \(SQLIdentifier.quoted(table)) "
        + "(\(elements.joined(separator: ", ")))\(condition(of: index, entity))"
      return FetchIndex(
        entityNumber: entity.number, name: name, creation: creation, tree: nil)
    }
  }

  /// The columns of an index with their order; nil for an index without SQL. An index over an
  /// expression would need a function that Apple's frameworks lack, and without which they could
  /// not write the table; that over the key path `entity` is one of `Z_ENT` in Apple's files. For a
  /// property without a column, such as a to-many relationship, these have no index either.
  private func elements(of index: NSFetchIndexDescription, _ entity: Entity) throws -> [String]? {
    var elements: [String] = []
    for element in index.elements {
      guard let name = element.columnName else { return nil }
      guard let column = column(named: name, of: entity) ?? element.column(ofKey: name) else {
        if element.isComputed || entity.description.propertiesByName[name] != nil { return nil }
        throw unsupported("The index “\(index.name)” over “\(name)”", of: entity)
      }
      elements.append("\(column) COLLATE BINARY \(element.isAscending ? "ASC" : "DESC")")
    }
    return elements
  }

  // MARK: - Partial indexes

  /// The WHERE clause of a partial index; empty if its predicate needs more than plain SQL: the
  /// index then has all rows, with which fetches have the same results. Columns are written without
  /// their table, whose name may be another table's while a migration makes it anew.
  private func condition(of index: NSFetchIndexDescription, _ entity: Entity) -> String {
    guard let predicate = index.partialIndexPredicate else { return "" }
    let context = SQLQueryContext(
      mapping: mapping(), storeUUID: "", dialect: .sqlite, nilRule: .sql)
    let scope = SQLScope(SQLRow(alias: "", layout: entity.layout))
    guard
      let condition = try? SQLPredicateBuilder(context: context).wholeCondition(
        predicate, scope: scope),
      scope.evaluated.select.joinText.isEmpty, let text = condition.literalText,
      !text.contains("CoreData"),
      !text.contains("SELECT")
    else { return "" }
    return " WHERE \(text)"
  }

  // MARK: - R-trees

  func searchTrees(of entity: Entity) throws -> [SearchTree] {
    var names: Set<String> = []
    return try entity.description.indexes.compactMap { try searchTree($0, of: entity) }
      .filter { names.insert($0.index.lowercased()).inserted }
  }

  private func searchTree(
    _ index: NSFetchIndexDescription, of entity: Entity
  ) throws -> SearchTree? {
    let trees = index.elements.filter { $0.collationType == .rTree }
    guard !trees.isEmpty else { return nil }
    let numeric = Set(ColumnPass.integers.types).union(ColumnPass.afterIntegers[0].types)
    let columns = try index.elements.map { element in
      guard let name = element.propertyName, let column = column(named: name, of: entity),
        let attribute = entity.description.attributesByName[name],
        numeric.contains(attribute.attributeType), trees.count == index.elements.count,
        trees.count <= 5
      else {
        throw unsupported(
          "The R-tree index “\(index.name)”: it takes one to five numeric attributes, and no binary "
            + "elements beside them. Such an index", of: entity)
      }
      return column
    }
    return SearchTree(
      entity: entity.description.name ?? "", index: index.name,
      table: SQLIdentifier.quoted(tableName(rootNumber: entity.rootNumber)), columns: columns)
  }

  private func uniqueIndexes(of entity: Entity, table: String) throws -> [String] {
    try entity.description.uniquenessConstraintNames.map { names in
      let columns = try names.map { name in
        if let column = column(named: name, of: entity) { return column }
        throw unsupported(
          "The uniqueness constraint over “\(name)”, which is no stored attribute, to-one relationship or element "
            + "of a composite attribute,", of: entity)
      }
      let name = "Z_\(entity.description.name ?? "")_UNIQUE_\(names.joined(separator: "_"))"
      let elements = columns.map { "\($0) COLLATE BINARY ASC" }.joined(separator: ", ")
      return "CREATE UNIQUE INDEX \(SQLIdentifier.quoted(name)) ON \(SQLIdentifier.quoted(table)) "
        + "(\(elements))"
    }
  }

  private func column(named name: String, of entity: Entity) -> String? {
    guard let slot = entity.layout.slot(of: name) else { return nil }
    return column(of: entity.layout.slots[slot], in: entity.layout)
      .map { SQLIdentifier.quoted($0.name) }
  }
}

extension SQLSchemaBuilder {
  func unsupported(_ what: String, of entity: Entity) -> NSError {
    CoreDataError.unsupported(
      "\(what) of the entity “\(entity.description.name ?? "")” in a SQLite store")
  }

  /// Throws if an attribute has a type for which no column is defined.
  func checkSupported() throws {
    let types = Set(ColumnPass.all.flatMap(\.types))
    for entity in entities {
      for attribute in entity.attributes.flatMap({ $0.storedElements.map(\.attribute) })
      where !types.contains(attribute.attributeType) {
        throw unsupported(
          "The attribute “\(attribute.name)” of type \(attribute.attributeType.modelName)",
          of: entity)
      }
    }
  }
}

extension NSFetchIndexElementDescription {
  fileprivate var isComputed: Bool { property is NSExpressionDescription }

  /// The column of an object's entity, if the expression is this key path.
  fileprivate func column(ofKey name: String) -> String? {
    isComputed && name == "entity" ? "Z_ENT" : nil
  }

  /// The name of the indexed property, also if an expression is its key path; nil for other
  /// expressions.
  fileprivate var columnName: String? {
    guard let description = property as? NSExpressionDescription else { return propertyName }
    guard case .keyPath(let path, of: nil) = description.expression?.content,
      !path.contains(".")
    else { return nil }
    return path
  }
}
