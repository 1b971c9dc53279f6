import CoreData
import GRDB
import CSQLite

/// From a file and a model to the values of a first object: what a program waits for at its start. The
/// peers open a connection and read a row; ours reads and checks the store's metadata too.
extension Scenario {
  static func openStore(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let fixture = try Fixture(count: count, in: workspace)
    let model = ItemModel.make()
    return Scenario(
      unit: .microseconds,
      contestants: [
        .ours { _ in try openOurs(fixture.url, model, workspace) },
        Contestant(name: "raw") { _ in try openRaw(fixture.url, workspace) },
        Contestant(name: "GRDB") { _ in try openGRDB(fixture.url, workspace) },
        Contestant(name: "limit") { _ in try openLimit(fixture.url, model, workspace) },
      ])
  }

  private static func openOurs(
    _ store: URL, _ model: NSManagedObjectModel, _ workspace: Workspace
  ) throws -> Outcome {
    let request = NSFetchRequest<Item>(entityName: "Item")
    request.fetchLimit = 1
    var checksum = Checksum()
    var opened: Stack?
    let duration = try ContinuousClock().measure {
      let stack = try workspace.opening("ours") { try Stack(store, model: model) }
      for item in try stack.context.fetch(request) { checksum.add(item) }
      opened = stack
    }
    try opened?.close()
    return Outcome(duration: duration, checksum: checksum)
  }

  private static func openRaw(_ store: URL, _ workspace: Workspace) throws -> Outcome {
    var checksum = Checksum()
    var opened: RawConnection?
    let duration = try ContinuousClock().measure {
      let connection = try workspace.opening("raw") {
        try RawConnection(store, settings: workspace.settings)
      }
      let row = try RawStatement(RawItem.selection + " LIMIT 1", on: connection.handle)
      while try row.step() { checksum.add(RawItem(row)) }
      opened = connection
    }
    return withExtendedLifetime(opened) { Outcome(duration: duration, checksum: checksum) }
  }

  private static func openLimit(
    _ store: URL, _ model: NSManagedObjectModel, _ workspace: Workspace
  ) throws -> Outcome {
    let hash = model.entityVersionHashesByName["Item"] ?? Data()
    var checksum = Checksum()
    var opened: RawConnection?
    let duration = try ContinuousClock().measure {
      (opened, checksum) = try LimitPeer.openStore(store, versionHash: hash, workspace)
    }
    return withExtendedLifetime(opened) { Outcome(duration: duration, checksum: checksum) }
  }

  private static func openGRDB(_ store: URL, _ workspace: Workspace) throws -> Outcome {
    var checksum = Checksum()
    var opened: DatabaseQueue?
    let duration = try ContinuousClock().measure {
      let queue = try workspace.opening("GRDB") {
        try GRDBItem.open(store, settings: workspace.settings)
      }
      let item = try queue.read { try GRDBItem.fetchOne($0) }
      if let item { checksum.add(item) }
      opened = queue
    }
    return withExtendedLifetime(opened) { Outcome(duration: duration, checksum: checksum) }
  }
}
