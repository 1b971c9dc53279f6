import CoreData
import TestSupport
import Testing

@testable import CoreDataSync

/// Classes of the application with habits of their own, and names that it gives its objects.
@Suite struct ClassesTests {
  /// What a class does when an object goes was an edit where a person deleted it: it is not done a
  /// second time.
  @Test func deletionsFromElsewhereHaveNoSideEffects() async throws {
    let (a, b) = try Self.phones()
    try a.edit { context in
      for place in 0..<5 { context.insert("Entry", ["title": "\(place)", "place": place]) }
    }
    for phone in [a, b] { try await phone.sync() }
    try a.edit { context in context.delete(try context.find("Entry", "title", "2")) }
    for phone in [a, b] { try await phone.sync() }
    for phone in [a, b] {
      let places = try Self.places(phone)
      #expect(places == ["0": 0, "1": 1, "3": 2, "4": 3], "\(places)")
    }
    // What is there is what sync knows: nothing is sent afterwards.
    try await b.sync()
    #expect(b.engine.status.toSend == 0)
    try await a.sync()
    #expect(try Self.places(a) == Self.places(b))
  }

  /// Each device makes a root at its first start.
  @Test func objectsOfOneNameAreOne() async throws {
    let (a, b) = try Self.phones { object in
      object.value(forKey: "place") as? Int == 0 ? "root" : nil
    }
    for (phone, title) in [(a, "a"), (b, "b")] {
      try phone.edit { context in
        context.insert("Entry", ["title": title, "place": 0])
        context.insert("Entry", ["title": "of " + title, "place": 1])
      }
    }
    for phone in [a, b, a, b] { try await phone.sync() }
    #expect(try Self.places(a) == Self.places(b))
    #expect(try Self.places(a).values.sorted() == [0, 1, 1])
    // So are two on one device: the later values stay, the others are told.
    let root = try #require(try Self.places(a).first { $0.value == 0 }).key
    try a.edit { $0.insert("Entry", ["title": "second", "place": 0]) }
    for phone in [a, b] { try await phone.sync() }
    #expect(try Self.places(a) == ["second": 0, "of a": 1, "of b": 1])
    #expect(try Self.places(b) == Self.places(a))
    #expect(a.engine.status.losses.contains { $0.value == .text(root) })
    // One that was deleted comes back under its name.
    for title in ["second", "a", "b"] {
      try a.edit { context in
        for object in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Entry"))
        where object.value(forKey: "title") as? String == title {
          context.delete(object)
        }
      }
    }
    try await a.sync()
    try a.edit { $0.insert("Entry", ["title": "again", "place": 0]) }
    for phone in [a, b] { try await phone.sync() }
    #expect(try Self.places(b) == Self.places(a))
    #expect(try Self.places(b)["again"] == 0)
  }

  enum Replacing: String, CaseIterable { case inOneSave, deletedFirst, insertedFirst }

  /// An import that deletes everything and makes it anew, between two syncs.
  @Test(arguments: Sample.of(Replacing.allCases))
  func whatTakesTheNameOfADeletedObjectStays(_ replacing: Replacing) async throws {
    let (a, b) = try Self.phones { $0.value(forKey: "title") as? String }
    try a.edit { $0.insert("Entry", ["title": "x", "place": 0]) }
    for phone in [a, b] { try await phone.sync() }
    let former = try a.read { try $0.find("Entry", "title", "x").objectID }
    func delete(_ context: NSManagedObjectContext) { context.delete(context.object(with: former)) }
    func insert(_ context: NSManagedObjectContext) {
      context.insert("Entry", ["title": "x", "place": 7])
    }
    switch replacing {
    case .inOneSave:
      try a.edit { context in
        delete(context)
        insert(context)
      }
    case .deletedFirst:
      try a.edit(delete)
      try a.edit(insert)
    case .insertedFirst:
      try a.edit(insert)
      try a.edit(delete)
    }
    for phone in [a, b, a] { try await phone.sync() }
    let places = try [a, b].map { phone in
      try phone.read { try $0.all("Entry").map { $0.value(forKey: "place") as? Int } }
    }
    #expect(places[0].count == 1 && places[0] == places[1], "\(places)")
    #expect(places[0] != [0], "the new object's value")
    #expect(a.engine.status.toSend == 0)
  }

