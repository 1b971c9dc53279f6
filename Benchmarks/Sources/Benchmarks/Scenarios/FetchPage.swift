import CoreData
import GRDB
import CSQLite

/// Pages of rows by their identities, as a list reads what comes into view, and every value of each: the
/// mean time of a page. A page's rows lie far from each other in the store.
///
/// Ours twice: as the batches of a lazy fetch, which is how a list reads, and by a fetch of its own for each page with
/// a predicate that names object IDs. Raw asks with `IN`, as one writes it.
extension Scenario {
  private static let pages = 500

  static func fetchPage(_ length: Int, in workspace: Workspace) throws -> Scenario {
    let fixture = try Fixture(count: pages * length, in: workspace)
    let all = Array(fixture.keys)
    let keys = (0..<pages).map { page in (0..<length).map { all[page + $0 * pages] } }
    try orderPages(of: length, from: all[0], in: fixture.url)
    return Scenario(
      unit: .microseconds,
      contestants: [
        .ours { _ in try readList(length, fixture.url, workspace) },
        .ours(way: "predicate") { _ in try readOurs(keys, fixture.url, workspace) },
        Contestant(name: "raw") { _ in try readRaw(keys, length, fixture.url, workspace) },
        Contestant(name: "GRDB") { _ in try readGRDB(keys, fixture.url, workspace) },
      ])
  }

  /// Gives the rows values in whose order they are page after page.
  private static func orderPages(of length: Int, from first: Int64, in store: URL) throws {
    let raw = try RawConnection(store)
    let place = "(Z_PK - \(first))"
    try raw.execute(
      "UPDATE ZITEM SET ZVALUE = \(place) % \(pages) * \(length) + \(place) / \(pages) "
        + "WHERE ZPARENT IS NOT NULL")
    try raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private static func readList(
    _ length: Int, _ store: URL, _ workspace: Workspace
  ) throws -> Outcome {
    let stack = try workspace.opening("ours") { try Stack(store) }
    let request = Item.allChildren
    request.sortDescriptors = [NSSortDescriptor(key: "value", ascending: true)]
    request.fetchBatchSize = length
    let list = try stack.context.fetchLazily(request)
    var checksum = Checksum()
    let duration = ContinuousClock().measure {
      for item in list { checksum.add(item) }
    }
    try stack.close()
    return Outcome(duration: duration / pages, checksum: checksum)
  }

  private static func readOurs(
    _ pages: [[Int64]], _ store: URL, _ workspace: Workspace
  ) throws -> Outcome {
    let stack = try workspace.opening("ours") { try Stack(store) }
    let identities = try stack.identitiesByKey()
    let pages = pages.map { keys in keys.compactMap { identities[$0] } }
    var checksum = Checksum()
    let duration = try ContinuousClock().measure {
      for page in pages {
        let request = NSFetchRequest<Item>(entityName: "Item")
        request.predicate = NSPredicate(format: "SELF IN %@", page)
        for item in try stack.context.fetch(request) { checksum.add(item) }
      }
    }
    try stack.close()
    return Outcome(duration: duration / pages.count, checksum: checksum)
  }

  private static func readRaw(
    _ pages: [[Int64]], _ length: Int, _ store: URL, _ workspace: Workspace
  ) throws -> Outcome {
    let connection = try workspace.opening("raw") {
      try RawConnection(store, settings: workspace.settings)
    }
    var checksum = Checksum()
    let duration = try ContinuousClock().measure {
      let places = Array(repeating: "?", count: length).joined(separator: ",")
      let rows = try RawStatement(
        RawItem.selection + " WHERE Z_PK IN (\(places))", on: connection.handle)
      for page in pages {
        for (place, key) in page.enumerated() {
          sqlite3_bind_int64(rows.handle, Int32(place + 1), key)
        }
        // A list has all objects of a page at once.
        var items: [RawItem] = []
        items.reserveCapacity(length)
        while try rows.step() { items.append(RawItem(rows)) }
        sqlite3_reset(rows.handle)
        for item in items { checksum.add(item) }
      }
    }
    return Outcome(duration: duration / pages.count, checksum: checksum)
  }

  private static func readGRDB(
    _ pages: [[Int64]], _ store: URL, _ workspace: Workspace
  ) throws -> Outcome {
    let queue = try workspace.opening("GRDB") {
      try GRDBItem.open(store, settings: workspace.settings)
    }
    var checksum = Checksum()
    let duration = try ContinuousClock().measure {
      for page in pages {
        for item in try queue.read({ try GRDBItem.fetchAll($0, keys: page) }) {
          checksum.add(item)
        }
      }
    }
    return Outcome(duration: duration / pages.count, checksum: checksum)
  }
}

extension Stack {
  /// The identities of all rows by their keys, which end their URIs.
  fileprivate func identitiesByKey() throws -> [Int64: NSManagedObjectID] {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Item")
    request.resultType = .managedObjectIDResultType
    let pairs = try context.fetch(request).map { identity in
      (Int64(identity.uriRepresentation().lastPathComponent.dropFirst()) ?? 0, identity)
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }
}
