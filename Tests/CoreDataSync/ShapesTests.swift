import CoreData
import CoreDataSupport
import Testing
import TestSupport

@testable import CoreDataSync

/// Deep deletions, circles, lists of lists, and validation that is code.
@Suite struct ShapesTests {
  // MARK: - Deletions at depth three

  enum Rule: String, CaseIterable {
    case cascade, nullify, deny

    var rule: NSDeleteRule {
      switch self {
      case .cascade: .cascadeDeleteRule
      case .nullify: .nullifyDeleteRule
      case .deny: .denyDeleteRule
      }
    }
  }

  private static func chain(_ last: Rule, isRequired: Bool) -> NSManagedObjectModel {
    let entities = ["A", "B", "C", "D"].map { ModelPart.entity($0, [ModelPart.attribute("name")]) }
    for (index, entity) in entities.dropLast().enumerated() {
      let rule = index == 2 ? last.rule : .cascadeDeleteRule
      ModelPart.connect(
        ModelPart.end(entity, "down", to: entities[index + 1], rule: rule),
        ModelPart.end(
          entities[index + 1], "up", to: entity, maxCount: 1,
          isOptional: !(index == 2 && isRequired)))
    }
    return ModelPart.model(entities)
  }

  /// One deletes the top, the other adds at each depth.
  @Test(arguments: Sample.of(Rule.allCases, [false, true]))
  func theTopGoesWhileSomethingIsAddedBelow(_ last: Rule, isRequired: Bool) async throws {
    for depth in 1...3 {
      for adderIsFirst in [false, true] {
        let devices = try Devices(Self.chain(last, isRequired: isRequired))
        let (a, b) = (devices.a, devices.b)
        try a.edit { context in
          let top = context.insert("A", ["name": "a"])
          let second = context.insert("B", ["name": "b", "up": top])
          context.insert("C", ["name": "c", "up": second])
        }
        try await devices.settle()
        let names = ["A", "B", "C", "D"]
        try a.edit { try $0.delete($0.find("A", "name", "a")) }
        try b.edit { context in
          let up = try context.find(names[depth - 1], "name", names[depth - 1].lowercased())
          context.insert(names[depth], ["name": "added", "up": up])
        }
        for phone in adderIsFirst ? [b, a] : [a, b] { try await phone.sync() }
        try await devices.settleWholly()
        let counts = try devices.phones.map { phone in try names.map { try phone.count($0) } }
        let what = "\(last) \(isRequired) \(depth) \(adderIsFirst): \(counts)"
        #expect(counts[0] == counts[1], "\(what)")
        let expected: [Int] =
          switch (depth, last, isRequired) {
          case (3, .deny, _): [1, 1, 1, 1]
          case (3, .nullify, false): [0, 0, 0, 1]
          default: [0, 0, 0, 0]
          }
        #expect(counts[0] == expected, "\(what)")
        if expected == [0, 0, 0, 0] {
          #expect(b.engine.status.losses.contains { $0.value == .text("added") }, "\(what)")
        }
        try await devices.close()
      }
    }
  }

  // MARK: - Circles and moves

  private static func nested(isAcyclic: Bool?) -> NSManagedObjectModel {
    let list = ModelPart.entity("List", [ModelPart.attribute("name")])
    let up = ModelPart.end(list, "up", to: list, maxCount: 1)
    if let isAcyclic {
      up.userInfo = [SyncConfiguration.Annotation.acyclic: isAcyclic ? "YES" : "NO"]
    }
    ModelPart.connect(
      up, ModelPart.end(list, "down", to: list, rule: .cascadeDeleteRule, isOrdered: true))
    return ModelPart.model([list])
  }

  /// Three move three lists, each into the next: no list is lost, and a circle stays only where the
  /// model says so.
  @Test(arguments: Sample.of([true, false], [[0, 1, 2], [2, 1, 0], [1, 0, 2]]))
  func threeThatMakeACircleTogether(isAcyclic: Bool, order: [Int]) async throws {
    let model = Self.nested(isAcyclic: isAcyclic)
    let devices = try Devices(model, others: [model, model])
    try devices.a.edit { context in
      for name in ["0", "1", "2"] {
        let list = context.insert("List", ["name": name])
        context.insert("List", ["name": name + "x", "up": list])
      }
    }
    try await devices.settle()
    for (index, phone) in devices.phones.enumerated() {
      try phone.edit { context in
        try context.find("List", "name", "\(index)").setValue(
          context.find("List", "name", "\((index + 1) % 3)"), forKey: "up")
      }
    }
    for index in order { try await devices.phones[index].sync() }
    try await devices.settleWholly()
    let ups = try devices.phones.map { phone in
      try phone.read { context in
        try context.all("List").map { list in
          """
          \(list.value(forKey: "name") ?? "-") in \(list.value(forKeyPath: "up.name") ?? "-") \
          \(list.names("down"))
          """
        }.sorted()
      }
    }
    #expect(ups[0] == ups[1] && ups[1] == ups[2])
    #expect(ups[0].count == 6)
    #expect(ups[0].filter { $0.contains("in -") }.count == (isAcyclic ? 1 : 0), "\(ups[0])")
    let third = try await devices.newcomer(model)
    #expect(try third.count("List") == 6)
  }

