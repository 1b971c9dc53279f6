import CoreData

/// Writes the rows of a batch insertion in its transaction, one pipeline at a time.
final class BatchInserter {
  private static let length = 512

  private let batch: BatchInsertion
  private let contents: StoreContents
  private let connection: PostgreSQLConnection
  private let new: NewRows
  /// The COPY stream, if any conflict aborts the request; nil otherwise.
  private var stream: CopyStream?
  private let reserve: (Int) throws -> Int64
  private let row: Row
  private var pending: [(statement: PostgreSQLConnection.Statement, key: Int64, slots: [Int])] = []
  /// The keys of the written rows: new rows, and existing ones that got new values.
  private(set) var written: [Int64] = []
  /// The existing rows among them, with the names of the given properties.
  private var replaced: [(key: Int64, properties: String)] = []

  var change: ChangedRows {
    var change = ChangedRows()
    change.inserted = [RowGroup(layout: batch.layout, keys: written)]
    return change
  }

  /// - Parameter reserve: reserves this many consecutive keys and returns the first.
  init(
    _ batch: BatchInsertion, contents: StoreContents, connection: PostgreSQLConnection,
    reserve: @escaping (Int) throws -> Int64
  ) throws {
    self.batch = batch
    self.contents = contents
    self.connection = connection
    self.reserve = reserve
    new = try contents.newRows(batch.layout)
    row = Row.empty(NSManagedObjectID.temporary(batch.layout))
  }

  func run() throws {
    let defaults = batch.layout.defaults
    if replacesByAnyConstraint { try lockTable() }
    if case .fails = batch.collision {
      stream = try CopyStream(connection, table: new.entity.table, columns: new.columns)
    }
    while true {
      for slot in defaults.indices { row[slot] = defaults[slot] }
      guard let slots = try batch.next(row) else { break }
      try add(slots)
      if pending.count == Self.length { try flush() }
    }
    if let stream { return try stream.end() }
    try flush()
  }

  private func add(_ slots: BatchSlots) throws {
    // Reserved one by one, so that none is left over; the store keeps blocks of them ready.
    let key = try reserve(1)
    if let stream {
      written.append(key)
      return try stream.append(row, key: key, of: new)
    }
    let parameters = try new.values(row, key: key)
    let sql =
      replacesByAnyConstraint
      ? replacementOrInsertion(slots)
      : "\(new.insertion)\(collisionClause(slots)) "
        + "RETURNING \(SchemaNames.quoted(SchemaNames.key))"
    pending.append((.init(sql: sql, parameters: parameters), key, replacedSlots(slots)))
  }

  private func flush() throws {
    let results = try connection.results(of: pending.map(\.statement))
    for (row, result) in zip(pending, results) where result.count > 0 {
      let key = result.integer(0, column: 0)
      written.append(key)
      if key != row.key {
        replaced.append((key, HistoryNotes.properties(batch.layout, slots: row.slots)))
      }
    }
    pending = []
  }

  /// Records the written rows in the history, in order.
  func note() throws {
    guard let notes = contents.notes else { return }
    let old = Dictionary(
      replaced.map { ($0.key, $0.properties) }, uniquingKeysWith: { $1 })
    var rest = written[...]
    while let key = rest.first {
      if let properties = old[key] {
        let update = notes.changes(.update, objects: [(batch.layout, key)], properties: properties)
        _ = try connection.results(of: update)
        rest = rest.dropFirst()
        continue
      }
      let new = rest.prefix { old[$0] == nil }
      _ = try connection.results(
        of: notes.changes(.insert, objects: new.map { (batch.layout, $0) }))
      rest = rest[new.endIndex...]
    }
  }

  // MARK: - Conflicts

  private func collisionClause(_ slots: BatchSlots) -> String {
    switch batch.collision {
    case .fails: ""
    case .keepsStored: " ON CONFLICT DO NOTHING"
    case .replacesGiven, .replacesAll:
      batch.layout.entity.allUniquenessConstraints.first.map { replacement($0, slots: slots) } ?? ""
    }
  }

  private func replacement(
    _ constraint: (entity: NSEntityDescription, names: [String]), slots: BatchSlots
  ) -> String {
    let target = columns(of: constraint.names).map(Self.quoted).joined(separator: ", ")
    let kinds = kinds(constraint.entity).map { " WHERE \($0)" } ?? ""
    let sets = sets(slots, version: "t0.") { "excluded.\(Self.quoted($0))" }
    return " ON CONFLICT (\(target))\(kinds) DO UPDATE SET \(sets)"
  }