  /// Two that are made in one go, and what refers to either.
  @Test func twoObjectsOfOneNameOfOneSaveAreOne() async throws {
    let configuration = SyncConfiguration(
      zone: "zone", counters: ["Folder": ["count"], "Tag": ["uses"]],
      identify: { $0.entity.name == "Account" ? $0.value(forKey: "name") as? String : nil })
    let cloud = Cloud(model: HistoriesModel.full, configuration: configuration)
    let (a, b) = (
      try Phone(cloud, configuration: configuration), try Phone(cloud, configuration: configuration)
    )
    for round in 0..<2 {
      try a.edit { context in
        for number in 0..<2 {
          let account = context.insert("Account", ["name": "home"])
          context.insert("Folder", ["title": "\(round) \(number)", "account": account])
        }
      }
      for phone in [a, b, a, b] { try await phone.sync() }
    }
    for phone in [a, b] {
      #expect(try phone.values("Account", "name") == ["home"])
      #expect(try phone.values("Folder", "title") == ["0 0", "0 1", "1 0", "1 1"])
      #expect(phone.engine.status.toSend == 0)
    }
  }

  /// The function is part of the protocol.
  @Test func namesMakeTheSameRecordsForEver() {
    let short = RecordID(named: "root", entity: "Item")
    let long = RecordID(named: "Baguette, and many more words than sixteen bytes", entity: "Goods")
    #expect("\(short)" == "6c2b54ab5c2c3511cdb5ab0b0b382a44")
    #expect("\(long)" == "8a27aa6bd63f24edff9c49ed2ea565d2")
    #expect(RecordID(named: "a", entity: "bc") != RecordID(named: "ab", entity: "c"))
  }

  private static func phones(
    _ identify: (@Sendable (NSManagedObject) -> String?)? = nil
  ) throws -> (Phone, Phone) {
    let configuration = SyncConfiguration(zone: "zone", identify: identify)
    let cloud = Cloud(model: model, configuration: configuration)
    return (
      try Phone(cloud, model: model, configuration: configuration),
      try Phone(cloud, model: model, configuration: configuration)
    )
  }

  private static func places(_ phone: Phone) throws -> [String: Int] {
    try phone.read { context in
      let entries = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Entry"))
      return Dictionary(
        entries.map {
          ($0.value(forKey: "title") as? String ?? "", $0.value(forKey: "place") as? Int ?? -1)
        }
      ) { $1 }
    }
  }

  private static let model: NSManagedObjectModel = {
    ManagedObjectClasses.register(
      "NumberedEntry", module: "CoreDataSyncTests", type: NumberedEntry.self
    ) { NumberedEntry(entity: $0, insertInto: $1) }
    let entity = NSEntityDescription()
    (entity.name, entity.managedObjectClassName) = ("Entry", "NumberedEntry")
    let title = NSAttributeDescription()
    (title.name, title.attributeType) = ("title", .stringAttributeType)
    let place = NSAttributeDescription()
    (place.name, place.attributeType) = ("place", .integer64AttributeType)
    place.defaultValue = 0
    entity.properties = [title, place]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }()
}

/// Closes the gap that it leaves in a list, as `Item` of NestedLists does.
final class NumberedEntry: NSManagedObject {
  override func prepareForDeletion() {
    super.prepareForDeletion()
    let request = NSFetchRequest<NSManagedObject>(entityName: "Entry")
    request.predicate = NSPredicate(format: "place > %@", value(forKey: "place") as? NSNumber ?? 0)
    // A fetch that fails leaves the gap.
    for other in (try? managedObjectContext?.fetch(request)) ?? [] {
      other.setValue((other.value(forKey: "place") as? Int ?? 0) - 1, forKey: "place")
    }
  }
}
