import CoreData
import Predicates

/// Maintains derived attributes, inside of the transaction that changes their inputs. Not done with
/// triggers, because other engines with PostgreSQL's protocol lack them.
///
///     before    counts and sums of members that change or go are set to null, while their owners
///               are still known
///     after     counts and sums of new members are set to null; rows whose values are read are
///               locked; what is null is computed; then values along relationships; then functions
///               in memory
///
/// Setting a value to null locks the owner's row, so another transaction that adds a member waits,
/// and the value that is computed then includes that member.
struct DerivedValues {
  let columns: [DerivedColumn]
  private typealias Statement = PostgreSQLConnection.Statement

  /// Maximum number of rows whose functions are computed in one step.
  private static let length = 8_192

  // MARK: - Before

  func before(_ change: ChangedRows) -> [PostgreSQLConnection.Statement] {
    columns.flatMap { column -> [Statement] in
      guard case .members(let members) = column.source else { return [] }
      let moved = change.moved[ObjectIdentifier(members.relationship)].map {
        stale(column, condition: "IN (\(members.ownersOfMembers))", keys: $0.sorted())
      }
      return change.past.compactMap {
        stale(column, members: members, rows: $0.rows, slots: $0.slots)
      }
        + [moved].compactMap(\.self)
    }
  }

  private func stale(
    _ column: DerivedColumn, members: DerivedMembers, rows: RowGroup, slots: Set<Int>?
  ) -> PostgreSQLConnection.Statement? {
    guard members.depends(on: slots, of: rows.layout) else { return nil }
    return stale(column, condition: "IN (\(members.ownersOfMembers))", keys: rows.keys)
  }

  private func stale(
    _ column: DerivedColumn, condition: String, keys: [Int64]
  ) -> PostgreSQLConnection.Statement {
    Statement(
      sql: "UPDATE \(column.table) SET \(column.column) = NULL "
        + "WHERE \(DerivedColumn.key) \(condition)\(column.kindCondition)",
      parameters: [.integers(keys)])
  }

  // MARK: - After

  func after(_ change: ChangedRows, connection: PostgreSQLConnection) throws {
    var locking: [Statement] = []
    var computing: [Statement] = []
    for column in columns {
      switch column.source {
      case .members(let members):
        let inserted = change.inserted.filter { column.has($0) }
        let stale =
          change.present.compactMap {
            self.stale(column, members: members, rows: $0.rows, slots: $0.slots)
          }
          + (change.owners[ObjectIdentifier(members.relationship)].map {
            [self.stale(column, condition: "= ANY($1)", keys: $0.sorted())]
          } ?? [])
        locking += stale
        if inserted.isEmpty, stale.isEmpty, before(change, column: column).isEmpty { continue }
        computing.append(compute(column, members: members, where: "\(column.column) IS NULL"))
      case .value(let value, let function):
        for (rows, slots) in change.present {
          for place in value.places(of: rows.layout, changing: slots) {
            locking += value.locks(behind: place).map {
              Statement(sql: $0, parameters: [.integers(rows.keys)])
            }
          }
        }
        if function == nil { computing += statements(column, value: value, change: change) }
      case .now:
        for (rows, _) in change.present where column.has(rows) {
          computing.append(
            now(
              column, condition: "\(DerivedColumn.key) = ANY($2)",
              parameters: [.integers(rows.keys)]))
        }
      }
    }
    _ = try connection.results(of: locking + computing)
    for column in columns {
      guard case .value(let value, let function?) = column.source else { continue }
      for (place, keys) in affected(column, value: value, change: change) {
        for start in stride(from: 0, to: keys.count, by: Self.length) {
          let part = Array(keys[start...].prefix(Self.length))
          try apply(
            function, column: column, value: value, condition: value.leadsThrough(place),
            parameters: [.integers(part)], connection: connection)
        }
      }
    }
  }

  private func before(_ change: ChangedRows, column: DerivedColumn) -> [Statement] {
    DerivedValues(columns: [column]).before(change)
  }

  private func compute(
    _ column: DerivedColumn, members: DerivedMembers, where condition: String
  ) -> Statement {
    let value = members.value(of: "t0.\(DerivedColumn.key)")
    return Statement(
      sql:
        "UPDATE \(column.table) t0 SET \(column.column) = \(column.cast(value, from: members.type)) "
        + "WHERE \(condition)\(column.kindCondition)", parameters: [])
  }

  private func now(
    _ column: DerivedColumn, condition: String, parameters: [PostgreSQLParameter]
  ) -> Statement {
    let time = Timestamps.microseconds(Date().timeIntervalSinceReferenceDate) ?? 0
    return Statement(
      sql: "UPDATE \(column.table) SET \(column.column) = $1 "
        + "WHERE \(condition)\(column.kindCondition)", parameters: [.timestamp(time)] + parameters)
  }

