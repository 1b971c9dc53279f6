import Foundation
import Limit

/// The least that Core Data's contract demands, in C: `Sources/Limit/graph.h` says which promise demands
/// which part. It has the raw peer's connection.
final class LimitPeer {
  let connection: RawConnection
  private let graph: OpaquePointer

  init(_ store: URL, _ workspace: Workspace) throws {
    connection = try workspace.opening("limit") {
      try RawConnection(store, settings: workspace.settings)
    }
    graph = limit_graph_open(connection.handle)
  }

  /// Without a look at its settings.
  init(_ store: URL) throws {
    connection = try RawConnection(store)
    graph = limit_graph_open(connection.handle)
  }

  deinit { limit_graph_close(graph) }

  func fetch() throws -> Checksum {
    var sum = limit_sum()
    try expect(limit_fetch(graph, Fixture.rootKey, &sum), "fetch")
    return Checksum(sum)
  }

  func fault(_ keys: Range<Int64>) throws -> Checksum {
    var sum = limit_sum()
    try expect(limit_fault(graph, keys.lowerBound, keys.upperBound, &sum), "fault")
    return Checksum(sum)
  }

  func insert(_ values: UnsafeBufferPointer<limit_values>) throws {
    try expect(limit_insert(graph, values.baseAddress, Int64(values.count)), "insert")
  }

  func insertDictionaries(_ values: LimitValues) throws {
    let all = values.all
    let isDone = limit_insert_dictionaries(connection.handle, all.baseAddress, Int64(all.count))
    try expect(isDone, "batch insert")
  }

  func update() throws { try expect(limit_update(graph), "update") }

  func delete() throws { try expect(limit_delete(graph), "delete") }

  /// Of a new connection.
  static func openStore(
    _ store: URL, versionHash: Data, _ workspace: Workspace
  ) throws -> (RawConnection, Checksum) {
    let connection = try workspace.opening("limit") {
      try RawConnection(store, settings: workspace.settings)
    }
    var sum = limit_sum()
    let isDone = versionHash.withUnsafeBytes { hash in
      limit_open_store(
        connection.handle, "Item", hash.baseAddress?.assumingMemoryBound(to: UInt8.self),
        Int64(hash.count), &sum)
    }
    guard isDone else { throw BenchmarkError.childFailed("limit: open") }
    return (connection, Checksum(sum))
  }

  private func expect(_ isDone: Bool, _ work: String) throws {
    guard isDone else { throw BenchmarkError.childFailed("limit: \(work)") }
  }
}

/// Values that lie ready for the limit, with counted texts as Swift's strings are.
final class LimitValues {
  let all: UnsafeBufferPointer<limit_values>
  private let storage: UnsafeMutableBufferPointer<limit_values>

  init(_ rows: [ItemValues]) {
    storage = .allocate(capacity: rows.count)
    for (index, row) in rows.enumerated() {
      let title = limit_text_make(row.title, Int64(row.title.utf8.count))
      (storage.baseAddress! + index).initialize(
        to: limit_values(title: title, order: row.order, date: row.date, value: row.value))
    }
    all = UnsafeBufferPointer(storage)
  }

  deinit {
    for row in storage { limit_text_drop(row.title) }
    storage.deallocate()
  }
}

extension Checksum {
  init(_ sum: limit_sum) {
    self.init(
      rows: Int(sum.rows), integers: sum.integers, fractions: sum.fractions,
      textBytes: Int(sum.text_bytes))
  }
}
