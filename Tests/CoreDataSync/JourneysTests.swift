import CoreData
import CoreDataSupport
import Synchronization
import SyncSupport
import Testing
import TestSupport

@testable import CoreDataSync

/// Devices over a long time: many of them, away for long, restored, copied, refused, stopped midway,
/// beside a server that is restored, emptied or compacted in between.
@Suite struct JourneysTests {
  private static let model: NSManagedObjectModel = {
    let list = ModelPart.entity("List", [ModelPart.attribute("name")])
    let item = ModelPart.entity(
      "Item",
      [ModelPart.attribute("name"), ModelPart.attribute("note"), ModelPart.counter("count")])
    let tag = ModelPart.entity("Tag", [ModelPart.attribute("name"), ModelPart.attribute("hue")])
    tag.uniquenessConstraints = [["name"]]
    ModelPart.connect(
      ModelPart.end(list, "items", to: item, rule: .cascadeDeleteRule, isOrdered: true),
      ModelPart.end(item, "list", to: list, maxCount: 1))
    ModelPart.connect(ModelPart.end(item, "tags", to: tag), ModelPart.end(tag, "items", to: item))
    return ModelPart.model([list, item, tag])
  }()

  private static func devices(_ count: Int) async throws -> Devices {
    let devices = try Devices(model, others: Array(repeating: model, count: count - 1))
    try devices.a.edit { context in
      let list = context.insert("List", ["name": "l"])
      let tag = context.insert("Tag", ["name": "t"])
      for number in 0..<5 {
        context.insert("Item", ["name": "\(number)", "list": list, "tags": Set([tag])])
      }
    }
    try await devices.settle()
    return devices
  }

  private static func picture(_ phone: Phone) throws -> [String] {
    try phone.read { context in
      try context.all("Item").map { item in
        """
        \(item.value(forKey: "name") ?? "-") \(item.value(forKey: "note") ?? "-") \
        \(item.value(forKey: "count") ?? "-") \(item.value(forKeyPath: "list.name") ?? "-") \
        \(item.names("tags"))
        """
      }.sorted()
        + context.all("List").map { "\($0.value(forKey: "name") ?? "-"): \($0.names("items"))" }
        .sorted() + context.all("Tag").map { "\($0.value(forKey: "name") ?? "-")" }.sorted()
    }
  }

