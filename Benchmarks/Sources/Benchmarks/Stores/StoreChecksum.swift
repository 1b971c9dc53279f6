import Foundation
import CSQLite

extension Checksum {
  /// What the table of a store holds. The sides choose the keys of the rows as they like, so that a key
  /// is folded in by itself.
  init(ofStore url: URL) throws {
    self.init()
    let connection = try RawConnection(url)
    let rows = try RawStatement(RawItem.selection, on: connection.handle)
    while try rows.step() {
      let item = RawItem(rows)
      add(item.key)
      add(item)
    }
  }
}

extension RawConnection {
  /// The one number that a query gives.
  func number(_ query: String) throws -> Int64 {
    let statement = try RawStatement(query, on: handle)
    _ = try statement.step()
    return sqlite3_column_int64(statement.handle, 0)
  }
}
