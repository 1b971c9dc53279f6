import CoreData
import CoreDataSupport
import SyncSupport

@testable import CoreDataSync

/// What must hold when all is at rest.
extension History {
  typealias Graph = [RecordID: [String: String]]

  private func fail(_ text: String) -> Failure { Failure(description: text) }

  func check(_ when: String, isFinal: Bool = false) async throws {
    var states: [ReplicaState] = []
    for device in devices { states.append(try await device.state()) }
    let holds = states.flatMap { $0.standing.held }
    var graphs: [Graph] = []
    for (device, state) in zip(devices, states) {
      graphs.append(try checkIntegrity(device, state, when))
    }
    for (device, graph) in zip(devices, graphs) where graph != graphs[0] {
      guard holds.isEmpty else {
        count("differ while held")
        continue
      }
      let difference = difference(graphs[0], graph)
      throw fail("\(when): \(devices[0].name) and \(device.name) differ: \(difference)")
    }
    for (device, state) in zip(devices, states) {
      if state.hasUnsent {
        throw fail("\(when): \(device.name) has unsent edits at rest: \(state.unsentRecords)")
      }
      try checkClocks(device, state, when)
      try await checkDerivation(device, when)
    }
    for (id, hold) in holds where hold == .uniqueness {
      throw fail("\(when): \(id) is held back for uniqueness at rest")
    }
    try checkEdits(states, when)
    try checkCounters(states, when)
  }

  // MARK: - Graphs

  private func checkIntegrity(_ device: SimulatedDevice, _ state: ReplicaState, _ when: String)
    throws
    -> Graph
  {
    let context = device.coordinator.makeContext()
    return try context.performAndWait {
      var graph: Graph = [:]
      var tags: Set<String> = []
      for entity in HistoriesModel.full.entities {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        for object in try context.fetch(request) {
          let place = "\(entity.name ?? "") \(object.uri) on \(device.name)"
          guard let id = state.record(ofObject: object.uri) else {
            throw fail("\(when): \(place) was never scanned")
          }
          graph[id] = row(of: object, state)
          do { try object.validateForUpdate() } catch {
            throw fail("\(when): \(place) is not valid: \(error)")
          }
          if entity.name == "Tag", let name = object.value(forKey: "name") as? String,
            !tags.insert(name).inserted
          {
            throw fail("\(when): two tags \(name) on \(device.name)")
          }
          try checkCircle(from: object, place, when)
        }
      }
      return graph
    }
  }

  private func checkCircle(from object: NSManagedObject, _ place: String, _ when: String) throws {
    guard object.entity.name == "Folder" else { return }
    var seen: Set<NSManagedObject> = []
    var folder: NSManagedObject? = object
    while let now = folder {
      guard seen.insert(now).inserted else { throw fail("\(when): circle at \(place)") }
      folder = now.value(forKey: "up") as? NSManagedObject
    }
  }

  private func row(of object: NSManagedObject, _ state: ReplicaState) -> [String: String] {
    func name(_ object: NSManagedObject?) -> String {
      guard let object else { return "nil" }
      return state.record(ofObject: object.uri)?.description ?? "unknown \(object.uri)"
    }
    var row = ["entity": object.entity.name ?? ""]
    for attribute in object.entity.attributesByName.keys {
      row[attribute] = object.value(forKey: attribute).map { "\($0)" } ?? "nil"
    }
    for (key, relationship) in object.entity.relationshipsByName {
      switch object.value(forKey: key) {
      case let list as NSOrderedSet:
        row[key] = list.array.map { name($0 as? NSManagedObject) }.joined(separator: ", ")
      case let set as NSSet where relationship.isToMany:
        row[key] = set.allObjects.map { name($0 as? NSManagedObject) }.sorted()
          .joined(separator: ", ")
      case let set as Set<NSManagedObject> where relationship.isToMany:
        row[key] = set.map { name($0) }.sorted().joined(separator: ", ")
      case let other: row[key] = name(other as? NSManagedObject)
      }
    }
    return row
  }

  private func difference(_ one: Graph, _ other: Graph) -> String {
    let ids = Set(one.keys).union(other.keys).sorted().filter { one[$0] != other[$0] }
    return ids.prefix(3).map { id in
      guard let one = one[id], let other = other[id] else {
        return "\(id) only on the \(one[id] == nil ? "second" : "first"): \(one[id] ?? other[id]!)"
      }
      let keys = one.keys.filter { one[$0] != other[$0] }.sorted()
      return "\(id) "
        + keys.map { "\($0): \(one[$0] ?? "") / \(other[$0] ?? "")" }.joined(separator: "; ")
    }.joined(separator: " | ")
  }

