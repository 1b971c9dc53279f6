import Foundation
import CSQLite

/// A plain class filled by hand from the C API.
final class RawItem {
  let key: Int64
  let title: String?
  let order: Int64
  let date: Date?
  let value: Double
  let parent: Int64

  static let selection =
    "SELECT Z_PK, Z_OPT, ZORDER, ZPARENT, ZDATE, ZVALUE, ZTITLE FROM ZITEM"

  static let insertion = """
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZORDER, ZPARENT, ZDATE, ZVALUE, ZTITLE)
    VALUES (?, 1, 1, ?, ?, ?, ?, ?)
    """

  init(_ row: RawStatement) {
    key = sqlite3_column_int64(row.handle, 0)
    order = sqlite3_column_int64(row.handle, 2)
    parent = sqlite3_column_int64(row.handle, 3)
    date = Date(timeIntervalSinceReferenceDate: sqlite3_column_double(row.handle, 4))
    value = sqlite3_column_double(row.handle, 5)
    title = row.text(6)
  }

  /// All items but the root of a fixture.
  static func allChildren(on connection: RawConnection) throws -> [RawItem] {
    let rows = try RawStatement(
      selection + " WHERE ZPARENT IS NOT NULL", on: connection.handle)
    var items: [RawItem] = []
    while try rows.step() { items.append(RawItem(rows)) }
    return items
  }

  /// Inserts rows in the transaction that is open.
  static func insert(
    _ rows: [ItemValues], startingAt firstKey: Int64, parent: Int64?, on connection: RawConnection
  ) throws {
    let statement = try RawStatement(insertion, on: connection.handle)
    var key = firstKey
    for row in rows {
      try insert(row, key: key, parent: parent, statement)
      key += 1
    }
  }

  @inline(__always)
  static func insert(
    _ row: ItemValues, key: Int64, parent: Int64?, _ statement: RawStatement
  ) throws {
    sqlite3_bind_int64(statement.handle, 1, key)
    sqlite3_bind_int64(statement.handle, 2, row.order)
    if let parent { sqlite3_bind_int64(statement.handle, 3, parent) }
    sqlite3_bind_double(statement.handle, 4, row.date)
    sqlite3_bind_double(statement.handle, 5, row.value)
    _ = try statement.bind(row.title, to: 6) { try statement.step() }
    sqlite3_reset(statement.handle)
  }
}
