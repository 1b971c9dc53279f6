import CoreData
import CoreDataSupport
import Testing
import TestSupport

@testable import CoreDataSync

/// Entities of which more than the name changes: constraints, identities, counters, values of every
/// type, and stores that are migrated in other ways than by themselves.
@Suite struct RenamedPropertiesTests {
  // MARK: - What is unique, and what is named

  /// A constraint of two attributes, one of which is renamed with its entity.
  @Test(arguments: [false, true])
  func twinsOfTwoVersionsAreOne(isAttributeRenamed: Bool) async throws {
    func model(_ name: String, _ chapter: String) -> NSManagedObjectModel {
      let entity = ModelPart.renamed(
        name, was: "Verse",
        [
          ModelPart.attribute("book"), ModelPart.attribute("note"),
          ModelPart.attribute(chapter, .integer64AttributeType, was: "chapter"),
        ])
      entity.uniquenessConstraints = [["book", chapter]]
      return ModelPart.model([entity])
    }
    let chapter = isAttributeRenamed ? "part" : "chapter"
    let (old, new) = (model("Verse", "chapter"), model("Line", chapter))
    let devices = try Devices(old, newest: new)
    let (a, b) = (devices.a, devices.b)
    try a.edit { $0.insert("Verse", ["book": "x", "chapter": 1, "note": "first"]) }
    try await devices.settle()
    try b.edit { $0.insert("Verse", ["book": "x", "chapter": 2, "note": "of b"]) }
    try await a.restart(model: new)
    try a.edit { $0.insert("Line", ["book": "x", chapter: 2, "note": "of a"]) }
    try await b.restart(model: new)
    try b.edit { $0.insert("Line", ["book": "x", chapter: 3, "note": "of b"]) }
    try await devices.settleWholly()
    try devices.expect("Line", chapter, ["1", "2", "3"])
    let notes = try a.values("Line", "note")
    #expect(notes.count == 3 && notes.contains("first") && notes.contains("of b"))
    try devices.expect("Line", "note", notes)
  }

