import CoreData
import CoreDataSync
import Foundation

extension ZoneTransaction {
  /// Forgets tombstones up to a number, what is dead with them, and pairs that are off: of a
  /// record that is forgotten the name stays. A replica that does not know everything up to
  /// that number has to attach again.
  ///
  /// What a replica that knows everything up to it would not know to be dead is kept: whatever
  /// makes a record dead has a number up to the horizon itself.
  func compact(upTo number: Int64) throws {
    let number = min(number, head)
    guard number >= horizon else { return }
    var dead = try deadRecords(upTo: number)
    dead.formUnion(try aliases(of: dead, upTo: number))
    let survivors = Set(try referrers(to: dead).values.joined().map(\.record)).subtracting(dead)
    for id in dead { try bury(id) }
    // What they refer to by way of a forgotten alias does not lead on any more.
    try load(survivors)
    for id in survivors { if let record = try record(id) { try index(record) } }
    for entity in ["Reference", "Unique", "Fact"] {
      for object in try context.all(entity, zone: zone, where: "record", isIn: dead) {
        context.delete(object)
      }
    }
    try forgetPairs(upTo: number)
    try forgetMessages(upTo: number)
    horizon = number
  }

  private func deadRecords(upTo number: Int64) throws -> Set<RecordID> {
    let tombstones = try context.all(
      "Record", where: "zone == %@ AND isDead == YES AND alias == NIL AND lifeNumber <= %@",
      arguments: [zone, number])
    var dead = Set(tombstones.compactMap { $0.id("identifier") })
    var rest = dead
    while !rest.isEmpty {
      let referrers = Set(try referrers(to: rest).values.joined())
      try load(referrers.map(\.record))
      rest = []
      for referrer in referrers {
        guard let record = try record(referrer.record),
          rules[record.entity].lives.contains(referrer.property),
          let own = record.registers[referrer.property], own.number <= number,
          try record.reference(referrer.property).map({ try isKnown($0, upTo: number) }) ?? false
        else { continue }
        if dead.insert(record.id).inserted { rest.insert(record.id) }
      }
    }
    return dead
  }

  /// Whether all mergers that lead on from here have a number up to this one.
  private func isKnown(_ id: RecordID, upTo number: Int64) throws -> Bool {
    var id = id
    while let record = try record(id), let alias = record.alias {
      guard record.number <= number else { return false }
      id = alias
    }
    return true
  }

  private func aliases(of ids: Set<RecordID>, upTo number: Int64) throws -> Set<RecordID> {
    var found: Set<RecordID> = []
    var rest = ids
    while !rest.isEmpty {
      let objects = try context.all("Record", zone: zone, where: "alias", isIn: rest)
      let known = objects.filter { $0.integer("number") <= number }
      rest = Set(known.compactMap { $0.id("identifier") }).subtracting(found)
      found.formUnion(rest)
    }
    return found
  }

  private func bury(_ id: RecordID) throws {
    if let object = try record(id)?.object { context.delete(object) }
    forget(id)
    _ = context.insert("Grave", values: ["zone": zone, "identifier": UUID(id)])
  }

  // MARK: - Pairs

  private struct Ends: Hashable {
    let relationship: String
    let first: RecordID
    let second: RecordID
  }

  /// All pairs of the same two records are forgotten together: one under an alias must not come
  /// back when the later removal is forgotten.
  private func forgetPairs(upTo number: Int64) throws {
    let all = try context.all("Pair", where: "zone == %@", arguments: [zone]).compactMap {
      StoredPair($0)
    }
    try load(all.flatMap { [$0.change.pair.first, $0.change.pair.second] })
    let groups = try Dictionary(grouping: all) { stored in
      let pair = stored.change.pair
      return Ends(
        relationship: pair.relationship, first: try resolve(pair.first),
        second: try resolve(pair.second))
    }
    for (ends, group) in groups {
      let isBuried = try isForgotten(ends.first) || isForgotten(ends.second)
      let last = group.max { ($0.change.clock, $0.number) < ($1.change.clock, $1.number) }
      let isOff = last.map { !$0.change.isOn } ?? true
      // A later one of them may not be everywhere yet: the removal stays with it.
      if isOff, !isBuried, group.contains(where: { $0.number > number }) { continue }
      for stored in group where isBuried || isOff || !stored.change.isOn {
        guard stored.number <= number || isBuried, let object = stored.object else { continue }
        context.delete(object)
        pairs[stored.change.pair] = nil
      }
    }
  }

  // MARK: - Messages

  /// The last message of each replica stays.
  private func forgetMessages(upTo number: Int64) throws {
    let last = Set(
      try context.all("Replica", where: "zone == %@", arguments: [zone]).compactMap {
        $0.id("last")
      })
    for object in try context.all(
      "Push", where: "zone == %@ AND number <= %@", arguments: [zone, number])
    {
      if let id = object.id("identifier"), !last.contains(id) { context.delete(object) }
    }
  }
}