  @discardableResult
  private static func expectSame(_ devices: Devices, _ what: String = "") throws -> [String] {
    let pictures = try devices.phones.map(picture)
    for picture in pictures.dropFirst() { #expect(picture == pictures[0], "\(what)") }
    return pictures[0]
  }

  /// Five devices that edit at random, with the server restored, compacted or emptied between the
  /// rounds, and devices that restart or are away: all are equal, and nothing that nobody deleted is
  /// lost.
  @Test(arguments: Sample.of(0..<8))
  func fiveDevicesAndAServerWithAHistory(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed &* 31 &+ 5)
    let devices = try await Self.devices(5)
    var made: Set<String> = []
    var deleted: Set<String> = []
    var counted = 0
    var backup = devices.cloud.withServer { $0 }
    for round in 0..<6 {
      for (index, phone) in devices.phones.enumerated() where Bool.random(using: &random) {
        try phone.edit { context in
          let items = try context.all("Item").sorted {
            ($0.value(forKey: "name") as? String ?? "")
              < ($1.value(forKey: "name") as? String ?? "")
          }
          let name = "\(round)-\(index)"
          let list = try context.all("List").first
          let item = context.insert("Item", ["name": name, "count": 1])
          if let list { item.setValue(list, forKey: "list") }
          made.insert(name)
          counted += 1
          if let some = items.randomElement(using: &random) {
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
              deleted.insert(some.value(forKey: "name") as? String ?? "")
              context.delete(some)
            case 1: some.setValue("note \(name)", forKey: "note")
            case 2:
              let tag = context.insert("Tag", ["name": "tag \(index)", "hue": name])
              if try context.all("Tag").filter({
                $0.value(forKey: "name") as? String == "tag \(index)"
              })
              .count > 1 {
                context.delete(tag)
              } else {
                some.mutableSetValue(forKey: "tags").add(tag)
              }
            default:
              if let list {
                let row = list.mutableOrderedSetValue(forKey: "items")
                row.moveObjects(
                  at: IndexSet(integer: row.count - 1),
                  to: Int.random(in: 0..<row.count, using: &random))
              }
            }
          }
        }
        if Bool.random(using: &random) { try await phone.sync() }
        if Int.random(in: 0..<4, using: &random) == 0 { try await phone.restart() }
      }
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        try await devices.settle()
        devices.cloud.restore(backup)
      case 1:
        try await devices.settle()
        devices.cloud.withServer { $0.compact() }
      case 2: try await devices.settle()
      case 3: backup = devices.cloud.withServer { $0 }
      default: break
      }
    }
    try await devices.settle()
    try await devices.settleWholly()
    try Self.expectSame(devices, "\(seed)")
    let shown = Set(try devices.a.values("Item", "name"))
    #expect(
      shown.isSuperset(of: made.subtracting(deleted)),
      "\(made.subtracting(deleted).subtracting(shown))")
    let third = try await devices.newcomer(Self.model)
    #expect(try Self.picture(third) == Self.picture(devices.a))
    try await devices.close()
  }

  /// A device that was away while everything that it knew was deleted and forgotten, and new things
  /// of the same names were made.
  @Test(arguments: [false, true])
  func whoWasAwayTooLongKeepsWhatIsItsOwn(edits: Bool) async throws {
    let devices = try await Self.devices(3)
    let away = devices.phones[2]
    away.line.isOffline = true
    if edits {
      try away.edit { context in
        try context.find("Item", "name", "1").setValue("of who was away", forKey: "note")
        let list = try context.find("List", "name", "l")
        context.insert("Item", ["name": "own", "count": 2, "list": list])
        let second = context.insert("List", ["name": "own"])
        context.insert("Item", ["name": "in own", "list": second])
        context.insert("Tag", ["name": "new", "hue": "of who was away"])
      }
    }
    try devices.a.edit { context in
      for list in try context.all("List") { context.delete(list) }
      for tag in try context.all("Tag") { context.delete(tag) }
    }
    for phone in devices.phones.prefix(2) { try await phone.sync() }
    devices.cloud.withServer { $0.compact() }
    try devices.b.edit { context in
      let list = context.insert("List", ["name": "l"])
      context.insert("Item", ["name": "1", "note": "again", "list": list])
      context.insert("Tag", ["name": "new", "hue": "of b"])
    }
    try await devices.b.sync()
    devices.cloud.withServer { $0.compact() }
    away.line.isOffline = false
    for phone in [away, devices.a, devices.b, away, devices.a, devices.b] { try await phone.sync() }
    try await devices.settleWholly()
    let rows = try Self.expectSame(devices)
    #expect(rows.contains("1 again 0 l []"), "\(rows)")
    #expect(rows.contains("in own - 0 own []") == edits, "\(rows)")
    #expect(rows.filter { $0 == "new" }.count == 1, "\(rows)")
    if edits {
      let told = away.engine.status.losses
      #expect(told.contains { $0.value == .text("of who was away") && $0.property == "note" })
      // What was added to a list that is gone goes with it, and is told.
      #expect(
        rows.contains { $0.hasPrefix("own ") } || told.contains { $0.value == .text("own") })
    }
  }

  /// A backup that was made at each step of a cycle is played back after the cycle, and after others
  /// went on.
  @Test(
    arguments: Sample.of(
      [
        EngineStep.recovered, .scanned, .frozen, .answered, .intended, .applied, .finished,
      ], [false, true]))
  func aBackupOfEveryMomentIsPlayedBack(_ step: EngineStep, othersGoOn: Bool) async throws {
    let devices = try await Self.devices(2)
    let (a, b) = (devices.a, devices.b)
    try b.edit { context in
      try context.find("Item", "name", "0").setValue("of b", forKey: "note")
      try context.delete(context.find("Item", "name", "4"))
      try context.find("Item", "name", "3").setValue(10, forKey: "count")
    }
    try await b.sync()
    try a.edit { context in
      try context.find("Item", "name", "1").setValue("of a", forKey: "note")
      let list = try context.find("List", "name", "l")
      context.insert("Item", ["name": "new", "list": list, "count": 1])
    }
    let backup = Mutex<URL?>(nil)
    a.onStep = { [unowned a] now in
      guard now == step, backup.withLock({ $0 == nil }) else { return }
      let files = try a.backUp()
      backup.withLock { $0 = files }
    }
    try await a.sync()
    a.onStep = nil
    if othersGoOn {
      try await b.sync()
      try b.edit { context in
        try context.find("Item", "name", "new").setValue("seen by b", forKey: "note")
        try context.delete(context.find("Item", "name", "2"))
      }
      try await b.sync()
    }
    let files = try #require(backup.withLock { $0 })
    try await a.restart(files: files)
    try a.edit { try $0.find("Item", "name", "0").setValue("x", forKey: "name") }
    try await devices.settleWholly()
    let rows = try Self.expectSame(devices)
    #expect(rows.contains("x of b 0 l [\"t\"]"), "\(rows)")
    #expect(rows.contains("1 of a 0 l [\"t\"]"), "\(rows)")
    #expect(rows.contains("3 - 10 l [\"t\"]"), "\(rows)")
    #expect(rows.contains("new \(othersGoOn ? "seen by b" : "-") 1 l []"), "\(rows)")
    #expect(rows.contains { $0.hasPrefix("2 ") } == !othersGoOn, "\(rows)")
    #expect(!rows.contains { $0.hasPrefix("4 ") }, "\(rows)")
  }

  /// A store that is copied to a second and a third device, as by a migration assistant: all three go
  /// on, with edits of the same and of other objects.
  @Test(arguments: [false, true])
  func aStoreThatIsCopiedToOthersGoesOn(hasUnsent: Bool) async throws {
    let devices = try await Self.devices(2)
    let a = devices.a
    if hasUnsent {
      a.line.isOffline = true
      try a.edit { context in
        try context.find("Item", "name", "0").setValue("unsent", forKey: "note")
        context.insert("Item", ["name": "unsent"])
      }
      _ = try? await a.sync()
      a.line.isOffline = false
    }
    let files = try a.backUp()
    let copies = try (0..<2).map { _ in
      try Phone(devices.cloud, model: Self.model, configuration: a.configuration)
    }
    for copy in copies { try await copy.restart(files: files) }
    let all = devices.phones + copies
    for round in 0..<3 {
      for (index, phone) in all.enumerated() {
        try phone.edit { context in
          try context.find("Item", "name", "1").setValue("\(round) \(index)", forKey: "note")
          let count = try context.find("Item", "name", "2")
          count.setValue((count.value(forKey: "count") as? Int ?? 0) + 1, forKey: "count")
          context.insert("Item", ["name": "\(round)-\(index)"])
        }
      }
      for _ in 0..<2 { for phone in all { try await phone.sync() } }
    }
    for _ in 0..<2 { for phone in all { try await phone.sync() } }
    let pictures = try all.map(Self.picture)
    for picture in pictures { #expect(picture == pictures[0]) }
    #expect(pictures[0].contains("1 2 3 0 l [\"t\"]"), "\(pictures[0])")
    #expect(pictures[0].contains("2 - 12 l [\"t\"]"), "\(pictures[0])")
    let names = try a.values("Item", "name")
    #expect(Set(names).count == names.count, "\(names)")
    #expect(names.count == 5 + 12 + (hasUnsent ? 1 : 0), "\(names)")
  }

  /// A cycle whose task is cancelled at each step, again and again: nothing is lost or doubled.
  @Test(arguments: Sample.of([EngineStep.scanned, .frozen, .answered, .intended, .applied]))
  func aCycleThatIsCancelledAtEveryStep(_ step: EngineStep) async throws {
    let devices = try await Self.devices(2)
    let (a, b) = (devices.a, devices.b)
    for round in 0..<4 {
      try b.edit { context in
        context.insert("Item", ["name": "b\(round)"])
        let count = try context.find("Item", "name", "0")
        count.setValue((count.value(forKey: "count") as? Int ?? 0) + 1, forKey: "count")
      }
      try await b.sync()
      try a.edit { context in
        context.insert("Item", ["name": "a\(round)"])
        let count = try context.find("Item", "name", "0")
        count.setValue((count.value(forKey: "count") as? Int ?? 0) + 1, forKey: "count")
      }
      let cycle = Mutex<Task<Void, any Error>?>(nil)
      a.onStep = { now in
        if now == step { cycle.withLock { $0?.cancel() } }
      }
      let engine = a.engine
      cycle.withLock { $0 = Task { try await engine.syncNow() } }
      _ = await cycle.withLock { $0 }?.result
      a.onStep = nil
      if round == 2 { try await a.restart() }
    }
    try await devices.settleWholly()
    let rows = try Self.expectSame(devices)
    #expect(rows.contains("0 - 8 l [\"t\"]"), "\(rows)")
    #expect(try a.count("Item") == 13)
  }

  /// The application deletes its history at every step: what was not read is found all the same.
  @Test(
    arguments: Sample.of([
      EngineStep.recovered, .scanned, .frozen, .answered, .intended, .applied, .finished,
    ]))
  func aHistoryThatIsDeletedAtEveryStep(_ step: EngineStep) async throws {
    let devices = try await Self.devices(2)
    let (a, b) = (devices.a, devices.b)
    try b.edit { context in
      try context.find("Item", "name", "0").setValue("of b", forKey: "note")
      try context.delete(context.find("Item", "name", "3"))
      context.insert("Item", ["name": "b"])
    }
    try await b.sync()
    try a.edit { context in
      try context.find("Item", "name", "1").setValue("of a", forKey: "note")
      try context.find("Item", "name", "2").setValue(4, forKey: "count")
      try context.delete(context.find("Item", "name", "4"))
      context.insert("Item", ["name": "a"])
    }
    a.onStep = { [unowned a] now in if now == step { try a.coordinator.purgeHistory() } }
    _ = try? await a.sync()
    try a.edit { try $0.find("Item", "name", "1").setValue("later", forKey: "note") }
    try a.coordinator.purgeHistory()
    _ = try? await a.sync()
    a.onStep = nil
    try await devices.settleWholly()
    let rows = try Self.expectSame(devices)
    #expect(try a.values("Item", "name") == ["0", "1", "2", "a", "b"])
    #expect(rows.contains("1 later 0 l [\"t\"]") && rows.contains("0 of b 0 l [\"t\"]"), "\(rows)")
    #expect(rows.contains("2 - 4 l [\"t\"]"), "\(rows)")
  }

  /// A key that is revoked and given back while both edit, several times, for the whole zone or for an
  /// entity.
  @Test(arguments: [false, true])
  func aKeyThatComesAndGoes(isEntityOnly: Bool) async throws {
    let devices = try await Self.devices(2)
    let (a, b) = (devices.a, devices.b)
    for round in 0..<4 {
      if isEntityOnly {
        b.line.readOnly = ["Item"]
      } else {
        b.line.failures = Array(
          repeating: SyncTransportError(.unauthorized, message: "revoked"), count: 1)
      }
      try b.edit { context in
        try context.find("Item", "name", "0").setValue("b\(round)", forKey: "note")
        context.insert("Tag", ["name": "b\(round)"])
      }
      try a.edit { try $0.find("Item", "name", "1").setValue("a\(round)", forKey: "note") }
      _ = try? await b.sync()
      try await a.sync()
      if isEntityOnly {
        #expect(
          try b.read { try $0.find("Item", "name", "0").value(forKey: "note") } as? String
            == (round == 0 ? nil : "given \(round - 1)"))
      } else {
        guard case .stopped = b.engine.status.activity else {
          Issue.record("\(b.engine.status.activity)")
          continue
        }
        #expect(b.engine.status.toSend > 0)
      }
      (b.line.readOnly, b.line.failures) = ([], [])
      try b.edit { try $0.find("Item", "name", "0").setValue("given \(round)", forKey: "note") }
      try await devices.settleWholly()
    }
    let rows = try Self.expectSame(devices)
    #expect(rows.contains("0 given 3 0 l [\"t\"]") && rows.contains("1 a3 0 l [\"t\"]"), "\(rows)")
    try devices.expect("Tag", "name", ["b0", "b1", "b2", "b3", "t"])
  }

  /// A zone that is switched by mistake and back, with edits between: nothing of it is lost, and
  /// nothing was sent to the other zone.
  @Test func aZoneThatIsSwitchedAndBack() async throws {
    let devices = try await Self.devices(2)
    let a = devices.a
    try await a.engine.close()
    let line = Line(devices.cloud)
    var other = a.configuration
    other.zone = "other"
    for round in 0..<2 {
      let engine = SyncEngine(
        coordinator: a.coordinator, configuration: other, transport: line, seams: .init())
      try a.edit { $0.insert("Item", ["name": "r\(round)"]) }
      await #expect(throws: SyncError.otherZone("zone")) { try await engine.syncNow() }
      try await engine.close()
    }
    #expect(line.pushes.isEmpty && line.pulls.isEmpty)
    try await a.restart()
    try await devices.settleWholly()
    try devices.expect("Item", "name", ["0", "1", "2", "3", "4", "r0", "r1"])
  }

  /// Two engines on one store by mistake, of which the second one waits: it takes over when the first
  /// ends, and sends what was saved between.
  @Test func aSecondEngineTakesOver() async throws {
    let devices = try await Self.devices(2)
    let a = devices.a
    let second = SyncEngine(
      coordinator: a.coordinator, configuration: a.configuration, transport: Line(devices.cloud),
      seams: .init())
    for round in 0..<3 {
      try a.edit { $0.insert("Item", ["name": "r\(round)"]) }
      await #expect(throws: SyncError.locked) { try await second.syncNow() }
      #expect(second.status.toSend == 0 || second.status.activity != .idle)
    }
    await second.start()
    try await a.sync()
    try a.edit { $0.insert("Item", ["name": "between"]) }
    try await a.engine.close()
    try await Patience.waiting(for: "the second engine") { second.status.activity == .idle }
    try await second.syncNow()
    try await devices.b.sync()
    #expect(
      try devices.b.values("Item", "name") == [
        "0", "1", "2", "3", "4", "between", "r0", "r1", "r2",
      ])
    try await second.close()
  }

  /// Devices whose clocks are years off, ahead and behind, and change between: all are equal, and
  /// what is edited last after all have seen the rest shows.
  @Test(arguments: [[0, 400_000_000, -400_000_000], [-86_400, 86_400, 0], [1, 0, -1]])
  func clocksThatAreYearsOff(skews: [Int]) async throws {
    let devices = try await Self.devices(3)
    devices.cloud.now = 1_700_000_000_000
    for round in 0..<3 {
      for (index, phone) in devices.phones.enumerated() {
        phone.skew = Int64(skews[(index + round) % 3])
        try phone.edit { context in
          try context.find("Item", "name", "0").setValue("\(round) \(index)", forKey: "note")
          try context.find("Item", "name", "\(index + 1)").setValue("own \(round)", forKey: "note")
          context.insert("Item", ["name": "\(round)-\(index)"])
        }
        try await phone.sync()
      }
      try await devices.settleWholly()
      let rows = try Self.expectSame(devices)
      for index in 0..<3 {
        #expect(rows.contains("\(index + 1) own \(round) 0 l [\"t\"]"), "\(round): \(rows)")
      }
    }
    try devices.a.edit { try $0.find("Item", "name", "0").setValue("last", forKey: "note") }
    try await devices.settleWholly()
    #expect(try Self.expectSame(devices).contains("0 last 0 l [\"t\"]"))
  }

  /// What validation refuses on one device waits there, blocks nothing, and shows once it is mended,
  /// by either side or by an update of the application.
  @Test(arguments: ["here", "there", "update"])
  func whatValidationRefusesWaits(_ mend: String) async throws {
    func make(limit: Int?) -> NSManagedObjectModel {
      let item = ModelPart.entity(
        "Item", [ModelPart.attribute("name"), ModelPart.attribute("note")])
      if let limit {
        item.attributesByName["name"]?.setValidationPredicates(
          [NSPredicate(format: "length <= \(limit)")], withValidationWarnings: ["too long"])
      }
      return ModelPart.model([item])
    }
    let devices = try Devices(make(limit: nil), others: [make(limit: 5)])
    let (a, b) = (devices.a, devices.b)
    try a.edit { context in
      context.insert("Item", ["name": "short", "note": "1"])
      context.insert("Item", ["name": "much too long", "note": "2"])
    }
    try await devices.settle()
    #expect(try b.values("Item", "name") == ["short"])
    #expect(b.engine.status.held.count == 1, "\(b.engine.status.held)")
    try a.edit { context in
      try context.find("Item", "name", "short").setValue("longer", forKey: "name")
      try context.find("Item", "name", "longer").setValue("3", forKey: "note")
      context.insert("Item", ["name": "ok"])
    }
    try await devices.settle()
    #expect(try b.values("Item", "name") == ["ok", "short"])
    #expect(b.engine.status.held.count == 2, "\(b.engine.status.held)")
    switch mend {
    case "here":
      try b.edit { try $0.find("Item", "name", "short").setValue("mine", forKey: "name") }
      try a.edit { try $0.find("Item", "name", "much too long").setValue("fits", forKey: "name") }
      try await devices.settleWholly()
      try devices.expect("Item", "name", ["fits", "mine", "ok"])
    case "there":
      try a.edit { context in
        try context.find("Item", "name", "much too long").setValue("fits", forKey: "name")
        try context.find("Item", "name", "longer").setValue("shor2", forKey: "name")
      }
      try await devices.settleWholly()
      try devices.expect("Item", "name", ["fits", "ok", "shor2"])
    default:
      try await b.restart(model: make(limit: 50))
      try await devices.settleWholly()
      try devices.expect("Item", "name", ["longer", "much too long", "ok"])
    }
    try devices.expect("Item", "note", try a.values("Item", "note"))
  }
}
