import CoreData
import CoreDataSync
import Foundation

extension ZoneTransaction {
  /// Gives what has changed its numbers, in the order of the IDs, and hands it to the context.
  func number() throws {
    for id in changed.sorted() {
      guard let record = try record(id) else { continue }
      head += 1
      record.number = head
      if record.lifeNumber == LedgerRecord.pending { record.lifeNumber = head }
      for (property, numbered) in record.registers where numbered.number == LedgerRecord.pending {
        record.registers[property]?.number = head
      }
      if record.hasFacts { numberFacts(of: id) }
      record.store(in: context, zone: zone)
    }
    changed = []
    for pair in changedPairs { if let stored = pairs[pair] { store(stored, of: pair) } }
    changedPairs = []
  }

  private func numberFacts(of id: RecordID) {
    for (name, fact) in facts[id] ?? [:] where fact.number == LedgerRecord.pending {
      facts[id]?[name]?.number = head
      fact.object.setValue(head, forKey: "number")
    }
  }

  private func store(_ stored: StoredPair, of pair: Pair) {
    let object =
      stored.object
      ?? context.insert(
        "Pair",
        values: [
          "zone": zone, "relationship": pair.relationship, "firstRecord": UUID(pair.first),
          "secondRecord": UUID(pair.second),
        ])
    pairs[pair]?.object = object
    object.set([
      "ticks": stored.change.clock.storedTicks, "replica": stored.change.clock.replica.stored,
      "isOn": stored.change.isOn, "number": stored.number,
    ])
  }

  /// Hands the zone's row and the indexes to the context, which can then be saved.
  func finish() throws {
    storeZone()
    try storeIndex("Reference", touched: referrers.touchedRecords) { target, referrer in
      ["record": UUID(referrer.record), "property": referrer.property, "target": UUID(target)]
    }
    try storeIndex("Unique", touched: uniques.touchedRecords) { key, record in
      ["record": UUID(record), "key": key]
    }
  }

  /// Writes the difference between a record's entries and the rows that it has.
  private func storeIndex<Key, Entry>(
    _ entity: String, touched: [RecordID: [Key: Set<Entry>]],
    values: (Key, Entry) -> [String: AnyHashable]
  ) throws {
    var wanted = Set(
      touched.values.joined().flatMap { key, entries in entries.map { values(key, $0) } })
    let stored = touched.keys.filter { records[$0]?.object?.isInserted != true }
    let keys = entity == "Reference" ? ["record", "property", "target"] : ["record", "key"]
    for object in try context.all(entity, zone: zone, where: "record", isIn: stored) {
      var own: [String: AnyHashable] = [:]
      for key in keys { own[key] = object.value(forKey: key) as? AnyHashable }
      if wanted.remove(own) == nil { context.delete(object) }
    }
    for values in wanted {
      _ = context.insert(entity, values: values.merging(["zone": zone]) { $1 })
    }
  }
}
