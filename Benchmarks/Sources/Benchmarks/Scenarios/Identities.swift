import CoreData
import GRDB
import CSQLite

/// The identities of all rows in order, with an index for the order or without one. Ours as a lazy collection,
/// which makes an object ID when its position is asked for, and in another way as an array of all object
/// IDs; the peers read the keys.
extension Scenario {
  static func identities(
    _ count: Int, isIndexed: Bool, in workspace: Workspace
  ) throws -> Scenario {
    let index = isIndexed ? ["order"] : []
    let store = try Fixture(count: count, indexedBy: index, in: workspace).url
    let stack = try workspace.opening("ours") { try Stack(store, indexedBy: index) }
    let connection = try workspace.opening("raw") {
      try RawConnection(store, settings: workspace.settings)
    }
    let queue = try workspace.opening("GRDB") {
      try GRDBItem.open(store, settings: workspace.settings)
    }
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours { _ in try identities { try stack.context.fetchLazily($0) } },
        .ours(way: "array") { _ in try identities { try stack.context.fetch($0) } },
        Contestant(name: "raw") { _ in try keys { try connection.keys(orderedBy: "ZORDER") } },
        Contestant(name: "GRDB") { _ in
          try keys {
            let columns = GRDBItem.select(GRDBItem.Columns.key, as: Int64.self)
            return try queue.read {
              try columns.order(GRDBItem.Columns.order).fetchAll($0)
            }
          }
        },
      ])
  }

  private static func identities<Identities: Sequence<NSManagedObjectID>>(
    _ fetch: (NSFetchRequest<NSManagedObjectID>) throws -> Identities
  ) throws -> Outcome {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Item")
    request.resultType = .managedObjectIDResultType
    request.sortDescriptors = [NSSortDescriptor(key: "order", ascending: true)]
    var found: Identities?
    let duration = try ContinuousClock().measure { found = try fetch(request) }
    let keys = found?.map { identity in
      Int64(identity.uriRepresentation().lastPathComponent.dropFirst()) ?? 0
    }
    return Outcome(duration: duration, checksum: Checksum(ofOrder: keys ?? []))
  }

  private static func keys(_ read: () throws -> [Int64]) throws -> Outcome {
    var keys: [Int64] = []
    let duration = try ContinuousClock().measure { keys = try read() }
    return Outcome(duration: duration, checksum: Checksum(ofOrder: keys))
  }
}

extension RawConnection {
  /// The keys of all items in order.
  func keys(orderedBy columns: String) throws -> [Int64] {
    let rows = try RawStatement("SELECT Z_PK FROM ZITEM ORDER BY \(columns)", on: handle)
    var keys: [Int64] = []
    while try rows.step() { keys.append(sqlite3_column_int64(rows.handle, 0)) }
    return keys
  }
}

extension Checksum {
  /// The place of each key among the others counts.
  fileprivate init(ofOrder keys: [Int64]) {
    self.init()
    for (place, key) in keys.enumerated() {
      addRow()
      add(key &* Int64(place + 1))
    }
  }
}
