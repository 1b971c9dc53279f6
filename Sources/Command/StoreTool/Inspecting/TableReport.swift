import CoreData

/// Facts about the tables of a SQLite store, counted by SQLite.
struct TableReport {
  let journalMode: String
  let freePages: Int
  let joinTables: [String: Int]
  let history: StoreReport.History?
  let warnings: [String]
  private let mapping: SQLMapping
  /// Numbers of rows by table and entity number.
  private let counts: [String: [Int: Int]]
  private let sizes: [String: Int]
  private let indexes: [String: [String]]

  init(_ inspector: StoreInspector, mapping: SQLMapping, measures: Bool) throws {
    self.mapping = mapping
    journalMode = try inspector.journalMode
    freePages = Int(try inspector.integer("PRAGMA freelist_count") ?? 0)
    counts = try Self.counts(inspector, mapping: mapping)
    joinTables = try Self.joinTables(inspector, mapping: mapping)
    history = try Self.history(inspector)
    indexes = try Self.indexes(inspector)
    sizes = measures ? try Self.sizes(inspector) : [:]
    warnings = try Self.warnings(inspector, mapping: mapping, counts: counts, freePages: freePages)
  }

  func count(_ layout: EntityLayout) -> Int {
    guard let entity = mapping[layout] else { return 0 }
    return counts[entity.table]?[entity.entityNumber] ?? 0
  }

  func describe(_ layout: EntityLayout, in report: inout StoreReport.Entity) {
    guard let entity = mapping[layout] else { return }
    report.number = entity.entityNumber
    report.table = entity.table
    guard entity.entityNumber == entity.rootEntityNumber else { return }
    report.indexes = indexes[entity.table.uppercased()] ?? []
    report.tableBytes = sizes[entity.table.uppercased()]
  }

  private static func counts(
    _ inspector: StoreInspector, mapping: SQLMapping
  ) throws -> [String: [Int: Int]] {
    var counts: [String: [Int: Int]] = [:]
    for table in Set(mapping.allEntities.map(\.table)) {
      let rows = try inspector.rows(
        "SELECT Z_ENT, COUNT(*) FROM \(StoreInspector.quoted(table)) GROUP BY Z_ENT")
      for row in rows {
        counts[table, default: [:]][Int(row[0] as? Int64 ?? 0)] = Int(row[1] as? Int64 ?? 0)
      }
    }
    return counts
  }

  private static func joinTables(
    _ inspector: StoreInspector, mapping: SQLMapping
  ) throws -> [String: Int] {
    let names = Set(mapping.joins.values.map(\.table))
    return try Dictionary(
      uniqueKeysWithValues: names.map { name in
        let count = try inspector.integer("SELECT COUNT(*) FROM \(StoreInspector.quoted(name))")
        return (name, Int(count ?? 0))
      })
  }

  private static func indexes(_ inspector: StoreInspector) throws -> [String: [String]] {
    let rows = try inspector.rows(
      "SELECT upper(tbl_name), name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name"
    )
    return Dictionary(grouping: rows) { $0[0] as? String ?? "" }
      .mapValues { $0.compactMap { $0[1] as? String } }
  }

  /// The size of each table with its indexes; empty if SQLite was built without `dbstat`.
  private static func sizes(_ inspector: StoreInspector) throws -> [String: Int] {
    let rows = try? inspector.rows(
      "SELECT upper(m.tbl_name), SUM(s.pgsize) FROM dbstat s JOIN sqlite_master m ON m.name = s.name "
        + "WHERE s.aggregate = TRUE GROUP BY 1")
    return Dictionary(
      (rows ?? []).map { ($0[0] as? String ?? "", Int($0[1] as? Int64 ?? 0)) },
      uniquingKeysWith: { first, _ in first })
  }

  private static func history(_ inspector: StoreInspector) throws -> StoreReport.History? {
    let tables = try inspector.rows(
      "SELECT name FROM sqlite_master WHERE name IN ('ATRANSACTION', 'ACHANGE', 'ATRANSACTIONSTRING')"
    ).compactMap { $0[0] as? String }
    guard tables.contains("ATRANSACTION"), tables.contains("ACHANGE") else { return nil }
    let row =
      try inspector.rows("SELECT COUNT(*), MIN(ZTIMESTAMP), MAX(ZTIMESTAMP) FROM ATRANSACTION")
      .first ?? []
    let authors =
      tables.contains("ATRANSACTIONSTRING")
      ? try inspector.rows(
        "SELECT DISTINCT ZNAME FROM ATRANSACTIONSTRING JOIN ATRANSACTION t ON t.ZAUTHORTS = "
          + "ATRANSACTIONSTRING.Z_PK ORDER BY 1"
      ).compactMap { $0[0] as? String } : []
    return StoreReport.History(
      transactions: Int(row.first as? Int64 ?? 0),
      changes: Int(try inspector.integer("SELECT COUNT(*) FROM ACHANGE") ?? 0),
      first: (row[1] as? Double).map(Date.init(timeIntervalSinceReferenceDate:)),
      last: (row[2] as? Double).map(Date.init(timeIntervalSinceReferenceDate:)), authors: authors)
  }

  private static func warnings(
    _ inspector: StoreInspector, mapping: SQLMapping, counts: [String: [Int: Int]],
    freePages: Int
  ) throws -> [String] {
    var warnings: [String] = []
    for (table, byNumber) in counts.sorted(by: { $0.key < $1.key }) {
      let known = Set(mapping.allEntities.filter { $0.table == table }.map(\.entityNumber))
      let strangers = byNumber.filter { !known.contains($0.key) }.map(\.value).reduce(0, +)
      if strangers > 0 {
        warnings.append(
          "\(table) has \(strangers) rows of no entity of the model; see “coredata check”.")
      }
    }
    let pages = Int(try inspector.integer("PRAGMA page_count") ?? 0)
    if freePages > 100, freePages * 4 > pages {
      warnings.append("A quarter or more of the file is free; “coredata vacuum” gives it back.")
    }
    return warnings
  }
}
