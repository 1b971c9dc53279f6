import CoreData
import CoreDataSync
import CSQLite

/// Sync of a device with a server in memory. The peer, raw SQLite, does what cannot be left out: it reads
/// or writes the same rows, or is the bytes of the values alone.
extension Scenario {
  /// What lies in a store is sent: read, noted in sync's own store, and handed on.
  static func syncPush(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let store = try SyncedStack.store(count: count, in: workspace)
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours { _ in
          try onCopy(of: store, workspace) { stack, server in
            let duration = try ContinuousClock().measure { try stack.sync() }
            return Outcome(duration: duration, checksum: Checksum(of: server.items))
          }
        },
        Contestant(name: "raw") { _ in try copyRows(from: store, workspace) },
      ])
  }

  /// An empty store gets everything that a server has.
  static func syncPull(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let store = try SyncedStack.store(count: count, in: workspace)
    let empty = try SyncedStack.store(count: 0, in: workspace)
    let server = MemorySyncServer()
    let first = try SyncedStack(workspace.copy(of: store), server)
    try first.sync()
    try first.close()
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours { _ in
          try onCopy(of: empty, workspace, server) { stack, _ in
            let duration = try ContinuousClock().measure { try stack.sync() }
            return Outcome(duration: duration, checksum: try checksum(of: stack.url))
          }
        },
        Contestant(name: "raw") { _ in try copyRows(from: store, workspace) },
      ])
  }

  /// One value is changed, saved, sent, and what comes back is looked at: the mean of twenty. The peer
  /// commits one row to each of the two stores.
  static func syncEdit(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let store = try SyncedStack.store(count: count, in: workspace)
    let ours = try SyncedStack(workspace.copy(of: store), MemorySyncServer())
    try ours.sync()
    let copies = try (0..<2).map { _ in try workspace.copy(of: store) }
    let connections = try copies.map { try RawConnection($0) }
    return Scenario(
      unit: .microseconds,
      contestants: [
        .ours { number in
          try edits(number, of: ours.url) { key, value in
            try ours.edit { context in
              let request = NSFetchRequest<Item>(entityName: "Item")
              request.predicate = NSPredicate(format: "order == %lld", 2 * key)
              for item in try context.fetch(request) { item.value = value }
            }
            try ours.sync()
          }
        },
        Contestant(name: "raw") { number in
          try edits(number, of: copies[0]) { key, value in
            for connection in connections {
              try connection.execute(
                "UPDATE ZITEM SET ZVALUE = \(value), Z_OPT = Z_OPT + 1 WHERE ZORDER = \(2 * key)")
            }
          }
        },
      ])
  }

  /// Sync's own store after everything was sent, beside the values of the records.
  static func syncStore(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let store = try SyncedStack.store(count: count, in: workspace)
    return try sizes(count, of: store, workspace) { stack, _ in stack.bytesOfOwnStore }
  }

  /// All pushes as they travel, before they are compressed, beside the values.
  static func syncWire(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let store = try SyncedStack.store(count: count, in: workspace)
    return try sizes(count, of: store, workspace) { _, server in server.bytes }
  }

  // MARK: - Work

  private static func sizes(
    _ count: Int, of store: URL, _ workspace: Workspace,
    _ size: @escaping (SyncedStack, MemorySyncServer) -> Int
  ) throws -> Scenario {
    // A text's bytes, and eight of each number and date.
    let values = ItemValues.make(count: count).reduce(0) { $0 + $1.title.utf8.count + 24 }
    let checksum = try checksum(of: store)
    return Scenario(
      unit: .megabytes,
      contestants: [
        .ours { _ in
          try onCopy(of: store, workspace, MemorySyncServer(countingBytes: true)) { stack, server in
            try stack.sync()
            try stack.close()
            return Outcome(bytes: size(stack, server), checksum: Checksum(of: server.items))
          }
        },
        Contestant(name: "values") { _ in Outcome(bytes: values, checksum: checksum) },
      ])
  }

  private static func onCopy(
    of store: URL, _ workspace: Workspace, _ server: MemorySyncServer = MemorySyncServer(),
    _ body: (SyncedStack, MemorySyncServer) throws -> Outcome
  ) throws -> Outcome {
    let stack = try SyncedStack(workspace.copy(of: store), server)
    defer { SyncedStack.delete(stack.url, workspace) }
    let outcome = try body(stack, server)
    try? stack.close()  // where the body has not
    return outcome
  }

  /// Reads all rows, and writes them to another store, 500 at once.
  private static func copyRows(from store: URL, _ workspace: Workspace) throws -> Outcome {
    let copy = try workspace.copy(of: try SyncedStack.store(count: 0, in: workspace))
    defer { workspace.delete(copy) }
    let (source, target) = (try RawConnection(store), try RawConnection(copy))
    let duration = try ContinuousClock().measure {
      let rows = try RawStatement(
        "SELECT ZORDER, ZDATE, ZVALUE, ZTITLE FROM ZITEM", on: source.handle)
      let insertion = try RawStatement(RawItem.insertion, on: target.handle)
      var key: Int64 = 0
      while try rows.step() {
        if key % 500 == 0 { try target.execute("BEGIN IMMEDIATE") }
        key += 1
        sqlite3_bind_int64(insertion.handle, 1, key)
        sqlite3_bind_int64(insertion.handle, 2, sqlite3_column_int64(rows.handle, 0))
        sqlite3_bind_double(insertion.handle, 4, sqlite3_column_double(rows.handle, 1))
        sqlite3_bind_double(insertion.handle, 5, sqlite3_column_double(rows.handle, 2))
        _ = try insertion.bind(rows.text(3) ?? "", to: 6) { try insertion.step() }
        sqlite3_reset(insertion.handle)
        if key % 500 == 0 { try target.execute("COMMIT") }
      }
      if key % 500 != 0 { try target.execute("COMMIT") }
    }
    return Outcome(duration: duration, checksum: try checksum(of: copy))
  }

  private static func edits(
    _ number: Int, of store: URL, _ edit: (Int, Double) throws -> Void
  ) throws -> Outcome {
    let duration = try ContinuousClock().measure {
      for place in 0..<20 { try edit(place, Double(number * 20 + place) + 0.5) }
    }
    return Outcome(duration: duration / 20, checksum: try checksum(of: store))
  }

  private static func checksum(of store: URL) throws -> Checksum {
    let connection = try RawConnection(store)
    let rows = try RawStatement(RawItem.selection, on: connection.handle)
    var items: [RawItem] = []
    while try rows.step() { items.append(RawItem(rows)) }
    return Checksum(of: items)
  }
}

extension Checksum {
  fileprivate init(of items: [some ItemReading]) {
    self.init()
    for item in items { add(item) }
  }
}
