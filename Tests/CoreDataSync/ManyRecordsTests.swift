import CoreData
import CoreDataSupport
import Testing
import TestSupport

@testable import CoreDataSync

/// More records than an engine keeps as they are read: what is done to old ones counts as what is
/// done to those of today.
@Suite struct ManyRecordsTests {
  private static func model() -> NSManagedObjectModel {
    let list = ModelPart.entity("List", [ModelPart.attribute("name"), ModelPart.counter("views")])
    let row = ModelPart.entity(
      "Row", [ModelPart.attribute("name"), ModelPart.attribute("code"), ModelPart.counter("count")])
    row.uniquenessConstraints = [["code"]]
    ModelPart.connect(
      ModelPart.end(list, "rows", to: row, rule: .cascadeDeleteRule, isOrdered: true),
      ModelPart.end(row, "list", to: list, maxCount: 1))
    ModelPart.connect(ModelPart.end(row, "links", to: row), ModelPart.end(row, "linked", to: row))
    return ModelPart.model([list, row])
  }

  private static func picture(_ phone: Phone) throws -> [String] {
    try phone.read { context in
      try context.all("Row").map { row in
        """
        \(row.value(forKey: "name") ?? "-") \(row.value(forKey: "code") ?? "-") \
        \(row.value(forKey: "count") ?? "-") \(row.value(forKeyPath: "list.name") ?? "-") \
        \(row.names("links"))
        """
      }.sorted()
        + context.all("List").map {
          "\($0.value(forKey: "name") ?? "-") \($0.value(forKey: "views") ?? 0) \($0.names("rows"))"
        }.sorted()
    }
  }

  /// The number that is released, and more rows than that on two devices.
  @Test func moreThanTheReleasedNumber() async throws {
    let model = Self.model()
    let devices = try Devices(model)
    let (a, b) = (devices.a, devices.b)
    for phone in devices.phones {
      phone.recordsInMemory = 8_192
      try await phone.restart()
    }
    let count = 9_000
    func name(_ number: Int) -> String { "\(10_000 + number)" }
    try a.edit { context in
      let list = context.insert("List", ["name": "l"])
      for number in 0..<count {
        let row = context.insert("Row", ["name": name(number), "code": name(number)])
        if number < 3 { row.setValue(list, forKey: "list") }
      }
    }
    try await devices.settle()
    #expect(try b.count("Row") == count)
    // The first rows are the oldest ones.
    for (phone, by) in [(a, "a"), (b, "b")] {
      try phone.edit { context in
        for number in [0, 1, count - 1] {
          let row = try context.find("Row", "code", name(number))
          row.setValue(by, forKey: "name")
          row.setValue(number + 2, forKey: "count")
        }
        let own = by == "a" ? 5 : 6
        try context.delete(context.find("Row", "code", name(own)))
        let twin = context.insert("Row", ["name": by, "code": "twin", "count": 1])
        try twin.mutableSetValue(forKey: "links").add(context.find("Row", "code", name(own + 10)))
      }
    }
    try await a.restart()
    try await devices.settleWholly()
    for phone in devices.phones {
      #expect(try phone.count("Row") == count - 2 + 1)
      try phone.read { context in
        let row = try context.find("Row", "code", name(0))
        #expect(row.value(forKey: "name") as? String == "b")
        #expect(row.value(forKey: "count") as? Int == 4)
        let twin = try context.find("Row", "code", "twin")
        #expect(twin.names("links", "code") == [name(15), name(16)])
        #expect(twin.value(forKey: "count") as? Int == 2)
      }
    }
    // The twin has lost one, too.
    #expect(a.engine.status.losses.filter { $0.value == .text("a") }.count == 4)
    try await b.restart()
    try b.edit { try $0.delete($0.find("List", "name", "l")) }
    try await devices.settleWholly()
    #expect(try a.count("Row") == count - 2 + 1 - 3)
  }