  /// That the whole derivation finds nothing to do.
  func checkDerivation(_ device: SimulatedDevice, _ when: String) async throws {
    let plan = try await device.engine.inspect { session in
      // What was saved in between is read already, and not scanned.
      let unscanned = try session.graph.context.performAndWait {
        try session.state.standing.token.map { try session.graph.savedChanges(after: $0) }
      }
      guard case .some(.some(let changes)) = unscanned, changes.isEmpty else { return "" }
      let plan = session.wholePlan()
      let text =
        plan.inserted.map { "insert \($0)" } + plan.updated.map { "update \($0)" }
        + plan.deleted.map { "delete \($0)" }
      return text.joined(separator: ", ")
    }
    guard plan.isEmpty else { throw fail("\(when): \(device.name) does not show \(plan)") }
  }

  // MARK: - Clocks and edits

  /// What devices believe is what the server has.
  private func checkClocks(_ device: SimulatedDevice, _ state: ReplicaState, _ when: String) throws
  {
    for id in state.records.keys {
      guard let record = state[id], !record.life.isDead, !state.isAlias(id),
        let entry = server.records[id], entry.alias == nil
      else { continue }
      for (name, clock) in record.clocks {
        guard let there = entry.registers[name]?.value, there.clock != clock else { continue }
        throw fail(
          "\(when): clock of \(id).\(name) on \(device.name) is \(clock), on the server \(there)")
      }
    }
  }

  /// Every value that was scanned is there, or lost to a later clock, or its object is dead; and
  /// every last value that an application saved was scanned.
  private func checkEdits(_ states: [ReplicaState], _ when: String) throws {
    let isRestored = counts["server restored"] != nil
    for (edited, scanned) in journal.edits where !journal.lostLines.contains(edited.line) {
      let id = server.resolve(edited.record)
      let isForgotten = zip(devices, states).contains {
        $0.line == edited.line && $1[edited.record] == nil && $1[id] == nil
      }
      guard !isForgotten, let entry = server.records[id], server.isAlive(id) == true,
        !journal.denied.contains(edited.record)
      else { continue }
      let clamped = journal.clamped[edited] ?? [:]
      var clock = scanned.clock
      for _ in 0..<50 { clock = clamped[clock] ?? clock }
      if isRestored,
        journal.dropped.contains("\(edited.record) \(edited.register) \(clock)")
      {
        continue  // the restored server has not got it, and who had it has deleted the object since
      }
      let what = "\(edited.record).\(edited.register) = \(scanned.value) \(clock)"
      guard let there = entry.registers[edited.register]?.value else {
        throw fail("\(when): \(what) was lost")
      }
      if there.clock < clock, there.value != scanned.value,
        !(isRestored && counts["server compacted"] != nil)
      {
        throw fail("\(when): \(what) was lost to the older \(there)")
      }
      if there.clock == clock, there.value != scanned.value, id == edited.record,
        server.schema.entities[entry.entity]?.attributes[edited.register] != nil
      {
        throw fail("\(when): \(what) became \(there)")
      }
    }
    for (write, value) in journal.writes where !journal.lostLines.contains(write.line) {
      guard let (_, state) = zip(devices, states).first(where: { $0.0.line == write.line }),
        state.record(ofObject: write.object) != nil, value.count > 1
      else { continue }
      if !journal.scannedValues.contains("\(write.property) \(value)") {
        throw fail("\(when): \(write.object).\(write.property) = \(value) was never scanned")
      }
    }
  }

  // MARK: - Counters

  private func checkCounters(_ states: [ReplicaState], _ when: String) throws {
    var wanted: [Journal.Counter: (least: Int, most: Int)] = [:]
    var isVague: Set<Journal.Counter> = []
    for counter in journal.exemptCounters {
      isVague.insert(
        Journal.Counter(record: server.resolve(counter.record), property: counter.property))
    }
    for (write, number) in journal.increments {
      let object = Journal.Write(line: write.line, object: write.object, property: "")
      guard let (_, state) = zip(devices, states).first(where: { $0.0.line == write.line }),
        let id = journal.records[object]
      else { continue }
      let counter = Journal.Counter(record: server.resolve(id), property: write.property)
      // What was deleted before it was scanned has lost what was done to it last.
      let isHere = state.record(ofObject: write.object) != nil
      wanted[counter, default: (0, 0)].least += isHere ? number : 0
      wanted[counter]?.most += number
    }
    for (counter, bounds) in wanted {
      guard let entry = server.records[counter.record],
        server.isAlive(counter.record) == true,
        !journal.denied.contains(counter.record)
      else { continue }
      let total = entry.facts.reduce(0) { sum, fact in
        guard fact.key.property == counter.property, case .integer(let amount) = fact.value.value
        else { return sum }
        return sum + Int(amount)
      }
      if total < bounds.least {
        throw fail("\(when): \(counter) is \(total), of at least \(bounds.least) increments")
      }
      if journal.lostLines.isEmpty, devices.count == options.devices, !isVague.contains(counter),
        total > bounds.most
      {
        throw fail("\(when): \(counter) is \(total), of at most \(bounds.most) increments")
      }
    }
  }
}
