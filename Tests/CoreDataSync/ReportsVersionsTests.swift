import CoreData
import CoreDataSupport
import TestSupport
import Testing

@testable import CoreDataSync

/// What users reported of models that change while devices are offline.
@Suite struct ReportsVersionsTests {
  private static func notes(
    _ properties: [NSPropertyDescription], _ name: String = "Note",
    was: String? = nil
  ) -> NSManagedObjectModel {
    ModelPart.model([ModelPart.entity(name, [ModelPart.attribute("key")] + properties, was: was)])
  }

  /// https://github.com/realm/realm-js/issues/6603, https://github.com/partout-io/passepartout/issues/586
  @Test(arguments: [false, true])
  func whatIsRenamedKeepsItsValues(isEntity: Bool) async throws {
    let old = Self.notes([ModelPart.attribute("title")])
    let new =
      isEntity
      ? Self.notes([ModelPart.attribute("title")], "Memo", was: "Note")
      : Self.notes([
        ModelPart.attribute("heading", .stringAttributeType, was: "title")
      ])
    if isEntity {
      new.entities[0].userInfo = [SyncConfiguration.Annotation.name: "Note"]
    }
    let (entity, property) = isEntity ? ("Memo", "title") : ("Note", "heading")
    let devices = try Devices(old, newest: new)
    try devices.a.edit { context in
      for name in ["1", "2"] { context.insert("Note", ["key": name, "title": name]) }
    }
    try await devices.settle()
    try devices.a.edit { try $0.find("Note", "key", "1").setValue("unsent", forKey: "title") }
    try await devices.a.restart(model: new)
    #expect(try devices.a.values(entity, property) == ["2", "unsent"])
    try await devices.a.sync()
    #expect(try devices.a.values(entity, property) == ["2", "unsent"])
    try await devices.b.restart(model: new)
    try await devices.settle()
    let third = try Phone(devices.cloud, model: new, configuration: .init(zone: "zone"))
    try await third.sync()
    let shown = try (devices.phones + [third]).map { try $0.values(entity, property) }
    for values in shown { #expect(values == ["2", "unsent"]) }
  }

  struct Types: Sendable, CustomTestStringConvertible {
    let old: NSAttributeType
    let new: NSAttributeType
    let value: @Sendable () -> Any
    let newValue: @Sendable () -> Any
    var testDescription: String { "\(old.rawValue) to \(new.rawValue)" }
  }

  private static let uuid = UUID()

  private static let types: [Types] = [
    // https://github.com/mentrena/SyncKit/issues/156
    Types(old: .integer64AttributeType, new: .stringAttributeType) {
      5
    } newValue: {
      "five"
    },
    Types(old: .stringAttributeType, new: .integer64AttributeType) {
      "five"
    } newValue: {
      5
    },
    Types(old: .integer64AttributeType, new: .doubleAttributeType) {
      5
    } newValue: {
      5.5
    },
    Types(old: .doubleAttributeType, new: .integer64AttributeType) {
      5.5
    } newValue: {
      5
    },
    // https://github.com/Mimetis/Dotmim.Sync/issues/625
    Types(old: .integer64AttributeType, new: .integer16AttributeType) {
      70_000
    } newValue: {
      5
    },
    Types(old: .integer64AttributeType, new: .decimalAttributeType) {
      5
    } newValue: {
      NSDecimalNumber(string: "5.5")
    },
    Types(old: .dateAttributeType, new: .stringAttributeType) {
      Date.distantPast
    } newValue: {
      "then"
    },
    Types(old: .booleanAttributeType, new: .dateAttributeType) {
      NSNumber(value: 1)
    } newValue: {
      Date.distantPast
    },
    Types(old: .integer64AttributeType, new: .binaryDataAttributeType) {
      5
    } newValue: {
      Data([5])
    },
    Types(old: .doubleAttributeType, new: .UUIDAttributeType) {
      5.5
    } newValue: {
      uuid
    },
    Types(old: .booleanAttributeType, new: .stringAttributeType) {
      NSNumber(value: 1)
    } newValue: {
      "yes"
    },
    Types(old: .decimalAttributeType, new: .stringAttributeType) {
      NSDecimalNumber(value: 5)
    } newValue: {
      "five"
    },
    Types(old: .decimalAttributeType, new: .doubleAttributeType) {
      NSDecimalNumber(value: 5)
    } newValue: {
      5.5
    },
    Types(old: .stringAttributeType, new: .dateAttributeType) {
      "then"
    } newValue: {
      Date.distantPast
    },
  ]

  /// An attribute has another type in another version: nothing stops, everything else arrives.
  @Test(arguments: Sample.of(types))
  func anAttributeOfAnotherTypeStopsNothing(_ types: Types) async throws {
    let old = Self.notes([ModelPart.attribute("value", types.old), ModelPart.attribute("other")])
    let new = Self.notes([ModelPart.attribute("value", types.new), ModelPart.attribute("other")])
    let devices = try Devices(old, others: [new], newest: new)
    try devices.a.edit { context in
      context.insert("Note", ["key": "1", "value": types.value(), "other": "x"])
    }
    try devices.b.edit { context in
      context.insert("Note", ["key": "2", "value": types.newValue(), "other": "y"])
    }
    try await devices.settle()
    try devices.expect("Note", "key", ["1", "2"])
    try devices.expect("Note", "other", ["x", "y"])
    // Each keeps what it can show, and what the other edits beside it does not change it.
    try devices.a.edit { try $0.find("Note", "key", "2").setValue("edited", forKey: "other") }
    try devices.b.edit { try $0.find("Note", "key", "1").setValue("edited", forKey: "other") }
    try await devices.settle()
    try devices.expect("Note", "other", ["edited", "edited"])
    func shown(_ phone: Phone, _ key: String) throws -> String {
      try phone.read { "\(try $0.find("Note", "key", key).value(forKey: "value") ?? "nil")" }
    }
    #expect(try shown(devices.a, "1") == "\(types.value())")
    #expect(try shown(devices.b, "2") == "\(types.newValue())")
    #expect(devices.phones.allSatisfy { $0.engine.status.toSend == 0 })
  }

  /// https://github.com/mentrena/SyncKit/issues/140: nil comes for what has become required.
  @Test(arguments: [false, true])
  func nilForWhatHasBecomeRequiredStopsNothing(hasDefault: Bool) async throws {
    let old = Self.notes([ModelPart.attribute("title")])
    let new = Self.notes([
      ModelPart.attribute(
        "title", .stringAttributeType, default: hasDefault ? "untitled" : nil, isOptional: false)
    ])
    let devices = try Devices(old, others: [new], newest: new)
    try devices.a.edit { context in
      context.insert("Note", ["key": "1"])
      context.insert("Note", ["key": "2", "title": "x"])
      context.insert("Note", ["key": "3", "title": "y"])
    }
    try await devices.settle()
    try devices.a.edit { try $0.find("Note", "key", "3").setValue(nil, forKey: "title") }
    try devices.a.edit { $0.insert("Note", ["key": "4", "title": "z"]) }
    try await devices.settle()
    let keys = try devices.b.values("Note", "key")
    #expect(Set(keys).isSuperset(of: ["2", "3", "4"]))
    #expect(keys.count == 4 || !devices.b.engine.status.held.isEmpty)
    for key in ["1", "3"] {
      try devices.a.edit { try $0.find("Note", "key", key).setValue("set", forKey: "title") }
    }
    try await devices.settleWholly()
    try devices.expect("Note", "title", ["set", "set", "x", "z"])
  }

  /// https://github.com/fatbobman/CoreDataEvolution/issues/19: a newer version has a shorter limit.
  @Test func whatANewerVersionDoesNotAllowIsHeldAlone() async throws {
    let title = ModelPart.attribute("title")
    title.setValidationPredicates(
      [NSPredicate(format: "length <= 3")], withValidationWarnings: ["too long"])
    let new = Self.notes([title, ModelPart.attribute("other")])
    let devices = try Devices(
      Self.notes([ModelPart.attribute("title"), ModelPart.attribute("other")]), others: [new],
      newest: new)
    try devices.a.edit { context in
      context.insert("Note", ["key": "1", "title": "abc"])
      context.insert("Note", ["key": "2", "title": "long"])
    }
    try await devices.settle()
    try devices.a.edit { context in
      try context.find("Note", "key", "1").setValue("longer", forKey: "title")
      context.insert("Note", ["key": "3", "title": "x"])
    }
    try await devices.settle()
    #expect(try devices.b.values("Note", "key") == ["1", "3"])
    #expect(try devices.b.values("Note", "title") == ["abc", "x"])
    #expect(!devices.b.engine.status.held.isEmpty)
    for key in ["1", "2"] {
      try devices.a.edit { try $0.find("Note", "key", key).setValue("ok", forKey: "title") }
    }
    try await devices.settleWholly()
    try devices.expect("Note", "title", ["ok", "ok", "x"])
  }

  /// https://github.com/caiyue1993/IceCream/issues/271: what a migration fills in is not emptied by
  /// devices that do not know of it.
  @Test func whatAMigrationFillsInStays() async throws {
    let old = Self.notes([ModelPart.attribute("numbers")])
    let new = Self.notes([ModelPart.attribute("number")])
    let devices = try Devices(old, newest: new)
    try devices.a.edit { $0.insert("Note", ["key": "1", "numbers": "7, 8"]) }
    try await devices.settle()
    try await devices.a.restart(model: new)
    try devices.a.edit { try $0.find("Note", "key", "1").setValue("7", forKey: "number") }
    try devices.b.edit { try $0.find("Note", "key", "1").setValue("9", forKey: "numbers") }
    try await devices.settle()
    #expect(try devices.a.values("Note", "number") == ["7"])
    try await devices.b.restart(model: new)
    try await devices.settleWholly()
    try devices.expect("Note", "number", ["7"])
  }

  /// https://github.com/Mimetis/Dotmim.Sync/issues/796: an entity that an older version lacks, with
  /// relationships to one that it has.
  @Test func anEntityThatIsNewIsThereAfterTheUpdate() async throws {
    let old = Self.notes([])
    let note = ModelPart.entity("Note", [ModelPart.attribute("key")])
    let label = ModelPart.entity("Label", [ModelPart.attribute("name")])
    ModelPart.connect(
      ModelPart.end(note, "labels", to: label, isOrdered: true),
      ModelPart.end(label, "note", to: note, maxCount: 1, isOptional: false))
    let new = ModelPart.model([note, label])
    let devices = try Devices(old, others: [new], newest: new)
    try devices.a.edit { $0.insert("Note", ["key": "1"]) }
    try await devices.settle()
    try devices.b.edit { context in
      let note = try context.find("Note", "key", "1")
      for name in ["x", "y"] { context.insert("Label", ["name": name, "note": note]) }
    }
    try await devices.settle()
    try devices.a.edit { try $0.find("Note", "key", "1").setValue("2", forKey: "key") }
    try await devices.settle()
    try await devices.a.restart(model: new)
    try await devices.settleWholly()
    for phone in devices.phones {
      #expect(try phone.read { try $0.find("Note", "key", "2").names("labels") } == ["x", "y"])
    }
  }

  /// Folders and notes, in one of several versions.
  private static func folders(isOrdered: Bool = false, toMany: Bool = false)
    -> NSManagedObjectModel
  {
    let folder = ModelPart.entity("Folder", [ModelPart.attribute("name")])
    let note = ModelPart.entity("Note", [ModelPart.attribute("name")])
    ModelPart.connect(
      ModelPart.end(folder, "notes", to: note, isOrdered: isOrdered),
      ModelPart.end(note, toMany ? "folders" : "folder", to: folder, maxCount: toMany ? 0 : 1))
    return ModelPart.model([folder, note])
  }

  /// A relationship becomes ordered: nobody loses a member, and orders count from then on.
  @Test func aRelationshipThatBecomesOrderedKeepsItsMembers() async throws {
    let (old, new) = (Self.folders(), Self.folders(isOrdered: true))
    let devices = try Devices(old, newest: new)
    try devices.a.edit { context in
      let folder = context.insert("Folder", ["name": "f"])
      for name in ["1", "2", "3"] { context.insert("Note", ["name": name, "folder": folder]) }
    }
    try await devices.settle()
    try await devices.a.restart(model: new)
    try await devices.a.sync()
    try devices.a.edit { context in
      let notes = try context.find("Folder", "name", "f").mutableOrderedSetValue(forKey: "notes")
      for name in ["3", "1", "2"] {
        let note = try context.find("Note", "name", name)
        notes.remove(note)
        notes.add(note)
      }
    }
    try devices.b.edit { context in
      let folder = try context.find("Folder", "name", "f")
      context.insert("Note", ["name": "4", "folder": folder])
    }
    try await devices.settle()
    try await devices.b.restart(model: new)
    try await devices.settle()
    let rows = try devices.phones.map { phone in
      try phone.read { try $0.find("Folder", "name", "f").names("notes") }
    }
    #expect(rows[0] == rows[1])
    #expect(rows[0].filter { $0 != "4" } == ["3", "1", "2"])
    #expect(rows[0].sorted() == ["1", "2", "3", "4"])
  }

  /// A relationship to one becomes one to many by another name: objects of both versions arrive.
  @Test func aRelationshipThatBecomesToManyStopsNothing() async throws {
    let (old, new) = (Self.folders(), Self.folders(toMany: true))
    let devices = try Devices(old, others: [new], newest: new)
    for (phone, name) in [(devices.a, "a"), (devices.b, "b")] {
      try phone.edit { context in
        let folder = context.insert("Folder", ["name": name])
        let note = context.insert("Note", ["name": name])
        folder.setValue([note] as Set, forKey: "notes")
      }
    }
    try await devices.settle()
    try devices.expect("Note", "name", ["a", "b"])
    try devices.expect("Folder", "name", ["a", "b"])
    for (phone, name) in [(devices.a, "a"), (devices.b, "b")] {
      #expect(try phone.read { try $0.find("Folder", "name", name).names("notes") } == [name])
    }
  }
}