  // MARK: - Several constraints

  /// Whether a row may replace another by any of several constraints: ON CONFLICT DO UPDATE
  /// supports one constraint only.
  private var replacesByAnyConstraint: Bool {
    switch batch.collision {
    case .fails, .keepsStored: false
    case .replacesGiven, .replacesAll: batch.layout.entity.allUniquenessConstraints.count > 1
    }
  }

  /// Locks the table, so that no other transaction writes a row with equal values between the
  /// search for one and its replacement.
  private func lockTable() throws {
    try connection.execute(
      "LOCK TABLE \(Self.quoted(new.entity.table)) IN SHARE ROW EXCLUSIVE MODE")
  }

  /// SQL that updates the row with equal values of any constraint, or else inserts a row. If two
  /// rows conflict with the new one, the update violates a constraint, as in SQLite.
  private func replacementOrInsertion(_ slots: BatchSlots) -> String {
    let (table, key) = (Self.quoted(new.entity.table), Self.quoted(SchemaNames.key))
    let sets = sets(slots, version: "") { self.parameter($0) }
    let same = batch.layout.entity.allUniquenessConstraints.map { constraint in
      let equal = columns(of: constraint.names).map { "\(Self.quoted($0)) = \(parameter($0))" }
      return
        "(\((equal + [kinds(constraint.entity)].compactMap { $0 }).joined(separator: " AND ")))"
    }
    let names = new.columns.map(Self.quoted).joined(separator: ", ")
    let values = new.columns.map(parameter).joined(separator: ", ")
    return "WITH old AS (UPDATE \(table) SET \(sets) WHERE \(key) = (SELECT \(key) FROM \(table) "
      + "WHERE \(same.joined(separator: " OR ")) ORDER BY \(key) LIMIT 1) RETURNING \(key)), "
      + "new AS (INSERT INTO \(table) (\(names)) SELECT \(values) WHERE NOT EXISTS "
      + "(SELECT FROM old) RETURNING \(key)) SELECT \(key) FROM old UNION ALL SELECT \(key) FROM new"
  }

  /// The parameter of a column in ``NewRows/values(_:key:)``.
  private func parameter(_ column: String) -> String {
    "$\((new.columns.firstIndex(of: column) ?? 0) + 1)"
  }

  // MARK: - Columns

  private static func quoted(_ name: String) -> String { SchemaNames.quoted(name) }

  private func columns(of names: [String]) -> [String] {
    names.compactMap { batch.layout.slot(of: $0) }.compactMap { new.entity.columns[$0]?.name }
  }

  /// The assignments for a row that is replaced.
  private func sets(
    _ slots: BatchSlots, version: String, to value: (String) -> String
  ) -> String {
    let encoder = ValueEncoder(entity: new.entity, schema: contents.schema)
    let count = Self.quoted(SchemaNames.version)
    return
      (["\(count) = \(version)\(count) + 1"]
      + replacedSlots(slots).flatMap(encoder.columns).map { "\(Self.quoted($0)) = \(value($0))" })
      .joined(separator: ", ")
  }

  private func replacedSlots(_ slots: BatchSlots) -> [Int] {
    var replaced = Array(batch.layout.slots.indices)
    if batch.collision == .replacesGiven, case .some(let given) = slots {
      replaced = given.sorted()
    }
    return replaced.filter { slot in new.entity.columns[slot].map { $0.kind != .toOne } ?? false }
  }

  /// The condition of the index of a subentity's constraint; nil for a constraint of the whole
  /// table.
  private func kinds(_ declaring: NSEntityDescription) -> String? {
    guard declaring.superentity != nil, let mapping = contents.schema.mapping[declaring.layout]
    else { return nil }
    let numbers = mapping.kindNumbers.map(String.init).joined(separator: ", ")
    return "\(Self.quoted(SchemaNames.entity)) IN (\(numbers))"
  }
}

extension NSEntityDescription {
  /// The constraints of the entity and those that it inherits.
  fileprivate var allUniquenessConstraints: [(entity: NSEntityDescription, names: [String])] {
    uniquenessConstraintNames.map { (self, $0) } + (superentity?.allUniquenessConstraints ?? [])
  }
}
