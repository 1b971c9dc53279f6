import CoreData
import GRDB
import CSQLite

/// Objects that are known by their IDs, and their values read one object after the other: one SELECT by
/// key each, outside of a transaction, so that each sees the newest row. The third peer spares itself
/// that in one transaction around all.
extension Scenario {
  static func fault(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let fixture = try Fixture(count: count, in: workspace)
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours { _ in try fireOurs(fixture, workspace) },
        Contestant(name: "raw") { _ in try fireRaw(fixture, workspace, isOneTransaction: false) },
        Contestant(name: "GRDB") { _ in try fireGRDB(fixture, workspace) },
        Contestant(name: "raw, one transaction") { _ in
          try fireRaw(fixture, workspace, isOneTransaction: true)
        },
        Contestant(name: "limit") { _ in
          let peer = try LimitPeer(fixture.url, workspace)
          var checksum = Checksum()
          let duration = try ContinuousClock().measure { checksum = try peer.fault(fixture.keys) }
          return Outcome(duration: duration, checksum: checksum)
        },
      ])
  }

  private static func fireOurs(_ fixture: Fixture, _ workspace: Workspace) throws -> Outcome {
    let stack = try workspace.opening("ours") { try Stack(fixture.url) }
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Item")
    request.predicate = NSPredicate(format: "parent != nil")
    request.resultType = .managedObjectIDResultType
    let identities = try stack.context.fetch(request)
    var checksum = Checksum()
    let duration = ContinuousClock().measure {
      for identity in identities {
        if let item = stack.context.object(with: identity) as? Item { checksum.add(item) }
      }
    }
    try stack.close()
    return Outcome(duration: duration, checksum: checksum)
  }

  private static func fireRaw(
    _ fixture: Fixture, _ workspace: Workspace, isOneTransaction: Bool
  ) throws -> Outcome {
    let connection = try workspace.opening("raw") {
      try RawConnection(fixture.url, settings: workspace.settings)
    }
    var checksum = Checksum()
    let duration = try ContinuousClock().measure {
      if isOneTransaction { try connection.execute("BEGIN") }
      let row = try RawStatement(RawItem.selection + " WHERE Z_PK = ?", on: connection.handle)
      for key in fixture.keys {
        sqlite3_bind_int64(row.handle, 1, key)
        if try row.step() { checksum.add(RawItem(row)) }
        sqlite3_reset(row.handle)
      }
      if isOneTransaction { try connection.execute("COMMIT") }
    }
    return Outcome(duration: duration, checksum: checksum)
  }

  private static func fireGRDB(_ fixture: Fixture, _ workspace: Workspace) throws -> Outcome {
    let queue = try workspace.opening("GRDB") {
      try GRDBItem.open(fixture.url, settings: workspace.settings)
    }
    var checksum = Checksum()
    let duration = try ContinuousClock().measure {
      for key in fixture.keys {
        let item = try queue.read { try GRDBItem.fetchOne($0, key: key) }
        if let item { checksum.add(item) }
      }
    }
    return Outcome(duration: duration, checksum: checksum)
  }
}
