import Foundation
import Limit

/// The limit of a fetched results controller: `Sources/Limit/lists.c` says what the API demands of one.
final class LimitList {
  private let connection: RawConnection
  private let list: OpaquePointer

  init(_ store: URL, _ workspace: Workspace) throws {
    connection = try workspace.opening("limit") {
      try RawConnection(store, settings: workspace.settings)
    }
    list = limit_list_open(connection.handle)
  }

  deinit { limit_list_close(list) }

  /// Has the object of a key, for changes of it.
  func hold(_ key: Int64) throws { try expect(limit_list_hold(list, key), "hold") }

  /// Where the object was and is.
  func change(_ key: Int64, toOrder order: Int64) throws -> (old: Int, new: Int) {
    var ranks: (Int64, Int64) = (-1, -1)
    try expect(limit_list_change(list, key, order, &ranks.0, &ranks.1), "change")
    return (Int(ranks.0), Int(ranks.1))
  }

  /// Has these rows as another context's save would leave them, and times the merge of them.
  func merge(_ moves: inout [limit_move], timed: (() throws -> Void) throws -> Duration) throws
    -> Duration
  {
    limit_list_publish(list, moves, Int64(moves.count))
    defer { limit_list_withdraw(list) }
    return try timed { try expect(limit_list_merge(list, &moves, Int64(moves.count)), "merge") }
  }

  /// The numbers of rows and sections.
  static func sections(
    of connection: RawConnection, orderedBy columns: String, by column: String
  ) throws -> (rows: Int, sections: Int) {
    var counts: (Int64, Int64) = (0, 0)
    let isDone = limit_list_sections(
      connection.handle, "SELECT Z_PK FROM ZITEM ORDER BY \(columns)",
      "SELECT \(column) FROM ZITEM WHERE Z_PK = ?", &counts.0, &counts.1)
    guard isDone else { throw BenchmarkError.childFailed("limit: sections") }
    return (Int(counts.0), Int(counts.1))
  }

  private func expect(_ isDone: Bool, _ work: String) throws {
    guard isDone else { throw BenchmarkError.childFailed("limit: \(work)") }
  }
}
