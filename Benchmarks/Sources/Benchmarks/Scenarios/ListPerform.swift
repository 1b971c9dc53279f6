import CoreData
import GRDB
import CSQLite

/// A fetched results controller's first fetch of all rows, in the order of an index and in batches of 20,
/// against the bare query for the keys in that order; `frc-perform-memory-…` is what it takes, beyond a
/// process that has the store open.
extension Scenario {
  static func listPerform(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let store = try Fixture(count: count, indexedBy: ["order"], in: workspace).url
    let queue = try workspace.opening("GRDB") {
      try GRDBItem.open(store, settings: workspace.settings)
    }
    let keys = GRDBItem.select(GRDBItem.Columns.key, as: Int64.self)
      .order(GRDBItem.Columns.order)
    let list = OrderedList(store: store, keys: ["order"], workspace: workspace)
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours { _ in try list.perform() },
        Contestant(name: "raw") { _ in try list.performRaw() },
        Contestant(name: "GRDB") { _ in
          try list.timing { try queue.read { try keys.fetchAll($0) } }
        },
      ])
  }

  static func listMemory(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let store = try Fixture(count: count, indexedBy: ["order"], in: workspace).url
    func run(_ work: MemoryWork) -> (Int) throws -> Outcome {
      { _ in try MemoryProbe.measure(work, on: store, count: count) }
    }
    return Scenario(
      unit: .megabytes,
      contestants: [.ours(run: run(.performOurs)), Contestant(name: "raw", run: run(.performRaw))])
  }
}

extension MemoryWork {
  static var performOurs: MemoryWork {
    MemoryWork(name: "perform, ours") { store, count, begin in
      let stack = try Stack(store, indexedBy: ["order"])
      _ = try stack.context.root().order
      begin()
      let controller = stack.controller(orderedBy: ["order"])
      try controller.performFetch()
      return Checksum(ofRows: controller.sections?[0].numberOfObjects ?? 0)
    }
  }

  static var performRaw: MemoryWork {
    MemoryWork(name: "perform, raw") { store, _, begin in
      let connection = try RawConnection(store)
      _ = try connection.number("SELECT COUNT(*) FROM Z_PRIMARYKEY")
      begin()
      return Checksum(ofRows: try connection.keys(orderedBy: "ZORDER").count)
    }
  }
}

extension Checksum {
  fileprivate init(ofRows count: Int) {
    self.init()
    add(count)
  }
}
