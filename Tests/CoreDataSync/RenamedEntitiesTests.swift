import CoreData
import CoreDataSupport
import TestSupport
import Testing

@testable import CoreDataSync

/// Devices with a model before and after its entities were renamed sync with each other, where the
/// model or the configuration says what the entities were called.
@Suite struct RenamedEntitiesTests {
  enum Way: CaseIterable { case byModel, byConfiguration }

  /// The names of the entities: before, or after.
  struct Names {
    let folder, note, tag: String
    static let old = Names(folder: "Folder", note: "Note", tag: "Tag")
    static let new = Names(folder: "Drawer", note: "Memo", tag: "Account")  // one sorts otherwise
  }

  private static func model(_ names: Names, way: Way) -> NSManagedObjectModel {
    func entity(_ name: String, was old: String) -> NSEntityDescription {
      let entity = ModelPart.entity(
        name, [ModelPart.attribute("name")], was: name == old ? nil : old)
      if name != old, way == .byModel {
        entity.userInfo = [SyncConfiguration.Annotation.name: old]
      }
      return entity
    }
    let folder = entity(names.folder, was: Names.old.folder)
    let note = entity(names.note, was: Names.old.note)
    let tag = entity(names.tag, was: Names.old.tag)
    note.properties.append(ModelPart.attribute("count", .integer64AttributeType, default: 0))
    note.uniquenessConstraints = [["name"]]
    ModelPart.connect(
      ModelPart.end(note, "folder", to: folder, maxCount: 1),
      ModelPart.end(folder, "notes", to: note, rule: .cascadeDeleteRule, isOrdered: true))
    ModelPart.connect(ModelPart.end(note, "tags", to: tag), ModelPart.end(tag, "notes", to: note))
    return ModelPart.model([folder, note, tag])
  }

  private static func configuration(_ way: Way) -> SyncConfiguration {
    var configuration = SyncConfiguration(zone: "zone")
    configuration.counters = ["Note": ["count"], "Memo": ["count"]]
    if way == .byConfiguration {
      configuration.names = ["Drawer": "Folder", "Memo": "Note", "Account": "Tag"]
    }
    return configuration
  }

  private static func fill(_ context: NSManagedObjectContext, _ names: Names, _ words: [String])
    throws
  {
    let folder = context.insert(names.folder, ["name": "f"])
    let tag = context.insert(names.tag, ["name": "t"])
    for word in words {
      let note = context.insert(names.note, ["name": word, "folder": folder, "count": 1])
      note.mutableSetValue(forKey: "tags").add(tag)
    }
  }

  /// Everything, in words.
  private static func contents(_ phone: Phone, _ names: Names) throws -> [String] {
    try phone.read { context in
      try context.all(names.note).map { note in
        let folder = note.value(forKey: "folder") as? NSManagedObject
        return """
          \(note.value(forKey: "name") ?? "nil") \(note.value(forKey: "count") ?? "nil") \
          \(folder?.value(forKey: "name") ?? "nil") \(folder?.names("notes") ?? []) \
          \(note.names("tags"))
          """
      }.sorted()
        + context.all(names.folder).map { "folder \($0.names("notes").count)" }.sorted()
    }
  }

  @Test(arguments: Sample.of(Way.allCases, [false, true]))
  func devicesOfBothModelsAgree(_ way: Way, isEditedBefore: Bool) async throws {
    let (old, new) = (Self.model(.old, way: way), Self.model(.new, way: way))
    let devices = try Devices(old, Self.configuration(way), newest: new)
    let (a, b) = (devices.a, devices.b)
    try a.edit { try Self.fill($0, .old, ["1", "2", "3"]) }
    try await devices.settle()
    if isEditedBefore {
      try a.edit { context in
        try context.find("Note", "name", "1").setValue(5, forKey: "count")
        context.delete(try context.find("Note", "name", "2"))
        context.insert("Note", ["name": "4", "folder": try context.find("Folder", "name", "f")])
      }
    }
    try await a.restart(model: new)
    let before = try Self.contents(a, .new)
    try await a.sync()
    #expect(try Self.contents(a, .new) == before)
    // Each edits what the other one has, by its own names.
    try b.edit { context in
      try context.find("Note", "name", "3").setValue("three", forKey: "name")
      let note = try context.find("Note", "name", "1")
      note.setValue((note.value(forKey: "count") as? Int ?? 0) + 10, forKey: "count")
      context.insert("Note", ["name": "of b", "folder": try context.find("Folder", "name", "f")])
    }
    try a.edit { context in
      try context.find("Memo", "name", "1").setValue(Set<NSManagedObject>(), forKey: "tags")
      let drawer = context.insert("Drawer", ["name": "g"])
      try context.find("Memo", "name", "3").setValue(drawer, forKey: "folder")
    }
    try await devices.settleWholly()
    let third = try Phone(devices.cloud, model: new, configuration: Self.configuration(way))
    try await third.sync()
    let expected = try Self.contents(a, .new)
    #expect(expected.contains { $0.hasPrefix("1 \(isEditedBefore ? 15 : 11) f") })
    #expect(expected.contains { $0.hasPrefix("three 1 g") })
    #expect(try Self.contents(b, .old) == expected)
    #expect(try Self.contents(third, .new) == expected)
    try await b.restart(model: new)
    try await devices.settleWholly()
    #expect(try Self.contents(b, .new) == expected)
    // What sync knew is lost after the renaming.
    try await a.forgetOwnStore(model: new)
    try a.edit { context in context.delete(try context.find("Memo", "name", "of b")) }
    try await devices.settleWholly()
    #expect(try b.count("Memo") == a.count("Memo"))
    #expect(try a.values("Memo", "name") == b.values("Memo", "name"))
  }

