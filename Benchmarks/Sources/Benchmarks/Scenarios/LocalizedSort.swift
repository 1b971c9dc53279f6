import CoreData
import Foundation
import CSQLite

/// The keys of all rows in the order of their titles as people sort them, numbers by their value: ours
/// by a sort descriptor with `localizedStandardCompare:`, the peer by a collation that calls Foundation's
/// method of that name for each comparison.
extension Scenario {
  static func localizedSort(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let fixture = try Fixture(count: count, in: workspace)
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours { _ in try sortOurs(fixture, workspace) },
        Contestant(name: "collation callback") { _ in try sortByCallback(fixture, workspace) },
      ])
  }

  private static func sortOurs(_ fixture: Fixture, _ workspace: Workspace) throws -> Outcome {
    let stack = try workspace.opening("ours") { try Stack(fixture.url) }
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Item")
    request.resultType = .managedObjectIDResultType
    request.sortDescriptors = [
      NSSortDescriptor(key: "title", ascending: true, selector: "localizedStandardCompare:")
    ]
    var identities: [NSManagedObjectID] = []
    let duration = try ContinuousClock().measure {
      identities = try stack.context.fetch(request)
    }
    var checksum = Checksum()
    for (place, identity) in identities.enumerated() {
      let key = Int64(identity.uriRepresentation().lastPathComponent.dropFirst()) ?? 0
      checksum.add(key, at: place)
    }
    try stack.close()
    return Outcome(duration: duration, checksum: checksum)
  }

  private static func sortByCallback(_ fixture: Fixture, _ workspace: Workspace) throws -> Outcome {
    let connection = try workspace.opening("raw") {
      try RawConnection(fixture.url, settings: workspace.settings)
    }
    sqlite3_create_collation_v2(
      connection.handle, "Localized", SQLITE_UTF8, nil,
      { _, leftCount, left, rightCount, right in
        let text = { (start: UnsafeRawPointer?, count: Int32) in
          String(decoding: UnsafeRawBufferPointer(start: start, count: Int(count)), as: UTF8.self)
        }
        return Int32(
          text(left, leftCount).localizedStandardCompare(text(right, rightCount)).rawValue)
      }, nil)
    var keys: [Int64] = []
    let duration = try ContinuousClock().measure {
      let rows = try RawStatement(
        "SELECT Z_PK FROM ZITEM ORDER BY ZTITLE COLLATE Localized, Z_PK", on: connection.handle)
      while try rows.step() { keys.append(sqlite3_column_int64(rows.handle, 0)) }
    }
    var checksum = Checksum()
    for (place, key) in keys.enumerated() { checksum.add(key, at: place) }
    return Outcome(duration: duration, checksum: checksum)
  }
}

extension Checksum {
  /// A row whose place among the others counts.
  fileprivate mutating func add(_ key: Int64, at place: Int) {
    addRow()
    add(key &* Int64(place + 1))
  }
}
