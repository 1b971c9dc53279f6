import CoreData
import CoreDataSync
import Foundation

/// The answer to a pull.
///
/// The zone's row is read first and again at the end. What others commit in between may be in
/// the rows that are read: a row that is newer than the page's head comes again with the next
/// page. Only when something was forgotten, or the server restored, is the page made anew.
struct ZonePage {
  let context: NSManagedObjectContext
  let request: PullRequest
  let now: UInt64

  /// Nil without such a zone.
  func make() throws -> Pulled? {
    while true {
      guard let zone = try zoneRow() else { return nil }
      let (epoch, horizon) = (zone.epoch, zone.horizon)
      let outcome = try outcome(zone)
      context.reset()
      guard let after = try zoneRow() else { return nil }
      if after.epoch == epoch, after.horizon == horizon {
        return Pulled(outcome: outcome, epoch: epoch, now: now)
      }
    }
  }

  private struct Zone {
    let number: Int64
    let epoch: RecordID
    let head: Int64
    let horizon: Int64
  }

  private func zoneRow() throws -> Zone? {
    try context.all("Zone", where: "name == %@", arguments: [request.zone]).first.map {
      Zone(
        number: $0.integer("number"), epoch: $0.id("epoch") ?? RecordID(high: 0, low: 0),
        head: $0.integer("head"), horizon: $0.integer("horizon"))
    }
  }

  private func outcome(_ zone: Zone) throws -> Pulled.Outcome {
    if let epoch = request.epoch, epoch != zone.epoch { return .otherEpoch }
    if request.cursor > zone.head { return .otherEpoch }
    if request.cursor != 0, request.safe < zone.horizon { return .reset }
    return .page(try page(zone))
  }

  // MARK: - Rows

  private enum Found {
    case record(LedgerRecord)
    case pair(ZoneTransaction.StoredPair)

    var number: Int64 {
      switch self {
      case .record(let record): record.number
      case .pair(let pair): pair.number
      }
    }

    var storedSize: Int { if case .record(let record) = self { record.storedSize } else { 0 } }
  }

  /// The bytes of a page's values above which no other record is added.
  private static let usualBytes = 4 << 20

  /// Records after the request's cursor, one more than its limit, or as many as a page holds by
  /// their bytes; they are read in steps, since one may have many.
  private func records(_ zone: Zone) throws -> (found: [LedgerRecord], areAll: Bool) {
    var found: [LedgerRecord] = []
    var (bytes, step) = (0, 16)
    while found.count <= request.limit {
      let count = min(step, request.limit + 1 - found.count)
      let objects = try context.all(
        "Record", where: "zone == %@ AND number > %@",
        arguments: [zone.number, found.last?.number ?? request.cursor], sortedBy: "number",
        limit: count)
      for object in objects {
        bytes += object.data("registers").count
        if bytes > Self.usualBytes, !found.isEmpty { return (found, false) }
        found.append(try LedgerRecord(object))
      }
      if objects.count < count { break }
      step = min(step * 4, 128)
    }
    return (found, true)
  }

  private func page(_ zone: Zone) throws -> Page {
    // Pairs after records: see the rows that are left out below.
    let (records, areAll) = try records(zone)
    let pairs = try context.all(
      "Pair", where: "zone == %@ AND number > %@", arguments: [zone.number, request.cursor],
      sortedBy: "number",
      limit: request.limit + 1
    ).compactMap { ZoneTransaction.StoredPair($0).map(Found.pair) }
    var rows = (records.map(Found.record) + pairs).sorted { $0.number < $1.number }
    if !areAll, let last = records.last { rows.removeAll { $0.number > last.number } }
    let isDone = areAll && rows.count <= request.limit
    var cursor = zone.head
    if !isDone {
      // A record that has moved above the head meanwhile comes with a later page; what was written
      // between the two fetches may be missing above the head.
      rows = rows.prefix(request.limit).filter { $0.number <= zone.head }
      cursor = try boundary(zone, before: rows.last?.number ?? zone.head)
      rows.removeAll { $0.number > cursor }
    }
    let bytes = rows.reduce(0) { $0 + $1.storedSize }
    return Page(
      rows: try finished(rows, in: zone) + wanted(zone, room: Self.usualBytes - bytes),
      cursor: cursor, head: zone.head, isDone: isDone)
  }

  /// The end of the last push up to a number; the number itself if none has ended since the
  /// cursor.
  private func boundary(_ zone: Zone, before number: Int64) throws -> Int64 {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Push")
    request.predicate = NSPredicate(
      format: "zone == %@ AND number > %@ AND number <= %@",
      argumentArray: [zone.number, self.request.cursor, number])
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: false)]
    request.fetchLimit = 1
    return try context.fetch(request).first?.integer("number") ?? number
  }

  private func finished(_ rows: [Found], in zone: Zone) throws -> [Page.Row] {
    let records = rows.compactMap { if case .record(let record) = $0 { record } else { nil } }
    let facts = try facts(of: records, zone, after: request.base)
    return rows.map {
      switch $0 {
      case .record(let record):
        .record(record.row(after: request.base, facts: facts[record.id] ?? []))
      case .pair(let pair): .pair(pair.change)
      }
    }
  }

  /// What is wanted whole, as far as there is room: whoever wants the others asks again.
  private func wanted(_ zone: Zone, room: Int) throws -> [Page.Row] {
    if room <= 0 { return [] }
    var room = room
    var records: [RecordID: LedgerRecord] = [:]
    var rest = Set(request.wanted)
    while !rest.isEmpty {
      let objects = try context.all("Record", zone: zone.number, where: "identifier", isIn: rest)
      for record in try objects.map({ try LedgerRecord($0) }) { records[record.id] = record }
      rest = Set(rest.compactMap { records[$0]?.alias }.filter { records[$0] == nil })
    }
    let found = request.wanted.compactMap { id in
      var record = records[id]
      while let alias = record?.alias { record = records[alias] }
      return record
    }.prefix { record in
      defer { room -= record.storedSize }
      return room > 0
    }
    let facts = try facts(of: Array(found), zone, after: 0)
    return found.map { .record($0.row(after: 0, facts: facts[$0.id] ?? [])) }
  }

  private func facts(
    of records: [LedgerRecord], _ zone: Zone, after base: Int64
  ) throws -> [RecordID: [Fact]] {
    var found: [RecordID: [Fact]] = [:]
    let counted = records.filter(\.hasFacts).map(\.id)
    for object in try context.all("Fact", zone: zone.number, where: "record", isIn: counted)
    where object.integer("number") > base {
      guard let record = object.id("record"), let name = object.id("name") else { continue }
      found[record, default: []].append(
        Fact(
          property: object.text("property"), name: name,
          amount: try RegistersBlob.value(object.data("amount"))))
    }
    return found.mapValues { $0.sorted { ($0.property, $0.name) < ($1.property, $1.name) } }
  }
}
