import CoreData
import CoreDataSync
import Foundation

/// A device: a store with history, and an engine.
struct SyncedStack {
  let url: URL
  private let stack: Stack
  let engine: SyncEngine

  init(_ url: URL, _ transport: any SyncTransport) throws {
    self.url = url
    stack = try Stack(
      url, model: ItemModel.make(), options: [NSPersistentHistoryTrackingKey: true])
    engine = SyncEngine(
      coordinator: stack.coordinator, configuration: SyncConfiguration(zone: "bench"),
      transport: transport)
  }

  /// A store with `count` items without a parent, closed.
  static func store(count: Int, in workspace: Workspace) throws -> URL {
    let url = workspace.newFile()
    let stack = try Stack(
      url, model: ItemModel.make(), options: [NSPersistentHistoryTrackingKey: true])
    for values in ItemValues.make(count: count) { Item(context: stack.context).set(values) }
    try stack.context.save()
    try stack.close()
    let raw = try RawConnection(url)
    try raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return url
  }

  func sync() throws { try Self.wait { [engine] in try await engine.syncNow() } }

  func edit(_ body: (NSManagedObjectContext) throws -> Void) throws {
    try body(stack.context)
    try stack.context.save()
  }

  /// Ends the engine and closes the store.
  func close() throws {
    try Self.wait { [engine] in try await engine.close() }
    try stack.close()
  }

  /// The bytes of sync's own store.
  var bytesOfOwnStore: Int {
    ["", "-wal"].reduce(0) { sum, suffix in
      let attributes = try? FileManager.default.attributesOfItem(
        atPath: url.path + "-sync" + suffix)
      return sum + (attributes?[.size] as? Int ?? 0)
    }
  }

  /// Sync's own store is deleted with the store that it belongs to.
  static func delete(_ url: URL, _ workspace: Workspace) {
    workspace.delete(url)
    workspace.delete(URL(fileURLWithPath: url.path + "-sync"))
    workspace.delete(URL(fileURLWithPath: url.path + "-sync.lock"))
  }

  private static func wait(_ body: @escaping @Sendable () async throws -> Void) throws {
    let done = DispatchSemaphore(value: 0)
    // Sendable: written before the signal, read after it.
    nonisolated(unsafe) var failure: (any Error)?
    Task.detached {
      do { try await body() } catch { failure = error }
      done.signal()
    }
    done.wait()
    if let failure { throw failure }
  }
}
