import CoreData
import CSQLite

/// All rows of a store in an order, fetched once by a controller or as bare keys. With sections, these are
/// the values of the first key.
struct OrderedList {
  let store: URL
  let keys: [String]
  var sections: Int?
  let workspace: Workspace

  init(store: URL, keys: [String], sections: Int? = nil, workspace: Workspace) {
    self.store = store
    self.keys = keys
    self.sections = sections
    self.workspace = workspace
  }

  /// The proof reads the objects at both ends.
  func perform(cacheName: String? = nil, sectionedBy heading: String? = nil) throws -> Outcome {
    let stack = try workspace.opening("ours") { try Stack(store, indexedBy: keys) }
    let controller = stack.controller(
      orderedBy: keys, sectionNameKeyPath: heading ?? sections.map { _ in keys[0] },
      cacheName: cacheName)
    controller.hasContiguousSections = heading != nil
    let duration = try ContinuousClock().measure { try controller.performFetch() }
    let found = controller.sections ?? []
    try BenchmarkError.expect("Sections", found.count, toBe: sections ?? 1)
    let last = IndexPath(row: (found.last?.numberOfObjects ?? 0) - 1, section: found.count - 1)
    var checksum = Checksum()
    checksum.add(found.reduce(0) { $0 + $1.numberOfObjects })
    checksum.add(controller.object(at: IndexPath(row: 0, section: 0)).order)
    checksum.add(controller.object(at: last).order)
    try stack.close()
    return Outcome(duration: duration, checksum: checksum)
  }

  func performRaw() throws -> Outcome {
    let connection = try workspace.opening("raw") {
      try RawConnection(store, settings: workspace.settings)
    }
    let columns = keys.map { "Z\($0.uppercased())" }.joined(separator: ", ")
    return try timing { try connection.keys(orderedBy: columns) }
  }

  func performRawSections() throws -> Outcome {
    let connection = try workspace.opening("raw") {
      try RawConnection(store, settings: workspace.settings)
    }
    let columns = keys.map { "Z\($0.uppercased())" }.joined(separator: ", ")
    let name = try RawStatement(
      "SELECT Z\(keys[0].uppercased()) FROM ZITEM WHERE Z_PK = ?", on: connection.handle)
    var ends: [Int] = []
    let outcome = try timing {
      let found = try connection.keys(orderedBy: columns)
      ends = try Self.sectionEnds(found, name)
      return found
    }
    try BenchmarkError.expect("Sections", ends.count, toBe: sections ?? 1)
    return outcome
  }

  func performLimitSections() throws -> Outcome {
    let connection = try workspace.opening("limit") {
      try RawConnection(store, settings: workspace.settings)
    }
    let columns = keys.map { "Z\($0.uppercased())" }
    var found = (rows: 0, sections: 0)
    let duration = try ContinuousClock().measure {
      found = try LimitList.sections(
        of: connection, orderedBy: columns.joined(separator: ", "), by: columns[0])
    }
    try BenchmarkError.expect("Sections", found.sections, toBe: sections ?? 1)
    // The orders at both ends follow from the number of rows, as the fixture has them.
    var checksum = Checksum()
    checksum.add(found.rows)
    checksum.add(-1)
    checksum.add(2 * (found.rows - 2))
    return Outcome(duration: duration, checksum: checksum)
  }

  private static func sectionEnds(_ keys: [Int64], _ name: RawStatement) throws -> [Int] {
    func read(_ rank: Int) throws -> String {
      defer { sqlite3_reset(name.handle) }
      sqlite3_bind_int64(name.handle, 1, keys[rank])
      return try name.step() ? name.text(0) ?? "" : ""
    }
    var ends: [Int] = []
    func halve(_ low: Int, _ lowName: String, _ high: Int, _ highName: String) throws {
      if lowName == highName { return }
      if high == low + 1 { return ends.append(high) }
      let middle = (low + high) / 2
      let middleName = try read(middle)
      try halve(low, lowName, middle, middleName)
      try halve(middle, middleName, high, highName)
    }
    try halve(0, read(0), keys.count - 1, read(keys.count - 1))
    return ends + [keys.count]
  }

  /// Key k has the order 2(k - 2), the root -1.
  func timing(_ read: () throws -> [Int64]) throws -> Outcome {
    var keys: [Int64] = []
    let duration = try ContinuousClock().measure { keys = try read() }
    var checksum = Checksum()
    checksum.add(keys.count)
    for key in [keys[0], keys[keys.count - 1]] { checksum.add(max(-1, 2 * (key - 2))) }
    return Outcome(duration: duration, checksum: checksum)
  }
}

extension Stack {
  func controller(
    orderedBy keys: [String], sectionNameKeyPath: String? = nil, cacheName: String? = nil
  ) -> NSFetchedResultsController<Item> {
    let request = NSFetchRequest<Item>(entityName: "Item")
    request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
    request.fetchBatchSize = 20
    return NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context,
      sectionNameKeyPath: sectionNameKeyPath, cacheName: cacheName)
  }
}
