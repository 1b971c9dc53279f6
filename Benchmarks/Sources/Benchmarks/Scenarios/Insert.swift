import CoreData
import GRDB

/// New rows from values that lie ready, in one transaction, to the end of the commit. Every run gets a
/// new copy of an empty store; what it then holds is read back by the same statement for all sides.
extension Scenario {
  static func insert(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let empty = try Fixture.emptyStore(in: workspace)
    let rows = ItemValues.make(count: count)
    let values = LimitValues(rows)
    func run(
      _ insert: @escaping ([ItemValues], URL, Workspace) throws -> Duration
    ) -> (Int) throws -> Outcome {
      workspace.onCopies(of: empty) { try insert(rows, $0, $1) }
    }
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours(run: run(insertOurs)), Contestant(name: "raw", run: run(insertRaw)),
        Contestant(name: "GRDB", run: run(insertGRDB)),
        Contestant(
          name: "limit",
          run: workspace.onCopies(of: empty) { store, workspace in
            let peer = try LimitPeer(store, workspace)
            return try ContinuousClock().measure { try peer.insert(values.all) }
          }),
      ])
  }

  private static func insertOurs(
    _ rows: [ItemValues], _ store: URL, _ workspace: Workspace
  ) throws -> Duration {
    let stack = try workspace.opening("ours") { try Stack(store) }
    let duration = try ContinuousClock().measure {
      for row in rows { Item(context: stack.context).set(row) }
      try stack.context.save()
    }
    try stack.close()
    return duration
  }

  private static func insertRaw(
    _ rows: [ItemValues], _ store: URL, _ workspace: Workspace
  ) throws -> Duration {
    let connection = try workspace.opening("raw") {
      try RawConnection(store, settings: workspace.settings)
    }
    return try ContinuousClock().measure {
      try connection.execute("BEGIN IMMEDIATE")
      try RawItem.insert(rows, startingAt: 1, parent: nil, on: connection)
      try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(rows.count) WHERE Z_ENT = 1")
      try connection.execute("COMMIT")
    }
  }

  private static func insertGRDB(
    _ rows: [ItemValues], _ store: URL, _ workspace: Workspace
  ) throws -> Duration {
    let queue = try workspace.opening("GRDB") {
      try GRDBItem.open(store, settings: workspace.settings)
    }
    return try ContinuousClock().measure {
      try queue.write { database in
        var key: Int64 = 1
        for row in rows {
          try GRDBItem(row, key: key).insert(database)
          key += 1
        }
        try database.execute(
          sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = 1", arguments: [rows.count])
      }
    }
  }
}
