import CoreData
import Synchronization

/// The queries that found little when they were run last: these are answered at once the next time.
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
      // As many as a connection keeps prepared; forgotten ones are learnt again.
      if texts.count >= PostgreSQLConnection.statementLimit { texts = [] }
      texts.insert(sql)
    }
  }
}

extension StoreContents {
  /// What the server answers to a query: batch by batch where nobody knows how much that is, at once where it can be
  /// no more than `limit` rows (0: any number), or was little the last time.
  func results(
    of sql: String, _ values: [SQLValue], limit: Int, _ connection: PostgreSQLConnection,
    _ body: (QueryResult) throws -> Void
  ) throws {
    let parameters = values.map { PostgreSQLParameter($0) }
    if 1...PostgreSQLConnection.batchSize ~= limit {
      return try body(connection.query(sql, parameters))
    }
    var count = 0
    if shortQueries.contains(sql) {
      let result = try connection.query(sql, parameters)
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

  /// The rows that a fetch finds by SQL.
  func rows(
    _ selection: RowSelection, _ fetch: NarrowedFetch, limit: Int,
    _ connection: PostgreSQLConnection
  ) throws -> [Row] {
    let decoder = decoder(selection)
    var rows: [Row] = []
    try results(of: selection.sql + fetch.tail, fetch.values, limit: limit, connection) {
      rows += try decoder.rows($0)
    }
    return rows
  }

  func count(
    _ entity: EntityMapping, _ fetch: NarrowedFetch, _ connection: PostgreSQLConnection
  ) throws -> Int {
    let table = SchemaNames.quoted(entity.table)
    let result = try connection.query(
      "SELECT count(*) FROM (SELECT 1 FROM \(table) t0\(fetch.tail)) t",
      fetch.values.map { PostgreSQLParameter($0) })
    return Int(result.integer(0, 0))
  }

  /// The rows with these keys, in their order.
  func rows(
    _ keys: [Int64], of layout: EntityLayout, _ connection: PostgreSQLConnection
  ) throws -> [Row] {
    if keys.isEmpty { return [] }
    // An identity may be of the entity that a relationship names, the row of a subentity.
    let selection = selection(of: try schema.entity(layout))
    let key = "t0.\(SchemaNames.quoted(SchemaNames.key))"
    let result = try connection.query(
      "\(selection.sql) WHERE \(key) = ANY($1) ORDER BY \(key)", [.integers(keys)])
    return try decoder(selection).rows(result)
  }
}
