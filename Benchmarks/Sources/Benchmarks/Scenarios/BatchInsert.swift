import CoreData
import CSQLite

/// New rows from values that lie ready, in one transaction, without objects: ours by a batch insert
/// request that fills one object over and over, and in another way by one that fills dictionaries.
extension Scenario {
  static func batchInsert(_ count: Int, in workspace: Workspace) throws -> Scenario {
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
        .ours(run: run { try insertOurs($0, into: $1, $2, filling: objects) }),
        .ours(
          way: "dictionaries", run: run { try insertOurs($0, into: $1, $2, filling: dictionaries) }),
        Contestant(name: "raw", run: run(insertRowsRaw)),
        Contestant(
          name: "limit",
          run: workspace.onCopies(of: empty) { store, workspace in
            let peer = try LimitPeer(store, workspace)
            return try ContinuousClock().measure { try peer.insertDictionaries(values) }
          }),
      ])
  }

  private static func insertOurs(
    _ rows: [ItemValues], into store: URL, _ workspace: Workspace,
    filling request: ([ItemValues]) -> NSBatchInsertRequest
  ) throws -> Duration {
    let stack = try workspace.opening("ours") { try Stack(store) }
    let duration = try ContinuousClock().measure {
      _ = try stack.context.execute(request(rows))
    }
    try stack.close()
    return duration
  }

  private static func objects(_ rows: [ItemValues]) -> NSBatchInsertRequest {
    var next = 0
    return NSBatchInsertRequest(
      entityName: "Item",
      managedObjectHandler: { object in
        guard next < rows.count, let item = object as? Item else { return true }
        item.set(rows[next])
        next += 1
        return false
      })
  }

  private static func dictionaries(_ rows: [ItemValues]) -> NSBatchInsertRequest {
    var next = 0
    return NSBatchInsertRequest(
      entityName: "Item",
      dictionaryHandler: { dictionary in
        guard next < rows.count else { return true }
        let row = rows[next]
        dictionary["title"] = row.title
        dictionary["order"] = row.order
        dictionary["date"] = Date(timeIntervalSinceReferenceDate: row.date)
        dictionary["value"] = row.value
        next += 1
        return false
      })
  }

  private static func insertRowsRaw(
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
}
