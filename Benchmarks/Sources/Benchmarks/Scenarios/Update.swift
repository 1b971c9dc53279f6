import CoreData
import GRDB
import CSQLite

/// All rows are fetched as objects, one value of each is changed, and the changes are committed in one
/// transaction. Every run gets a new copy of the store.
extension Scenario {
  static func update(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let fixture = try Fixture(count: count, in: workspace)
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours(run: workspace.onCopies(of: fixture.url, updateOurs)),
        Contestant(name: "raw", run: workspace.onCopies(of: fixture.url, updateRaw)),
        Contestant(name: "GRDB", run: workspace.onCopies(of: fixture.url, updateGRDB)),
        Contestant(
          name: "limit",
          run: workspace.onCopies(of: fixture.url) { store, workspace in
            let peer = try LimitPeer(store, workspace)
            return try ContinuousClock().measure { try peer.update() }
          }),
      ])
  }

  private static func updateOurs(_ store: URL, _ workspace: Workspace) throws -> Duration {
    let stack = try workspace.opening("ours") { try Stack(store) }
    let duration = try ContinuousClock().measure {
      for item in try stack.context.fetch(Item.allChildren) { item.order += 1 }
      try stack.context.save()
    }
    try stack.close()
    return duration
  }

  private static func updateRaw(_ store: URL, _ workspace: Workspace) throws -> Duration {
    let connection = try workspace.opening("raw") {
      try RawConnection(store, settings: workspace.settings)
    }
    return try ContinuousClock().measure {
      try connection.execute("BEGIN IMMEDIATE")
      let update = try RawStatement(
        "UPDATE ZITEM SET ZORDER = ?, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?", on: connection.handle)
      for item in try RawItem.allChildren(on: connection) {
        sqlite3_bind_int64(update.handle, 1, item.order + 1)
        sqlite3_bind_int64(update.handle, 2, item.key)
        _ = try update.step()
        sqlite3_reset(update.handle)
      }
      try connection.execute("COMMIT")
    }
  }

  private static func updateGRDB(_ store: URL, _ workspace: Workspace) throws -> Duration {
    let queue = try workspace.opening("GRDB") {
      try GRDBItem.open(store, settings: workspace.settings)
    }
    return try ContinuousClock().measure {
      try queue.write { database in
        for var item in try GRDBItem.filter(GRDBItem.Columns.parent != nil).fetchAll(database) {
          item.order += 1
          try item.update(database, columns: [GRDBItem.Columns.order])
        }
      }
    }
  }
}
