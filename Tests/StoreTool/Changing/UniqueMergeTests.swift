import CoreData
import CoreDataSupport
import Foundation
import StoreTool
import Testing
import TestSupport

/// Merges of objects that have unique values, and undo where members have an order.
struct UniqueMergeTests {
  private let folder: URL
  private var store: URL { folder.appendingPathComponent("Teams.sqlite") }

  init() throws { folder = try TestFolder.make() }

  /// Teams with an ordered staff, whose members lead back; both have a unique code.
  private static func model() -> NSManagedObjectModel {
    let (team, person) = (ModelPart.entity("Team"), ModelPart.entity("Person"))
    let (staff, owner) = ModelPart.relate(team, "staff", 0, person, "team", 1)
    staff.isOrdered = true
    team.properties = [ModelPart.attribute("code"), staff]
    person.properties = [
      ModelPart.attribute("code"), ModelPart.attribute("name"),
      ModelPart.attribute("role", default: "guest"), owner,
    ]
    for entity in [team, person] { entity.uniquenessConstraints = [["code"]] }
    return ModelPart.model([team, person])
  }

  private func withContext<Result>(
    _ url: URL, _ body: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url)
    defer { try? coordinator.remove(store) }
    return try coordinator.withContext(body)
  }

  /// A team with members in this order.
  private func make(_ codes: [String], at url: URL, name: String? = "Ann") throws {
    try withContext(url) { context in
      let team = NSEntityDescription.insertNewObject(forEntityName: "Team", into: context)
      team.setValue("t", forKey: "code")
      let members = codes.map { code in
        let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
        person.setValue(code, forKey: "code")
        person.setValue(name, forKey: "name")
        person.setValue("chief", forKey: "role")
        return person
      }
      team.setValue(NSOrderedSet(array: members), forKey: "staff")
      try context.save()
    }
  }

  /// The members in their order, with all that is known of them.
  private func staff(_ url: URL) throws -> [String] {
    try withContext(url) { context in
      let teams = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Team"))
      #expect(teams.count == 1)
      let members = teams.first?.mutableOrderedSetValue(forKey: "staff").array ?? []
      return members.compactMap { $0 as? NSManagedObject }.map { person in
        ["code", "name", "role"].map { person.value(forKey: $0) as? String ?? "-" }
          .joined(separator: " ")
      }
    }
  }

  @Test(arguments: ["Team/p1", "Person/p2"])
  func membersComeBackInTheirOrder(_ deleted: String) throws {
    try make(["c", "a", "e", "b", "d"], at: store)
    let before = try staff(store)
    #expect(try ToolRun("delete", store.path, deleted).status == 0)
    let undo = try ToolRun("undo", store.path)
    #expect(undo.status == 0, "\(undo.errors)")
    #expect(try staff(store) == before)
  }

  /// What a line does not name stays as it is.
  @Test(arguments: ["jsonl", "csv"]) func aMergeChangesWhatItNames(_ form: String) throws {
    try make(["a", "b"], at: store)
    var source = folder.appendingPathComponent("In.jsonl")
    if form == "jsonl" {
      let lines = [
        #"{"$entity":"Person","$id":"1","code":"a","role":"cook"}"#,
        #"{"$entity":"Person","$id":"2","code":"c","name":"Eve"}"#,
      ]
      try Data(lines.joined(separator: "\n").utf8).write(to: source)
    } else {
      source = folder.appendingPathComponent("In")
      try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
      try Data("$id,code,role\n1,a,cook\n".utf8).write(
        to: source.appendingPathComponent("Person.csv"))
    }
    let run = try ToolRun("import", store.path, source.path, "--merge")
    #expect(run.status == 0, "\(run.errors)")
    // The object that was there is told as changed, not as new.
    #expect(run.output.contains("Person/p") && run.output.contains("chief → cook"))
    #expect(try staff(store) == ["a Ann cook", "b Ann chief"])
    #expect(try ToolRun("undo", store.path).status == 0)
    #expect(try staff(store) == ["a Ann chief", "b Ann chief"])
  }

  /// What the other store does not know stays, and so do members that it does not have.
  @Test func aMergeOfStoresEmptiesNothing() throws {
    try make(["a", "b"], at: store)
    let other = folder.appendingPathComponent("Other.sqlite")
    try make(["b", "c"], at: other, name: nil)
    let run = try ToolRun("merge", store.path, other.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try Set(staff(store)) == ["a Ann chief", "b Ann chief", "c - chief"])
    #expect(try ToolRun("undo", store.path).status == 0)
    #expect(try staff(store) == ["a Ann chief", "b Ann chief"])
  }

  /// Unique values of every type that a constraint may have.
  private static let keys: [(NSAttributeType, any Sendable)] = [
    (.stringAttributeType, "a"), (.integer16AttributeType, 7), (.integer64AttributeType, 1 << 60),
    (.doubleAttributeType, 0.1), (.floatAttributeType, 0.5), (.booleanAttributeType, true),
    (.decimalAttributeType, Decimal(string: "0.30") ?? 0),
    (.dateAttributeType, Date(timeIntervalSinceReferenceDate: 1.5)),
    (.UUIDAttributeType, UUID()), (.URIAttributeType, URL(fileURLWithPath: "/a b")),
  ]

  @Test(arguments: keys.indices) func aValueOfEachTypeIsFoundAgain(_ index: Int) throws {
    let (type, key) = Self.keys[index]
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType, attribute.isOptional) = ("code", type, true)
    let name = NSAttributeDescription()
    (name.name, name.attributeType) = ("name", .stringAttributeType)
    let entity = NSEntityDescription()
    (entity.name, entity.properties) = ("Thing", [attribute, name])
    entity.uniquenessConstraints = [["code"]]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    func change(_ url: URL, _ body: (NSManagedObjectContext) throws -> Void) throws {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url)
      let context = coordinator.makeContext()
      try context.performAndWait { try body(context) }
      try coordinator.remove(store)
    }
    func insert(_ code: Any?, _ name: String, _ context: NSManagedObjectContext) {
      let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
      thing.setValue(code, forKey: "code")
      thing.setValue(name, forKey: "name")
    }
    // Objects without a value are like no other.
    try change(store) {
      insert(nil, "none", $0)
      insert(key, "one", $0)
      try $0.save()
    }
    let other = folder.appendingPathComponent("Other.sqlite")
    try change(other) {
      insert(key, "two", $0)
      try $0.save()
    }
    let file = folder.appendingPathComponent("Other.jsonl")
    #expect(try ToolRun("export", other.path, file.path).status == 0)
    let run = try ToolRun("import", store.path, file.path, "--merge")
    #expect(run.status == 0, "\(run.errors)")
    try change(store) {
      let things = try $0.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
      let names = things.compactMap { $0.value(forKey: "name") as? String }.sorted()
      #expect(names == ["none", "two"], "\(type)")
    }
  }
}
