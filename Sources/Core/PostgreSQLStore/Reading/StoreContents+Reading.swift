import CoreData
import Synchronization

/// The queries that had few results the last time. They are executed without a cursor the next
/// time.
final class ShortQueries: Sendable {
  private let texts = Mutex<Set<String>>([])

  func contains(_ sql: String) -> Bool { texts.withLock { $0.contains(sql) } }

  func contains(where holds: (String) -> Bool) -> Bool {
    texts.withLock { $0.contains(where: holds) }
  }

  func note(_ sql: String, found count: Int) {
    texts.withLock { texts in
      guard count < PostgreSQLConnection.batchSize else {
        texts.remove(sql)
        return
      }
      // Reset at this size, which is the number of statements that a connection keeps prepared.
      // Queries are learnt again.
      if texts.count >= PostgreSQLConnection.statementLimit { texts = [] }
      texts.insert(sql)
    }
  }
}

extension StoreContents {
  /// Executes a query: with a cursor, in batches, if the number of results is unknown; at once if
  /// it is limited to a batch (`limit`, 0 for no limit) or was small the last time.
  func results(
    of sql: String, _ values: [SQLValue], limit: Int, connection: PostgreSQLConnection,
    body: (QueryResult) throws -> Void
  ) throws {
    let parameters = values.map { PostgreSQLParameter($0) }
    if 1...PostgreSQLConnection.batchSize ~= limit {
      return try body(connection.query(sql, parameters: parameters))
    }
    var count = 0
    if shortQueries.contains(sql) {
      let result = try connection.query(sql, parameters: parameters)
      count = result.count
      try body(result)
    } else {
      try connection.batches(of: sql, parameters) {
        count += $0.count
        try body($0)
      }
    }
    shortQueries.note(sql, found: count)
  }

  /// The rows of a fetch that the server evaluates.
  func rows(
    _ selection: RowSelection, fetch: NarrowedFetch, limit: Int,
    connection: PostgreSQLConnection
  ) throws -> [Row] {
    let decoder = decoder(selection)
    var rows: [Row] = []
    try results(of: selection.sql + fetch.tail, fetch.values, limit: limit, connection: connection)
    {
      rows += try decoder.rows($0)
    }
    return rows
  }

  func count(
    _ entity: EntityMapping, fetch: NarrowedFetch, connection: PostgreSQLConnection
  ) throws -> Int {
    let table = SchemaNames.quoted(entity.table)
    let result = try connection.query(
      "SELECT count(*) FROM (SELECT 1 FROM \(table) t0\(fetch.tail)) t",
      parameters: fetch.values.map { PostgreSQLParameter($0) })
    return Int(result.integer(0, column: 0))
  }

  /// The rows with these keys, ordered by key.
  func rows(
    _ keys: [Int64], of layout: EntityLayout, connection: PostgreSQLConnection
  ) throws -> [Row] {
    if keys.isEmpty { return [] }
    // The rows may be of subentities: an identity may have the entity that a relationship names.
    let selection = selection(of: try schema.entity(layout))
    let key = "t0.\(SchemaNames.quoted(SchemaNames.key))"
    let result = try connection.query(
      "\(selection.sql) WHERE \(key) = ANY($1) ORDER BY \(key)", parameters: [.integers(keys)])
    return try decoder(selection).rows(result)
  }
}
