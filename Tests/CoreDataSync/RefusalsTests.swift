import CoreData
import CoreDataSupport
import TestSupport
import Testing

@testable import CoreDataSync

/// What the store refuses, or would do of itself, when a page is applied: counts of members, code
/// that refuses deletions, delete rules that reach what stays.
@Suite struct RefusalsTests {
  struct Counts: Sendable, CustomTestStringConvertible {
    let isManyToMany: Bool
    let isMaximum: Bool
    let byDeletion: Bool
    var testDescription: String {
      """
      \(isManyToMany ? "many" : "one") to many, \(isMaximum ? "at most two" : "at least one")\
      \(byDeletion ? ", deleted" : "")
      """
    }
    static let all = [false, true].flatMap { isManyToMany in
      [(true, false), (false, false), (false, true)].map {
        Counts(isManyToMany: isManyToMany, isMaximum: $0.0, byDeletion: $0.1)
      }
    }
  }

  private static func teams(_ counts: Counts) -> NSManagedObjectModel {
    let team = ModelPart.entity("Team", [ModelPart.attribute("name")])
    let player = ModelPart.entity("Player", [ModelPart.attribute("name")])
    let players = ModelPart.end(team, "players", to: player, isOptional: counts.isMaximum)
    if counts.isMaximum { players.maxCount = 2 } else { players.minCount = 1 }
    ModelPart.connect(
      players, ModelPart.end(player, "teams", to: team, maxCount: counts.isManyToMany ? 0 : 1))
    return ModelPart.model([team, player])
  }

  /// Two devices together leave too few members, or add too many: nothing else stops, and both end
  /// the same once somebody has mended it.
  @Test(arguments: Sample.of(Counts.all))
  func countsThatTwoBreakTogetherStopNothing(_ counts: Counts) async throws {
    let devices = try Devices(Self.teams(counts))
    let (a, b) = (devices.a, devices.b)
    try a.edit { context in
      let players = ["1", "2", "3"].map { context.insert("Player", ["name": $0]) }
      let members = counts.isMaximum ? [players[0]] : [players[0], players[1]]
      context.insert("Team", ["name": "t", "players": Set(members)])
    }
    try await devices.settle()
    for (phone, one, other) in [(a, "1", "2"), (b, "2", "3")] {
      try phone.edit { context in
        let players = try context.find("Team", "name", "t").mutableSetValue(forKey: "players")
        if counts.isMaximum {
          players.add(try context.find("Player", "name", other))
        } else if counts.byDeletion {
          context.delete(try context.find("Player", "name", one))
        } else {
          players.remove(try context.find("Player", "name", one))
        }
      }
    }
    try await devices.settle()
    try a.edit { $0.insert("Player", ["name": "of a"]) }
    try b.edit { $0.insert("Player", ["name": "of b"]) }
    try await devices.settle()
    for phone in [a, b] {
      #expect(try phone.values("Player", "name").filter { $0.hasPrefix("of") }.count == 2)
    }
    try b.edit { context in
      let player = try context.find("Player", "name", "of a")
      try context.find("Team", "name", "t").setValue(Set([player]), forKey: "players")
    }
    try await devices.settleWholly()
    let members = try devices.phones.map { phone in
      try phone.read { try $0.find("Team", "name", "t").names("players") }
    }
    #expect(members[0] == members[1] && members[0].contains("of a"), "\(members)")
    try devices.expect("Player", "name", try a.values("Player", "name"))
  }

  /// Code that refuses a deletion on one device: it is held, and everything else arrives.
  @Test func aDeletionThatCodeRefusesIsHeld() async throws {
    ManagedObjectClasses.register(
      "KeptNote", module: "CoreDataSyncTests", type: KeptNote.self
    ) { KeptNote(entity: $0, insertInto: $1) }
    func model(isStrict: Bool) -> NSManagedObjectModel {
      let note = ModelPart.entity("Note", [ModelPart.attribute("name")])
      if isStrict { note.managedObjectClassName = "KeptNote" }
      return ModelPart.model([note])
    }
    let devices = try Devices(model(isStrict: false), others: [model(isStrict: true)])
    let (a, b) = (devices.a, devices.b)
    try a.edit { context in for name in ["kept", "2"] { context.insert("Note", ["name": name]) } }
    try await devices.settle()
    try a.edit { context in for note in try context.all("Note") { context.delete(note) } }
    try a.edit { $0.insert("Note", ["name": "3"]) }
    try await devices.settle()
    #expect(try b.values("Note", "name") == ["3", "kept"])
    #expect(!b.engine.status.held.isEmpty)
    try b.edit { try $0.find("Note", "name", "kept").setValue("free", forKey: "name") }
    try await devices.settleWholly()
    try devices.expect("Note", "name", ["3"])
  }

  enum Cascade: String, CaseIterable { case manyToMany, oneWay, oneWayOrdered }

  /// A delete rule without a parent that sync knows of: what was added meanwhile stays.
  @Test(arguments: Sample.of(Cascade.allCases, [false, true]))
  func whatARuleWouldTakeThatStaysStays(_ cascade: Cascade, isTurned: Bool) async throws {
    let list = ModelPart.entity("List", [ModelPart.attribute("name")])
    let song = ModelPart.entity("Song", [ModelPart.attribute("name")])
    let songs = ModelPart.end(
      list, "songs", to: song, rule: .cascadeDeleteRule, isOrdered: cascade == .oneWayOrdered)
    if cascade == .manyToMany { ModelPart.connect(songs, ModelPart.end(song, "lists", to: list)) }
    let devices = try Devices(ModelPart.model([list, song]))
    let (a, b) = (devices.a, devices.b)
    try a.edit { context in
      let song = context.insert("Song", ["name": "1"])
      let list = context.insert("List", ["name": "l"])
      for list in [list, context.insert("List", ["name": "m"])] {
        if cascade == .oneWayOrdered {
          list.mutableOrderedSetValue(forKey: "songs").add(song)
        } else {
          list.mutableSetValue(forKey: "songs").add(song)
        }
      }
    }
    try await devices.settle()
    try a.edit { try $0.delete($0.find("List", "name", "l")) }
    try b.edit { context in
      let song = context.insert("Song", ["name": "2"])
      let list = try context.find("List", "name", "l")
      if cascade == .oneWayOrdered {
        list.mutableOrderedSetValue(forKey: "songs").add(song)
      } else {
        list.mutableSetValue(forKey: "songs").add(song)
      }
    }
    for phone in isTurned ? [b, a] : [a, b] { try await phone.sync() }
    try await devices.settleWholly()
    try devices.expect("List", "name", ["m"])
    // Without an inverse a song is in one list: in the one that it was added to last.
    try devices.expect("Song", "name", cascade == .manyToMany ? ["2"] : ["1", "2"])
  }
}

/// A note that refuses to go while it has its name.
final class KeptNote: NSManagedObject {
  override func validateForDelete() throws {
    try super.validateForDelete()
    if value(forKey: "name") as? String == "kept" {
      throw CocoaError(.validationRelationshipDeniedDelete)
    }
  }
}
