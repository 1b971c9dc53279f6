import CoreData
import GRDB
import CSQLite

/// What it takes to hold every row as an object of a class with every value read, beyond a process that
/// has the store open: ``MemoryProbe`` says how it is measured.
extension Scenario {
  static func fetchMemory(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let store = try Fixture(count: count, in: workspace).url
    func run(_ work: MemoryWork) -> (Int) throws -> Outcome {
      { _ in try MemoryProbe.measure(work, on: store, count: count) }
    }
    return Scenario(
      unit: .megabytes,
      contestants: [
        .ours(run: run(.fetchOurs)), Contestant(name: "raw", run: run(.fetchRaw)),
        Contestant(name: "GRDB", run: run(.fetchGRDB)),
        Contestant(name: "limit", run: run(.fetchLimit)),
      ])
  }
}

extension MemoryWork {
  static var fetchOurs: MemoryWork {
    MemoryWork(name: "fetch, ours") { store, _, begin in
      let stack = try Stack(store)
      _ = try stack.context.root().order
      begin()
      let items = try stack.context.fetch(Item.allChildren)
      return Checksum(reading: items)
    }
  }

  static var fetchRaw: MemoryWork {
    MemoryWork(name: "fetch, raw") { store, _, begin in
      let connection = try RawConnection(store)
      _ = try connection.number("SELECT COUNT(*) FROM Z_PRIMARYKEY")
      begin()
      let items = try RawItem.allChildren(on: connection)
      return Checksum(reading: items)
    }
  }

  static var fetchGRDB: MemoryWork {
    MemoryWork(name: "fetch, GRDB") { store, _, begin in
      let queue = try GRDBItem.open(store, settings: nil)
      _ = try queue.read { try GRDBItem.fetchOne($0) }
      begin()
      let items = try queue.read {
        try GRDBItem.filter(GRDBItem.Columns.parent != nil).fetchAll($0)
      }
      return Checksum(reading: items)
    }
  }
}

extension MemoryWork {
  static var fetchLimit: MemoryWork {
    MemoryWork(name: "fetch, limit") { store, count, begin in
      let peer = try LimitPeer(store)
      _ = try peer.fault(Fixture.rootKey..<Fixture.rootKey + 1)
      begin()
      let checksum = try peer.fetch()
      // Whose child it is was asked of each, which the others are not.
      return withExtendedLifetime(peer) { checksum.less(integers: Int64(count)) }
    }
  }
}

extension Checksum {
  fileprivate func less(integers: Int64) -> Checksum {
    var result = self
    result.add(-integers)
    return result
  }

  /// All items are there until the last has been read.
  fileprivate init(reading items: [some ItemReading]) {
    self.init()
    withExtendedLifetime(items) { for item in items { add(item) } }
  }
}
