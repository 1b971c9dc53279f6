import CoreData
import GRDB
import CSQLite

/// Every row as an object of a class, and every value of each read once: title, order, date, value, and
/// whose child it is. All sides read the same file, over a connection that has read one row before.
extension Scenario {
  static func fetch(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let fixture = try Fixture(count: count, in: workspace)
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours { _ in try fetchOurs(fixture, workspace) },
        Contestant(name: "raw") { _ in try fetchRaw(fixture, workspace) },
        Contestant(name: "GRDB") { _ in try fetchGRDB(fixture, workspace) },
        Contestant(name: "limit") { _ in try fetchLimit(fixture, workspace) },
      ])
  }

  private static func fetchOurs(_ fixture: Fixture, _ workspace: Workspace) throws -> Outcome {
    let stack = try workspace.opening("ours") { try Stack(fixture.url) }
    let request = NSFetchRequest<Item>(entityName: "Item")
    request.predicate = NSPredicate(format: "parent = nil")
    let root = try stack.context.fetch(request)[0]
    request.predicate = NSPredicate(format: "parent != nil")
    var checksum = Checksum()
    var items: [Item] = []
    let duration = try ContinuousClock().measure {
      items = try stack.context.fetch(request)
      for item in items {
        checksum.addRow()
        checksum.add(item.title)
        checksum.add(item.order)
        checksum.add(item.date?.timeIntervalSinceReferenceDate ?? 0)
        checksum.add(item.value)
        checksum.add(item.parent === root ? 1 : 0)
      }
    }
    try stack.close()
    return Outcome(duration: duration, checksum: checksum)
  }

  private static func fetchRaw(_ fixture: Fixture, _ workspace: Workspace) throws -> Outcome {
    let connection = try workspace.opening("raw") {
      try RawConnection(fixture.url, settings: workspace.settings)
    }
    let first = try RawStatement(
      RawItem.selection + " WHERE ZPARENT IS NULL", on: connection.handle)
    _ = try first.step()
    let root = RawItem(first).key
    var checksum = Checksum()
    var items: [RawItem] = []
    let duration = try ContinuousClock().measure {
      let rows = try RawStatement(
        RawItem.selection + " WHERE ZPARENT IS NOT NULL", on: connection.handle)
      while try rows.step() { items.append(RawItem(rows)) }
      for item in items {
        checksum.addRow()
        checksum.add(item.title)
        checksum.add(item.order)
        checksum.add(item.date?.timeIntervalSinceReferenceDate ?? 0)
        checksum.add(item.value)
        checksum.add(item.parent == root ? 1 : 0)
      }
    }
    return Outcome(duration: duration, checksum: checksum)
  }

  private static func fetchLimit(_ fixture: Fixture, _ workspace: Workspace) throws -> Outcome {
    let peer = try LimitPeer(fixture.url, workspace)
    var checksum = Checksum()
    let duration = try ContinuousClock().measure { checksum = try peer.fetch() }
    return withExtendedLifetime(peer) { Outcome(duration: duration, checksum: checksum) }
  }

  private static func fetchGRDB(_ fixture: Fixture, _ workspace: Workspace) throws -> Outcome {
    let queue = try workspace.opening("GRDB") {
      try GRDBItem.open(fixture.url, settings: workspace.settings)
    }
    let parent = GRDBItem.Columns.parent
    let root = try queue.read { try GRDBItem.filter(parent == nil).fetchOne($0) }?.key
    var checksum = Checksum()
    var items: [GRDBItem] = []
    let duration = try ContinuousClock().measure {
      items = try queue.read { try GRDBItem.filter(parent != nil).fetchAll($0) }
      for item in items {
        checksum.addRow()
        checksum.add(item.title)
        checksum.add(item.order)
        checksum.add(item.date?.timeIntervalSinceReferenceDate ?? 0)
        checksum.add(item.value)
        checksum.add(item.parent == root ? 1 : 0)
      }
    }
    return Outcome(duration: duration, checksum: checksum)
  }
}