  @Test func theModelCanGoBackToItsFormerNames() async throws {
    let (old, new) = (Self.model(.old, way: .byConfiguration), Self.model(.new, way: .byModel))
    let devices = try Devices(new, Self.configuration(.byModel), newest: new)
    try devices.a.edit { try Self.fill($0, .new, ["1", "2"]) }
    try await devices.settle()
    let expected = try Self.contents(devices.a, .new)
    try await devices.a.restart(model: old)
    try await devices.settleWholly()
    #expect(try Self.contents(devices.a, .old) == expected)
    #expect(try Self.contents(devices.b, .new) == expected)
  }

  /// Entities that inherit what is synced, from a parent that is renamed too, of which some devices
  /// name the objects.
  @Test(arguments: Sample.of([false, true], [false, true]))
  func whatInheritsIsSynced(isParentAbstract: Bool, isNamed: Bool) async throws {
    func model(_ parent: String, _ child: String) -> NSManagedObjectModel {
      func entity(_ name: String, was old: String, _ properties: [NSPropertyDescription])
        -> NSEntityDescription
      {
        let entity = ModelPart.entity(name, properties, was: name == old ? nil : old)
        if name != old { entity.userInfo = [SyncConfiguration.Annotation.name: old] }
        return entity
      }
      let base = entity(parent, was: "Thing", [ModelPart.attribute("name")])
      base.isAbstract = isParentAbstract
      let note = entity(child, was: "Note", [ModelPart.attribute("text")])
      let tag = ModelPart.entity("Tag", [ModelPart.attribute("name")])
      ModelPart.connect(
        ModelPart.end(base, "tags", to: tag), ModelPart.end(tag, "things", to: base))
      base.subentities = [note]
      return ModelPart.model([base, note, tag])
    }
    var configuration = SyncConfiguration(zone: "zone")
    if isNamed {
      configuration.identify = { object in
        object.entity.name == "Tag" ? nil : object.value(forKey: "name") as? String
      }
    }
    let new = model("Being", "Memo")
    let devices = try Devices(model("Thing", "Note"), configuration, newest: new)
    let (a, b) = (devices.a, devices.b)
    for phone in isNamed ? [a, b] : [a] {
      try phone.edit { context in
        let note = context.insert("Note", ["name": "n", "text": "first"])
        note.mutableSetValue(forKey: "tags").add(context.insert("Tag", ["name": "t"]))
        if !isParentAbstract { context.insert("Thing", ["name": "thing"]) }
      }
    }
    try await devices.settle()
    try await a.restart(model: new)
    try a.edit { try $0.find("Memo", "name", "n").setValue("of a", forKey: "text") }
    try b.edit { context in
      let tag = context.insert("Tag", ["name": "of b"])
      try context.find("Note", "name", "n").mutableSetValue(forKey: "tags").add(tag)
    }
    if isNamed {
      try a.edit { $0.insert("Memo", ["name": "both"]) }
      try b.edit { $0.insert("Note", ["name": "both"]) }
    }
    try await devices.settleWholly()
    let names = (isNamed ? ["both", "n"] : ["n"])
    #expect(try a.values("Memo", "name") == names)
    #expect(try b.values("Note", "name") == names)
    #expect(
      try b.read { try $0.find("Note", "name", "n").value(forKey: "text") as? String } == "of a")
    let tags = try a.read { try $0.find("Memo", "name", "n").names("tags") }
    #expect(tags.contains("of b") && tags.contains("t"))
    #expect(try b.read { try $0.find("Note", "name", "n").names("tags") } == tags)
    #expect(try a.count("Being") == b.count("Thing"))
  }

  @Test func twoEntitiesOfOneNameAreRefused() async throws {
    var configuration = SyncConfiguration(zone: "zone")
    configuration.names = ["Folder": "Note"]
    let cloud = Cloud(model: Self.model(.old, way: .byModel), configuration: .init(zone: "zone"))
    let phone = try Phone(
      cloud, model: Self.model(.old, way: .byModel), configuration: configuration)
    let error = await #expect(throws: SyncError.self) { try await phone.sync() }
    #expect("\(try #require(error))".contains("called Note"))
  }

  @Test func whatIsToldHasTheNameOfThisModel() async throws {
    let (old, new) = (Self.model(.old, way: .byModel), Self.model(.new, way: .byModel))
    let devices = try Devices(old, Self.configuration(.byModel), newest: new)
    let (a, b) = (devices.a, devices.b)
    try a.edit { try Self.fill($0, .old, ["1"]) }
    try await devices.settle()
    try await a.restart(model: new)
    try await a.sync()
    try a.edit { try $0.find("Memo", "name", "1").setValue("of a", forKey: "name") }
    try b.edit { try $0.find("Note", "name", "1").setValue("of b", forKey: "name") }
    try await b.sync()
    try await a.sync()
    try await b.sync()
    try await a.sync()
    let losses = (a.engine.status.losses + b.engine.status.losses).map(\.entity)
    #expect(losses == ["Memo"] || losses == ["Note"] && a.engine.status.losses.isEmpty)
    #expect(a.engine.status.losses.allSatisfy { $0.entity == "Memo" })
  }
}
