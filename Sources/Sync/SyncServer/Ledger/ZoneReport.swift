import CoreData
import CoreDataSync

/// What is in a zone.
public struct ZoneReport: Hashable, Sendable {
  /// The zone's name.
  public var name: String
  /// Which life of the zone this is: another one after each restored backup.
  public var epoch: RecordID
  /// The number of the last change.
  public var head: Int64
  /// Up to this number, what was deleted has been forgotten.
  public var horizon: Int64
  /// The number of records, tombstones and aliases among them.
  public var records: Int
  /// The number of pairs of many-to-many relationships, those that are off among them.
  public var pairs: Int
  /// The number of replicas that have ever pushed.
  public var replicas: Int
  /// The number of records that were forgotten.
  public var graves: Int
}

extension SyncLedger {
  /// All zones, by name.
  public func report() throws -> [ZoneReport] {
    let context = makeContext()
    return try context.performAndWait {
      try context.all("Zone", where: "TRUEPREDICATE", arguments: [], sortedBy: "name").map {
        try Self.report($0, in: context)
      }
    }
  }

  private static func report(
    _ row: NSManagedObject, in context: NSManagedObjectContext
  ) throws -> ZoneReport {
    func count(_ entity: String) throws -> Int {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.predicate = NSPredicate(
        format: "zone == %@", argumentArray: [row.integer("number")])
      return try context.count(for: request)
    }
    return ZoneReport(
      name: row.text("name"), epoch: row.id("epoch") ?? RecordID(high: 0, low: 0),
      head: row.integer("head"), horizon: row.integer("horizon"), records: try count("Record"),
      pairs: try count("Pair"), replicas: try count("Replica"), graves: try count("Grave"))
  }

  /// The head of each of these zones that is there.
  public func heads(of zones: some Collection<String>) throws -> [String: Int64] {
    let context = makeContext()
    return try context.performAndWait {
      let rows = try context.all("Zone", where: "name IN %@", arguments: [Array(zones)])
      return Dictionary(rows.map { ($0.text("name"), $0.integer("head")) }) { $1 }
    }
  }
}

/// Why the ledger refuses.
public enum SyncLedgerError: Error, Hashable, Sendable, CustomStringConvertible {
  case noZone(String)

  public var description: String {
    switch self {
    case .noZone(let name): "There is no zone “\(name)”."
    }
  }
}