  /// Two move the same rows between four lists many times; nothing is lost, nothing is twice.
  @Test(arguments: Sample.of(0..<6))
  func rowsThatTwoMoveEverywhereAreThereOnce(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed &* 31 &+ 7)
    let devices = try Devices(Self.nested(isAcyclic: true))
    try devices.a.edit { context in
      for list in 0..<4 {
        let object = context.insert("List", ["name": "\(list)"])
        for row in 0..<4 { context.insert("List", ["name": "\(list)\(row)", "up": object]) }
      }
    }
    try await devices.settle()
    for _ in 0..<5 {
      for phone in devices.phones {
        for _ in 0..<3 {
          try phone.edit { context in
            let row = try context.find(
              "List", "name", "\(random.below(4))\(random.below(4))")
            let list = try context.find("List", "name", "\(random.below(4))")
            let rows = list.mutableOrderedSetValue(forKey: "down")
            rows.remove(row)
            rows.insert(row, at: random.below(rows.count + 1))
          }
        }
        if random.below(3) == 0 { try await phone.sync() }
      }
    }
    try await devices.settleWholly()
    let rows = try devices.phones.map { phone in
      try phone.read { context in
        try (0..<4).map { try context.find("List", "name", "\($0)").names("down") }
      }
    }
    #expect(rows[0] == rows[1])
    #expect(rows[0].joined().sorted().count == 16 && Set(rows[0].joined()).count == 16)
  }

  /// Ordered at both ends, edited by both: members are the same everywhere.
  @Test(arguments: Sample.of(0..<4))
  func listsThatAreOrderedAtBothEndsHaveOneSetOfMembers(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed &+ 99)
    let list = ModelPart.entity("List", [ModelPart.attribute("name")])
    let song = ModelPart.entity("Song", [ModelPart.attribute("name")])
    ModelPart.connect(
      ModelPart.end(list, "songs", to: song, isOrdered: true),
      ModelPart.end(song, "lists", to: list, isOrdered: true))
    let devices = try Devices(ModelPart.model([list, song]))
    try devices.a.edit { context in
      for name in ["0", "1", "2"] { context.insert("List", ["name": name]) }
      for name in ["0", "1", "2", "3", "4"] { context.insert("Song", ["name": name]) }
    }
    try await devices.settle()
    for _ in 0..<6 {
      for phone in devices.phones {
        try phone.edit { context in
          for _ in 0..<2 {
            let list = try context.find("List", "name", "\(random.below(3))")
            let song = try context.find("Song", "name", "\(random.below(5))")
            let isFromSong = random.below(2) == 0
            let set =
              isFromSong
              ? song.mutableOrderedSetValue(forKey: "lists")
              : list.mutableOrderedSetValue(forKey: "songs")
            let member = isFromSong ? list : song
            if set.contains(member) { set.remove(member) } else { set.insert(member, at: 0) }
          }
        }
        if random.below(3) == 0 { try await phone.sync() }
      }
    }
    try await devices.settleWholly()
    let rows = try devices.phones.map { phone in
      try phone.read { context in
        try context.all("List").map { "\($0.value(forKey: "name")!) \($0.names("songs").sorted())" }
          .sorted()
          + context.all("Song").map { "\($0.value(forKey: "name")!) \($0.names("lists").sorted())" }
          .sorted()
      }
    }
    #expect(rows[0] == rows[1])
  }

  // MARK: - Validation

  /// A class that refuses insertions without a text, and updates that shorten it.
  @Test func whatCodeRefusesIsHeldAndBlocksNothing() async throws {
    ManagedObjectClasses.register(
      "StrictNote", module: "CoreDataSyncTests", type: StrictNote.self
    ) { StrictNote(entity: $0, insertInto: $1) }
    func model(isStrict: Bool) -> NSManagedObjectModel {
      let note = ModelPart.entity(
        "Note", [ModelPart.attribute("name"), ModelPart.attribute("text")])
      if isStrict { note.managedObjectClassName = "StrictNote" }
      let line = ModelPart.entity("Line", [ModelPart.attribute("name")])
      ModelPart.connect(
        ModelPart.end(note, "lines", to: line, rule: .cascadeDeleteRule, isOrdered: true),
        ModelPart.end(line, "note", to: note, maxCount: 1, isOptional: false))
      return ModelPart.model([note, line])
    }
    let devices = try Devices(model(isStrict: false), others: [model(isStrict: true)])
    let (a, b) = (devices.a, devices.b)
    b.pageLimit = 2
    try a.edit { context in
      for (name, text) in [("1", "long"), ("2", ""), ("3", "longer")] {
        let note = context.insert("Note", ["name": name, "text": text])
        context.insert("Line", ["name": name, "note": note])
      }
    }
    try await devices.settle()
    #expect(try b.values("Note", "name") == ["1", "3"])
    #expect(try b.values("Line", "name") == ["1", "3"])
    #expect(!b.engine.status.held.isEmpty)
    // What is refused is an update now.
    try a.edit { context in
      try context.find("Note", "name", "1").setValue("", forKey: "text")
      try context.find("Note", "name", "3").setValue("three", forKey: "name")
      context.insert("Note", ["name": "4", "text": "four"])
    }
    try await devices.settle()
    #expect(try b.values("Note", "name") == ["1", "4", "three"])
    #expect(try b.values("Note", "text") == ["four", "long", "longer"])
    // What somebody may not delete, because of code.
    try a.edit { try $0.delete($0.find("Note", "name", "three")) }
    try await devices.settle()
    #expect(try b.values("Note", "name") == ["1", "4"])
    try a.edit { context in
      for name in ["1", "2"] {
        try context.find("Note", "name", name).setValue("good", forKey: "text")
      }
    }
    try await devices.settleWholly()
    try devices.expect("Note", "name", ["1", "2", "4"])
    try devices.expect("Line", "name", ["1", "2"])
    try devices.expect("Note", "text", ["four", "good", "good"])
  }

  /// A list that must have a member loses its last two to two devices.
  @Test func whatMustHaveAMemberBlocksNothing() async throws {
    let team = ModelPart.entity("Team", [ModelPart.attribute("name")])
    let player = ModelPart.entity("Player", [ModelPart.attribute("name")])
    let players = ModelPart.end(team, "players", to: player, isOptional: false)
    players.minCount = 1
    ModelPart.connect(players, ModelPart.end(player, "teams", to: team))
    let devices = try Devices(ModelPart.model([team, player]))
    try devices.a.edit { context in
      let players = ["1", "2"].map { context.insert("Player", ["name": $0]) }
      context.insert("Team", ["name": "t", "players": Set(players)])
    }
    try await devices.settle()
    for (phone, name) in [(devices.a, "1"), (devices.b, "2")] {
      try phone.edit { context in
        try context.find("Team", "name", "t").mutableSetValue(forKey: "players")
          .remove(context.find("Player", "name", name))
      }
    }
    try await devices.settle()
    try devices.a.edit { $0.insert("Player", ["name": "3"]) }
    try devices.b.edit { try $0.find("Player", "name", "1").setValue("one", forKey: "name") }
    try await devices.settle()
    try devices.expect("Player", "name", ["2", "3", "one"])
    try devices.b.edit { context in
      try context.find("Team", "name", "t").mutableSetValue(forKey: "players")
        .add(context.find("Player", "name", "3"))
    }
    try await devices.settleWholly()
    let members = try devices.phones.map { phone in
      try phone.read { try $0.find("Team", "name", "t").names("players") }
    }
    #expect(members[0] == members[1] && members[0].contains("3"), "\(members)")
  }

  // MARK: - What stays here

  /// A synced entity that needs an excluded one, and a list that has excluded members.
  @Test func whatNeedsSomethingThatStaysHereStopsNothing() async throws {
    let secret = ModelPart.entity("Secret", [ModelPart.attribute("name")])
    secret.userInfo = [SyncConfiguration.Annotation.excluded: "YES"]
    let note = ModelPart.entity("Note", [ModelPart.attribute("name")])
    ModelPart.connect(
      ModelPart.end(note, "secrets", to: secret, rule: .cascadeDeleteRule, isOrdered: true),
      ModelPart.end(secret, "note", to: note, maxCount: 1))
    let pin = ModelPart.entity("Pin", [ModelPart.attribute("name")])
    ModelPart.connect(
      ModelPart.end(pin, "secret", to: secret, maxCount: 1, isOptional: false),
      ModelPart.end(secret, "pins", to: pin, rule: .cascadeDeleteRule))
    let devices = try Devices(ModelPart.model([secret, note, pin]))
    try devices.a.edit { context in
      let note = context.insert("Note", ["name": "n"])
      let secret = context.insert("Secret", ["name": "s", "note": note])
      context.insert("Pin", ["name": "p", "secret": secret])
    }
    try await devices.settle()
    try devices.b.edit { try $0.find("Note", "name", "n").setValue("of b", forKey: "name") }
    try await devices.settle()
    try devices.expect("Note", "name", ["of b"])
    #expect(try devices.a.read { try $0.find("Note", "name", "of b").names("secrets") } == ["s"])
    #expect(try devices.a.values("Pin", "name") == ["p"])
    #expect(try devices.b.count("Secret") == 0)
    try devices.b.edit { try $0.delete($0.find("Note", "name", "of b")) }
    try await devices.settle()
    #expect(try devices.a.count("Note") == 0 && devices.a.count("Secret") == 0)
  }
}

/// A note that refuses to be without a text.
final class StrictNote: NSManagedObject {
  private func check() throws {
    if (value(forKey: "text") as? String ?? "").isEmpty {
      throw CocoaError(.validationMissingMandatoryProperty)
    }
  }
  override func validateForInsert() throws {
    try super.validateForInsert()
    try check()
  }
  override func validateForUpdate() throws {
    try super.validateForUpdate()
    try check()
  }
  override func validateForDelete() throws {
    try super.validateForDelete()
    if value(forKey: "name") as? String == "4" {
      throw CocoaError(.validationRelationshipDeniedDelete)
    }
  }
}

extension SplitMix64 {
  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
