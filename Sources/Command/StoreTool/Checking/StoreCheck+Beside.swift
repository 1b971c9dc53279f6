import CoreData

// Data beside the rows of entities: join tables, files of external data, history.
extension StoreCheck {
  mutating func checkJoins() throws {
    var seen: Set<String> = []
    for entity in mapping.allEntities {
      for relationship in entity.layout.toMany {
        guard let join = mapping.join(of: relationship) else { continue }
        if let order = join.orderColumn, seen.insert(join.table + order).inserted {
          try checkOrder(order, of: join.ownerColumn, in: join.table, key: "t.rowid")
        }
        guard relationship.entity === entity.layout.entity, seen.insert(join.table).inserted,
          let members = relationship.destinationEntity.flatMap({ mapping[$0.layout] })
        else { continue }
        try checkJoin(join.table, column: join.ownerColumn, target: entity)
        try checkJoin(join.table, column: join.memberColumn, target: members)
      }
    }
  }

  private mutating func checkJoin(
    _ table: String, column: String, target: EntityMapping
  ) throws {
    let name = StoreInspector.quoted(column)
    func missing(_ row: String) -> String {
      "\(row).\(name) IS NULL OR NOT EXISTS (SELECT 1 FROM \(StoreInspector.quoted(target.table)) o "
        + "WHERE o.Z_PK = \(row).\(name) AND o.Z_ENT IN (\(Self.list(target.kindNumbers))))"
    }
    let quoted = StoreInspector.quoted(table)
    try noteRows(
      .joins, place: "\(table).\(column)",
      problem: "rows for objects of \(target.layout.entity.name ?? "") that are not there",
      from: table, where: missing("t"), key: "t.\(name)", repair: "removes them",
      statements: ["DELETE FROM \(quoted) WHERE \(missing(quoted))"])
  }

  mutating func checkExternalData() throws {
    guard let folder = store.store.externalDataFolder else { return }
    var names: Set<String> = []
    var hasColumns = false
    for entity in mapping.allEntities {
      let inherited = entity.layout.entity.superentity?.layout.slots.count ?? 0
      for (slot, column) in zip(entity.layout.slots, entity.columns).dropFirst(inherited) {
        guard let column,
          (slot.property as? NSAttributeDescription)?.allowsExternalBinaryDataStorage == true
        else { continue }
        hasColumns = true
        names.formUnion(try checkExternal(column.name, in: entity.table, folder: folder))
      }
    }
    guard hasColumns, FileManager.default.fileExists(atPath: folder.path) else { return }
    let orphans = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      UUID(uuidString: $0) != nil && !names.contains($0.uppercased())
    }
    if !orphans.isEmpty {
      note(
        .external, place: folder.path,
        problem: "\(orphans.count) files that no row names, such as \(orphans.sorted()[0])",
        repair: "leaves them out of the copy")
    }
  }

  /// Checks a column of external data, and returns the names of the files that it refers to.
  private mutating func checkExternal(
    _ column: String, in table: String, folder: URL
  ) throws -> Set<String> {
    let name = StoreInspector.quoted(column)
    try noteRows(
      .external, place: "\(table).\(column)",
      problem: "values without the mark that says where they are",
      from: table,
      where:
        "t.\(name) IS NOT NULL AND length(t.\(name)) > 0 AND hex(substr(t.\(name), 1, 1)) NOT IN ('01', '02')"
    )
    var names: Set<String> = []
    var missing: [Int64] = []
    try inspector.forEachRow(
      "SELECT Z_PK, CAST(substr(\(name), 2, 36) AS TEXT) FROM \(StoreInspector.quoted(table)) "
        + "WHERE hex(substr(\(name), 1, 1)) = '02'"
    ) { row in
      let file = row[1] as? String ?? ""
      names.insert(file.uppercased())
      let isThere =
        UUID(uuidString: file) != nil
        && FileManager.default.fileExists(atPath: folder.appendingPathComponent(file).path)
      if !isThere { missing.append(row[0] as? Int64 ?? 0) }
      return true
    }
    if !missing.isEmpty {
      let keys = missing.map(String.init).joined(separator: ", ")
      noteExternal(
        table, column: column, keys: missing,
        statement:
          "UPDATE \(StoreInspector.quoted(table)) SET \(name) = NULL WHERE Z_PK IN (\(keys))")
    }
    return names
  }

  mutating func checkHistory() throws {
    let tables = try inspector.rows(
      "SELECT name FROM sqlite_master WHERE name IN ('ATRANSACTION', 'ACHANGE')")
    guard tables.count == 2 else { return }
    try noteRows(
      .history, place: "ACHANGE", problem: "changes of a transaction that is not there",
      from: "ACHANGE",
      where: "NOT EXISTS (SELECT 1 FROM ATRANSACTION a WHERE a.Z_PK = t.ZTRANSACTIONID)",
      repair: "removes them",
      statements: [
        "DELETE FROM ACHANGE WHERE ZTRANSACTIONID NOT IN (SELECT Z_PK FROM ATRANSACTION) OR ZTRANSACTIONID IS NULL"
      ])
    try noteRows(
      .history, place: "ACHANGE", problem: "changes of no known kind (expected 0, 1 or 2)",
      from: "ACHANGE",
      where: "t.ZCHANGETYPE IS NULL OR t.ZCHANGETYPE NOT IN (0, 1, 2)")
    try noteRows(
      .history, place: "ACHANGE", problem: "changes of an entity that Z_PRIMARYKEY does not have",
      from: "ACHANGE",
      where: "t.ZENTITY NOT IN (SELECT Z_ENT FROM Z_PRIMARYKEY)")
  }
}
