import CoreData
import GRDB
import CSQLite

/// A large import in batches: each is inserted and committed by itself, and a context forgets it then, so
/// that memory does not grow with the import: `import-memory-…` is what it takes, beyond a process that
/// has the store open.
extension Scenario {
  static func bulkImport(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let empty = try Fixture.emptyStore(in: workspace)
    let rows = ItemValues.make(count: count)
    let values = LimitValues(rows)
    func run(
      _ insert: @escaping (ItemImport, URL, Workspace) throws -> Duration
    ) -> (Int) throws -> Outcome {
      let work = ItemImport(count: count) { rows[$0] }
      return workspace.onCopies(of: empty) { try insert(work, $0, $1) }
    }
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours(run: run(importOurs)), Contestant(name: "raw", run: run(importRaw)),
        Contestant(name: "GRDB", run: run(importGRDB)),
        Contestant(
          name: "limit",
          run: run { work, store, workspace in
            let peer = try LimitPeer(store, workspace)
            return try ContinuousClock().measure {
              for batch in work.batches { try peer.insert(.init(rebasing: values.all[batch])) }
            }
          }),
      ])
  }

  /// The same into a table with two indexes, whose keys come in no order, in batches of a hundred thousand: each commit
  /// writes pages from all over the indexes. All sides have 64 MB for pages, as a large save of ours takes.
  static func indexedImport(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let keys = ["title", "value"]
    let empty = try Fixture.emptyStore(indexedBy: keys, in: workspace)
    // Neighbours are far from each other: the factor shares no divisor with the count.
    let rows = (0..<count).map { ItemValues($0 * 617_761 % count) }
    let values = LimitValues(rows)
    let work = ItemImport(count: count, batch: 100_000) { rows[$0] }
    let pages = "PRAGMA cache_size = -65536"
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours(
          run: workspace.onCopies(of: empty) { store, workspace in
            let stack = try workspace.opening("ours") { try Stack(store, indexedBy: keys) }
            let duration = try ContinuousClock().measure { try work.run(into: stack.context) }
            try stack.close()
            return duration
          }),
        Contestant(
          name: "raw",
          run: workspace.onCopies(of: empty) { store, workspace in
            let connection = try workspace.opening("raw") {
              try RawConnection(store, settings: workspace.settings)
            }
            try connection.execute(pages)
            return try ContinuousClock().measure { try work.run(into: connection) }
          }),
        Contestant(
          name: "limit",
          run: workspace.onCopies(of: empty) { store, workspace in
            let peer = try LimitPeer(store, workspace)
            try peer.connection.execute(pages)
            return try ContinuousClock().measure {
              for batch in work.batches { try peer.insert(.init(rebasing: values.all[batch])) }
            }
          }),
      ])
  }

  static func importMemory(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let empty = try Fixture.emptyStore(in: workspace)
    func run(_ work: MemoryWork) -> (Int) throws -> Outcome {
      { _ in
        let store = try workspace.copy(of: empty)
        defer { workspace.delete(store) }
        return try MemoryProbe.measure(work, on: store, count: count)
      }
    }
    return Scenario(
      unit: .megabytes,
      contestants: [.ours(run: run(.importOurs)), Contestant(name: "raw", run: run(.importRaw))])
  }

  private static func importOurs(
    _ work: ItemImport, _ store: URL, _ workspace: Workspace
  ) throws -> Duration {
    let stack = try workspace.opening("ours") { try Stack(store) }
    let duration = try ContinuousClock().measure { try work.run(into: stack.context) }
    try stack.close()
    return duration
  }

  private static func importRaw(
    _ work: ItemImport, _ store: URL, _ workspace: Workspace
  ) throws -> Duration {
    let connection = try workspace.opening("raw") {
      try RawConnection(store, settings: workspace.settings)
    }
    return try ContinuousClock().measure { try work.run(into: connection) }
  }

  private static func importGRDB(
    _ work: ItemImport, _ store: URL, _ workspace: Workspace
  ) throws -> Duration {
    let queue = try workspace.opening("GRDB") {
      try GRDBItem.open(store, settings: workspace.settings)
    }
    return try ContinuousClock().measure { try work.run(into: queue) }
  }
}

extension MemoryWork {
  static var importOurs: MemoryWork {
    MemoryWork(name: "import, ours") { store, count, begin in
      let stack = try Stack(store)
      _ = try stack.context.count(for: NSFetchRequest<Item>(entityName: "Item"))
      begin()
      try ItemImport(count: count, row: ItemValues.init).run(into: stack.context)
      try stack.close()
      return try Checksum(ofStore: store)
    }
  }

  static var importRaw: MemoryWork {
    MemoryWork(name: "import, raw") { store, count, begin in
      let connection = try RawConnection(store)
      _ = try connection.number("SELECT COUNT(*) FROM ZITEM")
      begin()
      try ItemImport(count: count, row: ItemValues.init).run(into: connection)
      return try Checksum(ofStore: store)
    }
  }
}

/// Rows that are asked for one by one, and put into a store in batches.
struct ItemImport {
  let count: Int
  var batch = 10_000
  let row: (Int) -> ItemValues

  var batches: [Range<Int>] {
    stride(from: 0, to: count, by: batch).map { $0..<min($0 + batch, count) }
  }

  func run(into context: NSManagedObjectContext) throws {
    for batch in batches {
      for number in batch { Item(context: context).set(row(number)) }
      try context.save()
      context.reset()
    }
  }

  func run(into connection: RawConnection) throws {
    let insertion = try RawStatement(RawItem.insertion, on: connection.handle)
    for batch in batches {
      try connection.execute("BEGIN IMMEDIATE")
      for number in batch {
        try RawItem.insert(row(number), key: Int64(number + 1), parent: nil, insertion)
      }
      try connection.execute(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = \(batch.upperBound) WHERE Z_ENT = 1")
      try connection.execute("COMMIT")
    }
  }

  func run(into queue: DatabaseQueue) throws {
    for batch in batches {
      try queue.write { database in
        for number in batch {
          try GRDBItem(row(number), key: Int64(number + 1)).insert(database)
        }
        try database.execute(
          sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = 1", arguments: [batch.upperBound])
      }
    }
  }
}
