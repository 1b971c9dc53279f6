import CoreData
import GRDB
import CSQLite

/// All rows are fetched as objects and deleted one by one, in one transaction. Every run gets a new copy
/// of the store. Ours looks for the children of each as well, which its delete rule is about: there are
/// none, and the peers do not ask.
extension Scenario {
  static func delete(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let fixture = try Fixture(count: count, in: workspace)
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours(run: workspace.onCopies(of: fixture.url, deleteOurs)),
        Contestant(name: "raw", run: workspace.onCopies(of: fixture.url, deleteRaw)),
        Contestant(name: "GRDB", run: workspace.onCopies(of: fixture.url, deleteGRDB)),
        Contestant(
          name: "limit",
          run: workspace.onCopies(of: fixture.url) { store, workspace in
            let peer = try LimitPeer(store, workspace)
            return try ContinuousClock().measure { try peer.delete() }
          }),
      ])
  }

  private static func deleteOurs(_ store: URL, _ workspace: Workspace) throws -> Duration {
    let stack = try workspace.opening("ours") { try Stack(store) }
    let duration = try ContinuousClock().measure {
      for item in try stack.context.fetch(Item.allChildren) { stack.context.delete(item) }
      try stack.context.save()
    }
    try stack.close()
    return duration
  }

  private static func deleteRaw(_ store: URL, _ workspace: Workspace) throws -> Duration {
    let connection = try workspace.opening("raw") {
      try RawConnection(store, settings: workspace.settings)
    }
    return try ContinuousClock().measure {
      try connection.execute("BEGIN IMMEDIATE")
      let delete = try RawStatement("DELETE FROM ZITEM WHERE Z_PK = ?", on: connection.handle)
      for item in try RawItem.allChildren(on: connection) {
        sqlite3_bind_int64(delete.handle, 1, item.key)
        _ = try delete.step()
        sqlite3_reset(delete.handle)
      }
      try connection.execute("COMMIT")
    }
  }

  private static func deleteGRDB(_ store: URL, _ workspace: Workspace) throws -> Duration {
    let queue = try workspace.opening("GRDB") {
      try GRDBItem.open(store, settings: workspace.settings)
    }
    return try ContinuousClock().measure {
      try queue.write { database in
        for item in try GRDBItem.filter(GRDBItem.Columns.parent != nil).fetchAll(database) {
          try item.delete(database)
        }
      }
    }
  }
}
