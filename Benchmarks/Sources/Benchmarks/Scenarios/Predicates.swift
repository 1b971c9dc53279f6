import CoreData
import CSQLite

/// How many rows a predicate is true of, in a table without an index for it, against the best condition of
/// SQLite's own that finds the same rows here: LIKE ignores case, and nobody's accents, for these titles of
/// ASCII letters.
extension Scenario {
  /// `title BEGINSWITH[cd] %@ AND order > %d`
  static func predicate(_ count: Int, in workspace: Workspace) throws -> Scenario {
    try counting(
      count,
      NSPredicate(format: "title BEGINSWITH[cd] %@ AND order > %d", "rÉpairs number 12", count),
      "ZORDER > \(count) AND ZTITLE LIKE 'repairs number 12%'", workspace)
  }

  /// `title CONTAINS[cd] %@`: what a search field asks for while one types.
  static func search(_ count: Int, in workspace: Workspace) throws -> Scenario {
    try counting(
      count, NSPredicate(format: "title CONTAINS[cd] %@", "NÚMBER 12"), "ZTITLE LIKE '%number 12%'",
      workspace)
  }

  private static func counting(
    _ count: Int, _ predicate: NSPredicate, _ condition: String, _ workspace: Workspace
  ) throws -> Scenario {
    let fixture = try Fixture(count: count, in: workspace)
    let stack = try workspace.opening("ours") { try Stack(fixture.url) }
    let connection = try workspace.opening("raw") {
      try RawConnection(fixture.url, settings: workspace.settings)
    }
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours { _ in try countOurs(predicate, stack) },
        Contestant(name: "raw") { _ in try countRaw(condition, connection) },
      ])
  }

  private static func countOurs(_ predicate: NSPredicate, _ stack: Stack) throws -> Outcome {
    let request = NSFetchRequest<Item>(entityName: "Item")
    request.predicate = predicate
    var found = 0
    let duration = try ContinuousClock().measure { found = try stack.context.count(for: request) }
    return outcome(duration, found)
  }

  private static func countRaw(
    _ condition: String, _ connection: RawConnection
  ) throws -> Outcome {
    var found: Int64 = 0
    let duration = try ContinuousClock().measure {
      let statement = try RawStatement(
        "SELECT COUNT(*) FROM ZITEM WHERE \(condition)", on: connection.handle)
      _ = try statement.step()
      found = sqlite3_column_int64(statement.handle, 0)
    }
    return outcome(duration, Int(found))
  }

  private static func outcome(_ duration: Duration, _ found: Int) -> Outcome {
    var checksum = Checksum()
    checksum.add(Int64(found))
    return Outcome(duration: duration, checksum: checksum)
  }
}
