import CoreData

/// Writes the rows of a batch insertion, inside of its transaction, a pipeline at a time.
final class BatchInserter {
  private static let length = 512

  private let batch: BatchInsertion
  private let contents: StoreContents
  private let connection: PostgreSQLConnection
  private let new: NewRows
  /// Where rows go that collide with none, or else nothing is written.
  private var stream: CopyStream?
  private let reserve: (Int) throws -> Int64
  private let row: Row
  private var pending: [(statement: PostgreSQLConnection.Statement, key: Int64, slots: [Int])] = []
  /// What was written: new rows, and old ones that took new values.
  private(set) var written: [Int64] = []
  /// Those of them that were there before, with the names of what was given.
  private var replaced: [(key: Int64, properties: String)] = []

  /// - Parameter reserve: sets so many consecutive keys aside, and gives the first.
  init(
    _ batch: BatchInsertion, _ contents: StoreContents, _ connection: PostgreSQLConnection,
    reserve: @escaping (Int) throws -> Int64
  ) throws {
    self.batch = batch
    self.contents = contents
    self.connection = connection
    self.reserve = reserve
    new = try NewRows(batch.layout, contents.schema)
    row = Row.empty(NSManagedObjectID.temporary(batch.layout))
  }

  func run() throws {
    let defaults = batch.layout.defaults
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
    // Kept ready in blocks; asked for one by one, none is left over.
    let key = try reserve(1)
    let parameters = try new.values(row, key: key)
    if let stream {
      written.append(key)
      return try stream.append(parameters)
    }
    let sql =
      "\(new.insertion)\(try collisionClause(slots)) "
      + "RETURNING \(SchemaNames.quoted(SchemaNames.key))"
    pending.append((.init(sql: sql, parameters: parameters), key, replacedSlots(slots)))
  }

  private func flush() throws {
    let results = try connection.results(of: pending.map(\.statement))
    for (row, result) in zip(pending, results) where result.count > 0 {
      let key = result.integer(0, 0)
      written.append(key)
      if key != row.key {
        replaced.append((key, HistoryNotes.properties(batch.layout, slots: row.slots)))
      }
    }
    pending = []
  }

  /// Notes in the history what was written, in its order.
  func note() throws {
    guard let notes = contents.notes else { return }
    let old = Dictionary(
      replaced.map { ($0.key, $0.properties) }, uniquingKeysWith: { $1 })
    var rest = written[...]
    while let key = rest.first {
      if let properties = old[key] {
        let update = notes.changes(.update, [(batch.layout, key)], properties: properties)
        _ = try connection.results(of: update)
        rest = rest.dropFirst()
        continue
      }
      let new = rest.prefix { old[$0] == nil }
      _ = try connection.results(of: notes.changes(.insert, new.map { (batch.layout, $0) }))
      rest = rest[new.endIndex...]
    }
  }

  // MARK: - Collisions

  private func collisionClause(_ slots: BatchSlots) throws -> String {
    switch batch.collision {
    case .fails: return ""
    case .keepsStored: return " ON CONFLICT DO NOTHING"
    case .replacesGiven, .replacesAll:
      let constraints = batch.layout.entity.allUniquenessConstraints
      guard let constraint = constraints.first else { return "" }
      guard constraints.count == 1 else {
        throw CoreDataError.unsupported(
          "A batch insertion that replaces rows of the entity “\(batch.layout.entity.name ?? "")”, "
            + "which has several uniqueness constraints, in a store of type PostgreSQL",
          instead: "Use another merge policy, or a model with one constraint.")
      }
      return try replacement(constraint, slots)
    }
  }

  private func replacement(
    _ constraint: (entity: NSEntityDescription, names: [String]), _ slots: BatchSlots
  ) throws -> String {
    let quoted = SchemaNames.quoted
    let layout = batch.layout
    let target = constraint.names.compactMap { layout.slot(of: $0) }
      .compactMap { new.entity.columns[$0]?.name }.map(quoted).joined(separator: ", ")
    let columns = replacedSlots(slots).flatMap(
      ValueEncoder(entity: new.entity, schema: contents.schema).columns)
    let version = quoted(SchemaNames.version)
    let sets =
      ["\(version) = t0.\(version) + 1"]
      + columns.map { "\(quoted($0)) = excluded.\(quoted($0))" }
    return " ON CONFLICT (\(target))\(kinds(constraint.entity)) DO UPDATE SET "
      + sets.joined(separator: ", ")
  }

  private func replacedSlots(_ slots: BatchSlots) -> [Int] {
    var replaced = Array(batch.layout.slots.indices)
    if batch.collision == .replacesGiven, case .some(let given) = slots {
      replaced = given.sorted()
    }
    return replaced.filter { slot in new.entity.columns[slot].map { $0.kind != .toOne } ?? false }
  }

  /// As the index of a subentity's constraint has it.
  private func kinds(_ declaring: NSEntityDescription) -> String {
    guard declaring.superentity != nil, let mapping = contents.schema.mapping[declaring.layout]
    else {
      return ""
    }
    let numbers = mapping.kindNumbers.map(String.init).joined(separator: ", ")
    return " WHERE \(SchemaNames.quoted(SchemaNames.entity)) IN (\(numbers))"
  }
}

extension NSEntityDescription {
  /// Its own and those that it inherits.
  fileprivate var allUniquenessConstraints: [(entity: NSEntityDescription, names: [String])] {
    uniquenessConstraintNames.map { (self, $0) } + (superentity?.allUniquenessConstraints ?? [])
  }
}