  /// An identity of the application's holds under both names, of the attribute too.
  @Test(arguments: [false, true])
  func identitiesHoldUnderBothNames(isAttributeRenamed: Bool) async throws {
    func model(_ name: String, _ id: String) -> NSManagedObjectModel {
      ModelPart.model([
        ModelPart.renamed(
          name, was: "Item",
          [
            ModelPart.attribute("name"), ModelPart.attribute("note"),
            ModelPart.attribute(id, .UUIDAttributeType, was: "id"),
          ], info: [SyncConfiguration.Annotation.identity: id])
      ])
    }
    let id = isAttributeRenamed ? "uuid" : "id"
    let devices = try Devices(model("Item", "id"), newest: model("Thing", id))
    let (a, b) = (devices.a, devices.b)
    let (first, second) = (UUID(), UUID())
    try a.edit { $0.insert("Item", ["id": first, "name": "first"]) }
    try await devices.settle()
    try await a.restart(model: model("Thing", id))
    try a.edit { context in
      context.insert("Thing", [id: second, "name": "second"])
      try context.find("Thing", "name", "first").setValue("by a", forKey: "note")
    }
    try b.edit { $0.insert("Item", ["id": second, "name": "second"]) }
    try await devices.settleWholly()
    #expect(try a.values("Thing", "name") == ["first", "second"])
    #expect(try b.values("Item", "name") == ["first", "second"])
    #expect(try b.values("Item", "note") == ["by a", "nil"])
    #expect(
      Set(try b.values("Item", "id")) == Set([first, second].map { "\($0)" }))
    // Deleted, and made again under its identity.
    try a.edit { try $0.delete($0.find("Thing", "name", "second")) }
    try await devices.settleWholly()
    try a.edit { $0.insert("Thing", [id: second, "name": "again"]) }
    try await devices.settleWholly()
    #expect(try b.values("Item", "name") == ["again", "first"])
    try await b.restart(model: model("Thing", id))
    try await devices.settleWholly()
    try devices.expect("Thing", "name", ["again", "first"])
  }

  // MARK: - Counters and values

  private static func counted(_ entity: String, _ counter: String) -> NSManagedObjectModel {
    ModelPart.model([
      ModelPart.renamed(
        entity, was: "Song",
        [ModelPart.attribute("name"), ModelPart.counter(counter, was: "plays")])
    ])
  }

  /// A counter is renamed while both count.
  @Test(arguments: [false, true])
  func aRenamedCounterHasTheSum(isRestartedFirst: Bool) async throws {
    let (old, new) = (Self.counted("Song", "plays"), Self.counted("Track", "heard"))
    let devices = try Devices(old, newest: new)
    try devices.a.edit { $0.insert("Song", ["name": "s", "plays": 3]) }
    try await devices.settle()
    for phone in devices.phones {
      if isRestartedFirst { try await phone.restart(model: new) }
      try phone.edit { context in
        let song = try context.find(isRestartedFirst ? "Track" : "Song", "name", "s")
        song.setValue(13, forKey: isRestartedFirst ? "heard" : "plays")
      }
      if !isRestartedFirst { try await phone.restart(model: new) }
    }
    try await devices.settleWholly()
    try devices.expect("Track", "heard", ["23"])
  }

  /// Text of one attribute becomes that of another one which is renamed at once.
  @Test func attributesThatPassOnTheirNamesKeepTheirValues() async throws {
    func model(_ names: [String]) -> NSManagedObjectModel {
      ModelPart.model([
        ModelPart.entity(
          "Note",
          [ModelPart.attribute("key")]
            + zip(names, ["title", "subtitle"]).map {
              ModelPart.attribute($0, .stringAttributeType, was: $1)
            })
      ])
    }
    let new = model(["subtitle", "footer"])
    let devices = try Devices(model(["title", "subtitle"]), newest: new)
    try devices.a.edit { context in
      context.insert("Note", ["key": "1", "title": "t", "subtitle": "s"])
    }
    try await devices.settle()
    for phone in devices.phones { try await phone.restart(model: new) }
    try devices.expect("Note", "subtitle", ["t"])
    try await devices.settleWholly()
    try devices.expect("Note", "subtitle", ["t"])
    try devices.expect("Note", "footer", ["s"])
    // A limit of the article: a name that another attribute had is that one's to who comes later.
    let third = try await devices.newcomer(new)
    let late = try third.values("Note", "subtitle")
    withKnownIssue { #expect(late == ["t"]) }
    try devices.b.edit { context in
      let note = try context.find("Note", "key", "1")
      for name in ["subtitle", "footer"] { note.setValue(name, forKey: name) }
    }
    try await devices.settleWholly()
    try await third.sync()
    for phone in devices.phones + [third] {
      #expect(try phone.values("Note", "subtitle") == ["subtitle"])
      #expect(try phone.values("Note", "footer") == ["footer"])
    }
  }

  /// The ends of relationships are renamed with their entities.
  @Test func renamedEndsKeepTheirMembers() async throws {
    func model(_ isNew: Bool) -> NSManagedObjectModel {
      let folder = ModelPart.renamed(
        isNew ? "Drawer" : "Folder", was: "Folder", [ModelPart.attribute("name")])
      let note = ModelPart.renamed(
        isNew ? "Memo" : "Note", was: "Note", [ModelPart.attribute("name")])
      let up = ModelPart.end(note, isNew ? "drawer" : "folder", to: folder, maxCount: 1)
      let down = ModelPart.end(
        folder, isNew ? "memos" : "notes", to: note, rule: .cascadeDeleteRule, isOrdered: true)
      (up.renamingIdentifier, down.renamingIdentifier) = ("folder", "notes")
      ModelPart.connect(up, down)
      return ModelPart.model([folder, note])
    }
    let devices = try Devices(model(false), newest: model(true))
    let (a, b) = (devices.a, devices.b)
    try a.edit { context in
      let folder = context.insert("Folder", ["name": "f"])
      for name in ["1", "2", "3"] { context.insert("Note", ["name": name, "folder": folder]) }
    }
    try await devices.settle()
    try b.edit { context in
      let notes = try context.find("Folder", "name", "f").mutableOrderedSetValue(forKey: "notes")
      notes.moveObjects(at: IndexSet(integer: 2), to: 0)
    }
    try await b.sync()
    for phone in [a, b] { try await phone.restart(model: model(true)) }
    try await devices.settleWholly()
    for phone in devices.phones {
      #expect(try phone.read { try $0.find("Drawer", "name", "f").names("memos") }.count == 3)
    }
    let rows = try devices.phones.map { phone in
      try phone.read { try $0.find("Drawer", "name", "f").names("memos") }
    }
    #expect(rows[0] == rows[1])
    let third = try await devices.newcomer(model(true))
    #expect(try third.read { try $0.find("Drawer", "name", "f").names("memos") } == rows[0])
  }

  /// Values of every type, files among them, of a renamed entity.
  @Test func valuesOfEveryTypeStayWithARenamedEntity() async throws {
    func model(_ name: String) -> NSManagedObjectModel {
      let data = ModelPart.attribute("data", .binaryDataAttributeType)
      data.allowsExternalBinaryDataStorage = true
      let list = ModelPart.attribute("list", .transformableAttributeType)
      list.valueTransformerName = "NSSecureUnarchiveFromData"
      let place = NSCompositeAttributeDescription()
      place.name = "place"
      place.elements = [
        ModelPart.attribute("x", .integer64AttributeType), ModelPart.attribute("label"),
      ]
      let derived = NSDerivedAttributeDescription()
      (derived.name, derived.attributeType) = ("lower", .stringAttributeType)
      derived.derivationExpression = NSExpression(format: "canonical:(name)")
      return ModelPart.model([
        ModelPart.renamed(
          name, was: "Thing",
          [
            ModelPart.attribute("name"), data, list, place, derived,
            ModelPart.attribute("link", .URIAttributeType),
            ModelPart.attribute("id", .UUIDAttributeType),
            ModelPart.attribute("price", .decimalAttributeType),
            ModelPart.attribute("date", .dateAttributeType),
          ])
      ])
    }
    let devices = try Devices(model("Thing"), newest: model("Object"))
    let (a, b) = (devices.a, devices.b)
    let file = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    let id = UUID()
    try a.edit { context in
      context.insert(
        "Thing",
        [
          "name": "Ä", "data": file, "list": ["x"] as NSArray, "id": id,
          "place": ["x": 4, "label": "home"] as [String: Any], "link": URL(string: "a:b")!,
          "price": NSDecimalNumber(string: "1.25"), "date": Date(timeIntervalSince1970: -7e10),
        ])
    }
    try await devices.settle()
    try await a.restart(model: model("Object"))
    try await devices.settleWholly()
    try a.edit { context in
      let object = try context.find("Object", "name", "Ä")
      object.setValue(file + [1], forKey: "data")
      object.setValue(["x": 5, "label": "away"] as [String: Any], forKey: "place")
    }
    try b.edit { context in
      let object = try context.find("Thing", "name", "Ä")
      object.setValue(["y"] as NSArray, forKey: "list")
      object.setValue("Öl", forKey: "name")
    }
    try await devices.settleWholly()
    for (phone, entity) in [(a, "Object"), (b, "Thing")] {
      try phone.read { context in
        let object = try context.find(entity, "name", "Öl")
        #expect(object.value(forKey: "data") as? Data == file + [1])
        #expect((object.value(forKey: "list") as? NSArray)?.firstObject as? String == "y")
        let place = object.value(forKey: "place") as? [String: Any]
        #expect(place?["label"] as? String == "away")
        #expect(object.value(forKey: "lower") as? String == "ol")
        #expect(object.value(forKey: "id") as? UUID == id)
        #expect(object.value(forKey: "date") as? Date == Date(timeIntervalSince1970: -7e10))
      }
    }
  }

  // MARK: - Other migrations

  enum Migration: CaseIterable { case staged, byMapping }

  /// A store that an application migrates itself before sync has it again.
  @Test(arguments: Sample.of(Migration.allCases, [false, true]))
  func aStoreThatTheApplicationMigratesIsSyncedOn(_ migration: Migration, hasUnsent: Bool)
    async throws
  {
    func model(_ entity: String, _ list: String) -> NSManagedObjectModel {
      let note = ModelPart.renamed(
        entity, was: "Note", [ModelPart.attribute("name"), ModelPart.attribute("text")])
      let tag = ModelPart.renamed(list, was: "Tag", [ModelPart.attribute("name")])
      ModelPart.connect(ModelPart.end(note, "tags", to: tag), ModelPart.end(tag, "notes", to: note))
      ModelPart.connect(
        ModelPart.end(note, "parent", to: note, maxCount: 1), ModelPart.end(note, "parts", to: note)
      )
      return ModelPart.model([note, tag])
    }
    let (old, new) = (model("Note", "Tag"), model("Memo", "Label"))
    let devices = try Devices(old, newest: new)
    let (a, b) = (devices.a, devices.b)
    try a.edit { context in
      let tag = context.insert("Tag", ["name": "t"])
      let note = context.insert("Note", ["name": "1", "text": "x", "tags": [tag] as Set])
      context.insert("Note", ["name": "2", "parent": note])
      context.insert("Note", ["name": "3"])
    }
    try await devices.settle()
    if hasUnsent {
      try a.edit { context in
        try context.find("Note", "name", "1").setValue("unsent", forKey: "text")
        try context.delete(context.find("Note", "name", "3"))
        context.insert("Note", ["name": "4"])
      }
    }
    try b.edit { context in
      context.insert("Note", ["name": "of b", "parent": try context.find("Note", "name", "1")])
    }
    try await b.sync()
    try await a.engine.close()
    try a.coordinator.removeStores()
    let url = a.folder.appendingPathComponent("store.sqlite")
    switch migration {
    case .staged: try Self.stage(url, from: old, to: new)
    case .byMapping: try Self.map(url, from: old, to: new)
    }
    try await a.restart(model: new)
    try await devices.settleWholly()
    let names = hasUnsent ? ["1", "2", "4", "of b"] : ["1", "2", "3", "of b"]
    #expect(try a.values("Memo", "name") == names)
    #expect(try b.values("Note", "name") == names)
    #expect(try b.values("Note", "text").last == (hasUnsent ? "unsent" : "x"))
    #expect(try a.values("Label", "name") == ["t"])
    #expect(try a.read { try $0.find("Memo", "name", "1").names("parts") } == ["2", "of b"])
    #expect(try a.read { try $0.find("Label", "name", "t").names("notes") } == ["1"])
    #expect(try b.read { try $0.find("Tag", "name", "t").names("notes") } == ["1"])
  }

  private static func stage(
    _ url: URL, from old: NSManagedObjectModel, to new: NSManagedObjectModel
  ) throws {
    let stage = NSCustomMigrationStage(
      migratingFrom: .init(model: old, versionChecksum: old.versionChecksum),
      to: .init(model: new, versionChecksum: new.versionChecksum))
    var options: [String: Any] = SimulatedDevice.options
    options[NSPersistentStoreStagedMigrationManagerOptionKey] = NSStagedMigrationManager([stage])
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: new)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    try coordinator.remove(store)
  }

  private static func map(
    _ url: URL, from old: NSManagedObjectModel, to new: NSManagedObjectModel
  ) throws {
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: old, destinationModel: new)
    let target = try TestFolder.make().appendingPathComponent("store.sqlite")
    try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
      from: url, sourceType: NSSQLiteStoreType, options: SimulatedDevice.options, with: mapping,
      toDestinationURL: target, destinationType: NSSQLiteStoreType,
      destinationOptions: SimulatedDevice.options)
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: url.path + suffix)
      if FileManager.default.fileExists(atPath: target.path + suffix) {
        try FileManager.default.copyItem(atPath: target.path + suffix, toPath: url.path + suffix)
      }
    }
  }

  // MARK: - Annotations

  /// What the model says of deletions and circles holds between versions.
  @Test func deletionsAndCirclesBetweenVersions() async throws {
    func model(_ name: String) -> NSManagedObjectModel {
      let entity = ModelPart.renamed(
        name, was: "Node", [ModelPart.attribute("name")],
        info: [SyncConfiguration.Annotation.editWins: "YES"])
      let up = ModelPart.end(entity, "up", to: entity, maxCount: 1)
      up.userInfo = [SyncConfiguration.Annotation.acyclic: "YES"]
      ModelPart.connect(up, ModelPart.end(entity, "down", to: entity))
      return ModelPart.model([entity])
    }
    let devices = try Devices(model("Node"), newest: model("Knot"))
    let (a, b) = (devices.a, devices.b)
    try a.edit { context in for name in ["1", "2", "3"] { context.insert("Node", ["name": name]) } }
    try await devices.settle()
    try await a.restart(model: model("Knot"))
    try a.edit { context in
      try context.delete(context.find("Knot", "name", "3"))
      let one = try context.find("Knot", "name", "1")
      try one.setValue(context.find("Knot", "name", "2"), forKey: "up")
    }
    try b.edit { context in
      try context.find("Node", "name", "3").setValue("three", forKey: "name")
      let two = try context.find("Node", "name", "2")
      try two.setValue(context.find("Node", "name", "1"), forKey: "up")
    }
    try await a.sync()
    try await devices.settleWholly()
    #expect(try a.values("Knot", "name") == ["1", "2", "three"])
    #expect(try b.values("Node", "name") == ["1", "2", "three"])
    let ups = try [(a, "Knot"), (b, "Node")].map { phone, entity in
      try phone.read { context in
        try ["1", "2"].map {
          try context.find(entity, "name", $0).value(forKeyPath: "up.name") as? String
        }
      }
    }
    #expect(ups[0] == ups[1])
    #expect(ups[0].compactMap { $0 }.count == 1)
  }
}
