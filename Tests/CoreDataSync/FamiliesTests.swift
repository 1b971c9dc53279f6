import CoreData
import CoreDataSupport
import SyncSupport
import TestSupport
import Testing

@testable import CoreDataSync

/// Unique attributes of entities that inherit from one: the store keeps them unique in one table.
@Suite struct FamiliesTests {
  /// The entity that has the constraint.
  enum Place: String, CaseIterable { case parent, child }
  /// The entities of the two objects with one name.
  enum Couple: String, CaseIterable {
    case same, siblings, parentAndChild

    var entities: [String] {
      switch self {
      case .same: ["A", "A"]
      case .siblings: ["A", "B"]
      case .parentAndChild: ["Base", "A"]
      }
    }
  }
  enum Timing: String, CaseIterable { case atOnce, oneAfterAnother, oneOffline }
  /// What becomes of the object that shows.
  enum End: String, CaseIterable { case deleted, renamed }

  struct Case: CustomStringConvertible {
    let place: Place
    let couple: Couple
    let timing: Timing
    let count: Int
    let end: End
    /// Whether the second device makes what the first one would have made.
    let isTurned: Bool

    var description: String {
      "\(place), \(couple), \(timing), \(count) devices, \(end)\(isTurned ? ", turned" : "")"
    }
  }

  private static func cases(_ couple: Couple) -> [Case] {
    Place.allCases.flatMap { place in
      Timing.allCases.flatMap { timing in
        [2, 3].flatMap { count in
          End.allCases.flatMap { end in
            [false, true].map { isTurned in
              Case(
                place: place, couple: couple, timing: timing, count: count, end: end,
                isTurned: isTurned)
            }
          }
        }
      }
    }
  }

  /// What two devices make without knowing of each other is the same everywhere: objects of one
  /// entity are one, of two entities one shows. It comes back when the other is gone.
  @Test(arguments: Sample.of(Couple.allCases))
  func whatIsUniqueInAFamilyIsTheSameEverywhere(_ couple: Couple) async throws {
    for one in Self.cases(couple) { try await check(one) }
  }

  private func check(_ one: Case) async throws {
    let model = Self.model(one.place)
    var configuration = SyncConfiguration(zone: "zone")
    // Names decide which record is the smaller one.
    configuration.identify = { $0.value(forKey: "note") as? String }
    let cloud = Cloud(model: model, configuration: configuration)
    let phones = try (0..<one.count).map { _ in
      try Phone(cloud, model: model, configuration: configuration)
    }
    let (first, second) = (phones[0], phones[1])
    let turn = one.isTurned ? 1 : 0
    let made = (0..<2).map { index in
      (entity: one.couple.entities[(index + turn) % 2], note: ["n", "m"][(index + turn) % 2])
    }
    func insert(_ index: Int, by phone: Phone) throws {
      try phone.edit { $0.insert(made[index].entity, ["name": "x", "note": made[index].note]) }
    }
    if one.timing == .oneOffline {
      second.line.isOffline = true
      try insert(1, by: second)
      await #expect(throws: SyncTransportError.self) { try await second.sync() }
    }
    try insert(0, by: first)
    if one.timing != .atOnce { for _ in 0..<2 { try await first.sync() } }
    if one.timing != .oneOffline { try insert(1, by: second) }
    second.line.isOffline = false
    try await settle(phones)
    let isOne = one.couple == .same
    let shown = try expectSame(phones, cloud, hidden: isOne ? 0 : 1, one)
    #expect(shown.count == 1, "\(one): \(shown)")
    for phone in phones {
      let status = phone.engine.status
      #expect(status.toSend == 0, "\(one)")
      #expect(status.held.map(\.value) == (isOne ? [] : [.text("x")]), "\(one): \(status.held)")
      #expect(status.held.allSatisfy { $0.property == "name" }, "\(one): \(status.held)")
    }
    if !isOne {
      // Whose object went is told.
      let lost = phones.flatMap(\.engine.status.losses).filter { loss in
        if case .held = loss.reason { loss.value == .text("x") } else { false }
      }
      #expect(!lost.isEmpty, "\(one)")
    }
    // The last device, which has made neither where there are three.
    try phones[one.count - 1].edit { context in
      let object = try context.find("Base", "name", "x")
      if one.end == .deleted {
        context.delete(object)
      } else {
        object.setValue("y", forKey: "name")
      }
    }
    try await settle(phones)
    let later = try expectSame(phones, cloud, hidden: 0, one)
    let names = later.map { $0.split(separator: " ")[1] }.sorted()
    let expected: [Substring] =
      switch (isOne, one.end) {
      case (true, .deleted): []
      case (true, .renamed): ["y"]
      case (false, .deleted): ["x"]
      case (false, .renamed): ["x", "y"]
      }
    #expect(names == expected, "\(one): \(later)")
    for phone in phones {
      #expect(phone.engine.status.held.isEmpty, "\(one): \(phone.engine.status.held)")
      try await phone.engine.close()
    }
  }

  private func settle(_ phones: [Phone]) async throws {
    for _ in 0..<3 { for phone in phones { try await phone.sync() } }
  }

  /// What every device shows, which is what the server has but for what is hidden.
  private func expectSame(_ phones: [Phone], _ cloud: Cloud, hidden: Int, _ one: Case) throws
    -> [String]
  {
    let pictures = try phones.map(Self.picture)
    for picture in pictures { #expect(picture == pictures[0], "\(one): \(pictures)") }
    let alive = cloud.withServer { server in
      server.records.compactMap { id, entry -> String? in
        guard entry.alias == nil, server.isAlive(id) == true else { return nil }
        let values = ["name", "note"].map { name in
          if case .text(let text)? = entry.registers[name]?.value.value { text } else { "nil" }
        }
        return "\(entry.entity) \(values.joined(separator: " "))"
      }
    }
    #expect(Set(pictures[0]).isSubset(of: alive), "\(one): \(pictures[0]), \(alive)")
    #expect(pictures[0].count + hidden == alive.count, "\(one): \(pictures[0]), \(alive)")
    return pictures[0]
  }

  private static func picture(_ phone: Phone) throws -> [String] {
    try phone.read { context in
      try context.all("Base").map { object in
        let values = ["name", "note"].map { object.value(forKey: $0) as? String ?? "nil" }
        return "\(object.entity.name ?? "") \(values.joined(separator: " "))"
      }.sorted()
    }
  }

  private static func model(_ place: Place) -> NSManagedObjectModel {
    let base = ModelPart.entity(
      "Base", [ModelPart.attribute("name"), ModelPart.attribute("note")])
    let children = ["A", "B"].map { ModelPart.entity($0) }
    base.subentities = children
    switch place {
    case .parent: base.uniquenessConstraints = [["name"]]
    case .child: children[0].uniquenessConstraints = [["name"]]
    }
    return ModelPart.model([base] + children)
  }
}
