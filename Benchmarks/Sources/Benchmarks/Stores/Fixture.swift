import CoreData
import Foundation

/// A store in Apple's format with a root and `count` items under it: made by our store, filled through
/// the C API, read by all sides.
///
/// Item i (from 0) has key i + 2, order 2i (odd orders are free for rows that move), the root as parent.
struct Fixture {
  let url: URL
  let rows: [ItemValues]

  static let rootKey: Int64 = 1

  /// Of the items, in their order.
  var keys: Range<Int64> { Self.rootKey + 1..<Self.rootKey + 1 + Int64(rows.count) }

  /// With `indexedBy`, the model has an index on these attributes, so that a peer who reads the list
  /// again reads it in the fastest way there is.
  init(count: Int, indexedBy keys: [String] = [], in workspace: Workspace) throws {
    url = try Self.emptyStore(indexedBy: keys, in: workspace)
    rows = ItemValues.make(count: count)
    let raw = try RawConnection(url)
    try raw.execute("BEGIN")
    try raw.execute(
      "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZORDER, ZTITLE, ZVALUE) VALUES (1, 1, 1, -1, 'Root', 0)"
    )
    try RawItem.insert(rows, startingAt: Self.rootKey + 1, parent: Self.rootKey, on: raw)
    try raw.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(count + 1) WHERE Z_NAME = 'Item'")
    try raw.execute("COMMIT")
    try raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// A store that has its tables and no row, closed.
  static func emptyStore(
    indexedBy keys: [String] = [], in workspace: Workspace
  ) throws -> URL {
    let url = workspace.newFile()
    let stack = try workspace.opening("ours") { try Stack(url, indexedBy: keys) }
    try stack.close()
    let raw = try RawConnection(url)
    try raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return url
  }
}
