import CoreDataSync
import Foundation
import SwiftData
import SwiftDataSync
import SyncServer
import TestSupport

/// A server in this process, for all tests: each has a zone of its own.
final class TestServer: Sendable {
  static let key = "anna-anna-anna-anna"
  let url: URL
  private let folder: TestFolder
  private let task: Task<Void, any Error>

  private static let starting = Task { try await TestServer() }

  static func shared() async throws -> TestServer { try await starting.value }

  private init() async throws {
    folder = try TestFolder()
    let keys = folder.file("keys.txt")
    try Data("\(Self.key) anna *=write".utf8).write(to: keys)
    let server = SyncServer(ledger: try SyncLedger(at: nil), keys: try KeyFile(keys))
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    task = Task { try await server.run(host: "127.0.0.1", port: 0) { port.yield($0) } }
    var found: Int?
    for await number in ports {
      found = number
      break
    }
    guard let found, let url = URL(string: "http://127.0.0.1:\(found)") else {
      throw CocoaError(.fileReadUnknown)
    }
    self.url = url
  }

  deinit { task.cancel() }
}

/// Containers of two devices, whose engines also sync when they are told to.
final class Devices: Sendable {
  let one: ModelContainer
  let other: ModelContainer
  let folder: TestFolder
  private let server: TestServer
  private let zone = "zone-\(UUID())"
  private let schema: Schema

  init(_ types: any PersistentModel.Type...) async throws {
    server = try await TestServer.shared()
    folder = try TestFolder()
    schema = Schema(types)
    one = try Self.open(folder.file("One.store"), schema, server, zone)
    other = try Self.open(folder.file("Other.store"), schema, server, zone)
  }

  /// Another container of the zone.
  func open(_ url: URL) throws -> ModelContainer { try Self.open(url, schema, server, zone) }

  /// From now on the engines only sync when they are told to.
  func hold() async throws {
    try await settle()
    for container in [one, other] {
      for engine in container.syncEngines { await engine.stop() }
    }
  }

  private static func open(
    _ url: URL, _ schema: Schema, _ server: TestServer, _ zone: String
  ) throws -> ModelContainer {
    try ModelContainer(
      for: schema,
      configurations: ModelConfiguration(
        url: url,
        cloudKitDatabase: .syncServer(server.url, zone: zone, key: TestServer.key)))
  }

  /// What each has is sent, and then received by the other.
  func settle() async throws {
    for container in [one, other, one, other] { try await Self.sync(container) }
  }

  static func sync(_ container: ModelContainer) async throws {
    for engine in container.syncEngines { try await engine.syncNow() }
  }

  /// An edit of a device, which is saved.
  static func edit(_ container: ModelContainer, _ body: (ModelContext) throws -> Void) throws {
    let context = ModelContext(container)
    try body(context)
    try context.save()
  }
}

extension ModelContext {
  func all<Model: PersistentModel>(_ type: Model.Type) throws -> [Model] {
    try fetch(FetchDescriptor<Model>())
  }
}