  /// One history with few records in memory and with many: what two devices show is the same.
  @Test(arguments: Sample.of(0..<8 as Range<UInt64>))
  func whatIsInMemoryChangesNothing(seed: UInt64) async throws {
    var pictures: [[String]] = []
    for recordsInMemory in [1, 3, 100_000] {
      var random = SplitMix64(seed: seed &* 77 &+ 5)
      let devices = try Devices(Self.model())
      for phone in devices.phones {
        phone.recordsInMemory = recordsInMemory
        phone.pageLimit = Int.random(in: 1...40, using: &random)
        phone.pushLimit = Int.random(in: 2...40, using: &random)
        try await phone.restart()
      }
      try devices.a.edit { context in
        for number in 0..<60 {
          if number % 10 == 0 { context.insert("List", ["name": "\(100 + number)"]) }
          context.insert("Row", ["name": "\(100 + number)", "code": "\(100 + number)"])
        }
      }
      try await devices.settle()
      for round in 0..<8 {
        for phone in devices.phones {
          for _ in 0..<3 {
            try phone.edit { try Self.carryOut(&random, $0, name: "\(round)") }
          }
          switch Int.random(in: 0..<4, using: &random) {
          case 0: try await phone.restart()
          case 1: try await phone.sync()
          default: break
          }
        }
      }
      try await devices.settleWholly()
      let shown = try devices.phones.map(Self.picture)
      #expect(shown[0] == shown[1])
      let third = try await devices.newcomer(Self.model())
      #expect(try Self.picture(third) == shown[0])
      pictures.append(shown[0])
      try await devices.close()
    }
    // Identifiers are made at random, and decide ties alone: what there is, is the same.
    let counts = pictures.map(\.count)
    #expect(Set(counts).count == 1, "\(counts)")
  }

  private static func carryOut(
    _ random: inout SplitMix64, _ context: NSManagedObjectContext, name: String
  ) throws {
    func pick(_ entity: String) throws -> NSManagedObject {
      let all = try context.all(entity).sorted {
        ($0.value(forKey: "name") as? String ?? "") < ($1.value(forKey: "name") as? String ?? "")
      }
      return all[Int.random(in: 0..<all.count, using: &random)]
    }
    let row = try pick("Row")
    switch Int.random(in: 0..<7, using: &random) {
    case 0: row.setValue(try pick("List"), forKey: "list")
    case 1: row.mutableSetValue(forKey: "links").add(try pick("Row"))
    case 2: row.setValue((row.value(forKey: "count") as? Int ?? 0) + 1, forKey: "count")
    case 3: row.setValue(name + (row.value(forKey: "name") as? String ?? ""), forKey: "name")
    case 4: context.delete(row)
    case 5:
      context.insert(
        "Row", ["name": "new", "code": "\(name)\(UInt64.random(in: 0 ... .max, using: &random))"])
    default:
      let rows = try pick("List").mutableOrderedSetValue(forKey: "rows")
      if rows.count > 1 { rows.moveObjects(at: IndexSet(integer: rows.count - 1), to: 0) }
    }
  }

  enum Damage: CaseIterable { case syncIsMissing, syncIsOlder, serverIsEmpty, serverForgot }

  /// Old records are known again after what happens to stores and servers.
  @Test(arguments: Sample.of(Damage.allCases))
  func oldRecordsAreKnownAgain(_ damage: Damage) async throws {
    let devices = try Devices(Self.model())
    let (a, b) = (devices.a, devices.b)
    try a.edit { context in
      let list = context.insert("List", ["name": "l"])
      for number in 100..<150 {
        context.insert("Row", ["name": "\(number)", "code": "\(number)", "list": list])
      }
    }
    try await devices.settle()
    let backup = try a.backUp()
    try a.edit { context in
      try context.find("Row", "code", "100").setValue("edited", forKey: "name")
      try context.delete(context.find("Row", "code", "101"))
      context.insert("Row", ["name": "new", "code": "new"])
    }
    try await devices.settle()
    try a.edit { context in
      try context.find("Row", "code", "102").setValue("unsent", forKey: "name")
      try context.delete(context.find("Row", "code", "103"))
    }
    try b.edit { context in
      try context.find("Row", "code", "104").setValue("of b", forKey: "name")
      try context.delete(context.find("Row", "code", "105"))
    }
    try await b.sync()
    switch damage {
    case .serverIsEmpty: devices.cloud.restore()
    case .serverForgot: devices.cloud.withServer { $0.compact() }
    case .syncIsMissing: try await a.forgetOwnStore()
    case .syncIsOlder: try await a.forgetOwnStore(but: backup)
    }
    try await a.restart()
    try await devices.settleWholly()
    let pictures = try devices.phones.map(Self.picture)
    #expect(pictures[0] == pictures[1])
    let names = try a.values("Row", "name")
    for name in ["edited", "unsent", "of b", "new"] { #expect(names.contains(name), "\(name)") }
    for name in ["101", "103", "105"] { #expect(!names.contains(name), "\(name)") }
    #expect(names.count == 48)
  }
}