  // MARK: - Values along relationships

  /// The rows that were changed, inserted or deleted, with their positions in the path.
  private func affected(
    _ column: DerivedColumn, value: DerivedValue, change: ChangedRows
  ) -> [(place: Int, keys: [Int64])] {
    let present = change.present.flatMap { rows, slots in
      value.places(of: rows.layout, changing: slots).map { ($0, rows.keys) }
    }
    let gone = change.deleted.flatMap { rows in
      value.places(of: rows.layout, changing: nil).filter { $0 > 0 }.map { ($0, rows.keys) }
    }
    return present + gone
  }

  private func statements(
    _ column: DerivedColumn, value: DerivedValue, change: ChangedRows
  ) -> [Statement] {
    affected(column, value: value, change: change).map { place, keys in
      Statement(
        sql: assignment(column, value: value)
          + " WHERE \(value.leadsThrough(place))\(column.kindCondition)",
        parameters: [.integers(keys)])
    }
  }

  private func assignment(_ column: DerivedColumn, value: DerivedValue) -> String {
    "UPDATE \(column.table) t0 SET \(column.column) = "
      + column.cast(value.value(of: "t0"), from: value.type)
  }

  /// Reads the inputs of the function and writes the results that differ from the stored values.
  private func apply(
    _ function: String, column: DerivedColumn, value: DerivedValue, condition: String,
    parameters: [PostgreSQLParameter], connection: PostgreSQLConnection
  ) throws {
    let read = try connection.query(
      "SELECT \(DerivedColumn.key), \(value.value(of: "t0")), \(column.column) "
        + "FROM \(column.table) t0 WHERE \(condition)\(column.kindCondition)",
      parameters: parameters)
    let sql = "UPDATE \(column.table) SET \(column.column) = $1 WHERE \(DerivedColumn.key) = $2"
    var writing: [Statement] = []
    for line in 0..<read.count {
      let old = read.isNull(line, column: 2) ? nil : read.text(line, column: 2)
      let new =
        read.isNull(line, column: 1)
        ? nil : try Self.value(of: function, read.text(line, column: 1))
      if new == old { continue }
      writing.append(
        Statement(
          sql: sql,
          parameters: [
            new.map { .text($0) } ?? .null(.text), .integer(read.integer(line, column: 0)),
          ]))
    }
    _ = try connection.results(of: writing)
  }

  private static func value(of function: String, _ text: String) throws -> String? {
    let value = try ExpressionFunction.value(of: function, [.string(text)], nilRule: .sql)
    guard case .string(let result) = value else { return nil }
    return result
  }

  // MARK: - All rows

  /// Computes the values of all rows after a migration, which may have filled inputs with defaults
  /// or removed members. Times of the last save are kept, except for new attributes.
  func computeAll(
    _ connection: PostgreSQLConnection, isNew: (NSDerivedAttributeDescription) -> Bool
  ) throws {
    for column in columns {
      switch column.source {
      case .members(let members):
        try connection.query(compute(column, members: members, where: "TRUE"))
      case .value(let value, nil):
        try connection.query(
          Statement(
            sql: assignment(column, value: value) + " WHERE TRUE\(column.kindCondition)",
            parameters: []))
      case .value(let value, let function?):
        try computeAll(function, column: column, value: value, connection: connection)
      case .now where isNew(column.attribute):
        try connection.query(now(column, condition: "TRUE", parameters: []))
      case .now: break
      }
    }
  }

  private func computeAll(
    _ function: String, column: DerivedColumn, value: DerivedValue,
    connection: PostgreSQLConnection
  ) throws {
    var last: Int64 = 0
    while true {
      let keys = try connection.query(
        "SELECT \(DerivedColumn.key) FROM \(column.table) WHERE \(DerivedColumn.key) > $1"
          + "\(column.kindCondition) ORDER BY \(DerivedColumn.key) LIMIT \(Self.length)",
        parameters: [.integer(last)])
      guard keys.count > 0 else { return }
      let part = (0..<keys.count).map { keys.integer($0, column: 0) }
      last = part[part.count - 1]
      try apply(
        function, column: column, value: value, condition: "\(DerivedColumn.key) = ANY($1)",
        parameters: [.integers(part)], connection: connection)
    }
  }
}

extension DerivedColumn {
  fileprivate func has(_ rows: RowGroup) -> Bool {
    rows.layout.entity.isKindOf(entity: attribute.entity)
  }
}
