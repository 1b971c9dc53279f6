/// Reads rows of one entity by their keys, a page at a time.
struct KeyedReader {
  let connection: SQLiteConnection
  let decoder: RowDecoder

  /// Appends the rows with these keys, each once and in the order of the keys, and shares them.
  func append(_ keys: [Int64], to rows: inout [Row]) throws {
    let keys = keys.inOrderOnce
    let selection = decoder.selection
    let (sql, size) = selection.sqlByKeys(keys.count)
    let known = rows.count
    defer { decoder.share(rows[known...]) }
    try connection.withStatement(sql) { statement in
      var rest = keys[...]
      while !rest.isEmpty {
        bind(rest.prefix(size), to: statement, size: size)
        try decoder.appendRows(statement, to: &rows)
        statement.reset()
        rest = rest.dropFirst(size)
      }
    }
  }

  private func bind(
    _ page: some Collection<Int64>, to statement: SQLiteStatement, size: Int
  ) {
    var index: Int32 = 1
    for key in page {
      statement.bind(key, at: index)
      index += 1
    }
    while index <= size {
      statement.bindNull(at: index)
      index += 1
    }
  }
}
