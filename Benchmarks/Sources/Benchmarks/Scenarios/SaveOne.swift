import CoreData
import GRDB
import CSQLite

/// One new object, saved by itself: the mean time of twenty such saves. Every side waits until the disk
/// has it (`synchronous` FULL), and counts the key in `Z_PRIMARYKEY`.
extension Scenario {
  static func saveOne(in workspace: Workspace) throws -> Scenario {
    let empty = try Fixture.emptyStore(in: workspace)
    let ours = try SavingStack(workspace.copy(of: empty), workspace)
    let raw = try SavingConnection(workspace.copy(of: empty), workspace)
    let grdb = try SavingQueue(workspace.copy(of: empty), workspace)
    func run(
      _ store: URL, _ save: @escaping (ItemValues, Int64) throws -> Void
    ) -> (Int) throws -> Outcome {
      { try saves(ofRun: $0, save, in: store) }
    }
    return Scenario(
      unit: .microseconds,
      contestants: [
        .ours(run: run(ours.url) { values, _ in try ours.save(values) }),
        Contestant(name: "raw", run: run(raw.url, raw.save)),
        Contestant(name: "GRDB", run: run(grdb.url, grdb.save)),
      ])
  }

  private static func saves(
    ofRun number: Int, _ save: (ItemValues, Int64) throws -> Void, in store: URL
  ) throws -> Outcome {
    let rows = (0..<20).map { ItemValues(number * 20 + $0) }
    let duration = try ContinuousClock().measure {
      for (place, row) in rows.enumerated() {
        try save(row, Int64(number * rows.count + place + 1))
      }
    }
    return Outcome(duration: duration / rows.count, checksum: try Checksum(ofStore: store))
  }
}

private struct SavingStack {
  let url: URL
  private let stack: Stack

  init(_ url: URL, _ workspace: Workspace) throws {
    self.url = url
    stack = try workspace.opening("ours") { try Stack(url) }
    try Self.expectFullSynchronisation(workspace)
  }

  private static func expectFullSynchronisation(_ workspace: Workspace) throws {
    let level = workspace.settings.flatMap { Int($0.synchronous) } ?? 0
    try BenchmarkError.expect("PRAGMA synchronous", level, toBe: 2)
  }

  func save(_ values: ItemValues) throws {
    Item(context: stack.context).set(values)
    try stack.context.save()
  }
}

private struct SavingConnection {
  let url: URL
  private let connection: RawConnection
  private let statements: [RawStatement]
  private let insertion: RawStatement

  init(_ url: URL, _ workspace: Workspace) throws {
    self.url = url
    let connection = try workspace.opening("raw") {
      try RawConnection(url, settings: workspace.settings)
    }
    self.connection = connection
    statements = try [
      "BEGIN IMMEDIATE", "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_ENT = 1", "COMMIT",
    ].map { try RawStatement($0, on: connection.handle) }
    insertion = try RawStatement(RawItem.insertion, on: connection.handle)
  }

  func save(_ values: ItemValues, key: Int64) throws {
    try run(statements[0])
    try run(statements[1])
    try RawItem.insert(values, key: key, parent: nil, insertion)
    try run(statements[2])
  }

  private func run(_ statement: RawStatement) throws {
    _ = try statement.step()
    sqlite3_reset(statement.handle)
  }
}

private struct SavingQueue {
  let url: URL
  private let queue: DatabaseQueue

  init(_ url: URL, _ workspace: Workspace) throws {
    self.url = url
    queue = try workspace.opening("GRDB") {
      try GRDBItem.open(url, settings: workspace.settings)
    }
  }

  func save(_ values: ItemValues, key: Int64) throws {
    try queue.write { database in
      try database.cachedStatement(
        sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_ENT = 1"
      ).execute()
      try GRDBItem(values, key: key).insert(database)
    }
  }
}
