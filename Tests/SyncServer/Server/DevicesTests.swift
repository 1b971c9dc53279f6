import CoreData
import CoreDataSupport
import CoreDataSync
import Foundation
import SyncServer
import Testing
import TestSupport

/// Engines over real stores and a real server, which know each other by HTTP alone.
@Suite struct DevicesTests {
  @Test(arguments: LedgerKind.all)
  func whatTwoDevicesEditBecomesOne(_ kind: LedgerKind) async throws {
    let server = try await RunningServer(kind)
    let (one, other) = (try Device(server.transport()), try Device(server.transport()))
    try one.write { context in
      let folder = context.insert("Folder", ["title": "Home"])
      for title in ["a", "b", "c"] { context.add(title, to: folder) }
      try context.tag("red", "a")
    }
    try await one.engine.syncNow()
    try await other.engine.syncNow()
    #expect(try other.graph() == one.graph())
    #expect(try other.graph() == ["Home: a(0)[red] b(0)[] c(0)[]"])
    // Both edit while nobody is connected.
    try one.write { context in
      try context.note("a").setValue("A", forKey: "title")
      try context.count("b", by: 2)
      try context.tag("blue", "b")
    }
    try other.write { context in
      try context.count("b", by: 3)
      try context.tag("blue", "c")
      context.delete(try context.note("a"))
      let folder = try context.first("Folder")
      let notes = folder.mutableOrderedSetValue(forKey: "notes")
      notes.moveObjects(at: IndexSet(integer: 1), to: 0)
    }
    for device in [one, other, one, other] { try await device.engine.syncNow() }
    #expect(try one.graph() == other.graph())
    // A deletion wins, counters add up, a unique name is there once.
    #expect(try one.graph() == ["Home: c(0)[blue] b(5)[blue]"])
    let tags = NSFetchRequest<NSManagedObject>(entityName: "Tag")
    #expect(try one.write { try $0.count(for: tags) } == 2)
    for device in [one, other] { try await device.engine.close() }
  }

  /// Each save is shown on the other device without being asked for.
  @Test func runningEnginesFollowEachOther() async throws {
    let server = try await RunningServer()
    let (one, other) = (try Device(server.transport()), try Device(server.transport()))
    for device in [one, other] { await device.engine.start() }
    try one.write { context in
      context.add("start", to: context.insert("Folder", ["title": "Home"]))
    }
    try await Patience.waiting(for: "the first note") {
      try other.graph() == ["Home: start(0)[]"]
    }
    var times: [Duration] = []
    for number in 0..<20 {
      let start = ContinuousClock.now
      let (writer, reader) = number.isMultiple(of: 2) ? (one, other) : (other, one)
      try writer.write { try $0.first("Folder").setValue("\(number)", forKey: "title") }
      try await Patience.waiting(for: "title \(number)") {
        try reader.graph().first?.hasPrefix("\(number):") == true
      }
      times.append(.now - start)
    }
    print("From a save to the other device: \(times.sorted()[10]) (median of 20)")
    for device in [one, other] { try await device.engine.close() }
  }

  /// What is edited while the server is away is sent when it is back.
  @Test func aServerThatIsAwayCostsNothing() async throws {
    let folder = try TestFolder()
    let keys = folder.file("keys.txt")
    try Data(RunningServer.keys.utf8).write(to: keys)
    let server = try SyncServerProcess(store: folder.file("Sync.sqlite").path, keys: keys)
    try server.start()
    func transport() -> URLSessionSyncTransport {
      URLSessionSyncTransport(
        server: server.url, key: "anna-anna-anna-anna", timeout: Patience.seconds)
    }
    let (one, other) = (try Device(transport()), try Device(transport()))
    try one.write { $0.insert("Folder", ["title": "before"]) }
    try await one.engine.syncNow()
    server.kill()
    try one.write { try $0.first("Folder").setValue("meanwhile", forKey: "title") }
    await #expect(throws: SyncTransportError.self) { try await one.engine.syncNow() }
    #expect(one.engine.status.toSend > 0)
    try server.start()
    try await one.engine.syncNow()
    try await other.engine.syncNow()
    #expect(one.engine.status.toSend == 0)
    #expect(try other.graph() == ["meanwhile:"])
    #expect(server.stop() == 0)
    for device in [one, other] { try await device.engine.close() }
  }
}

/// A device: a container with a store of folders, ordered notes and tags, and an engine.
private final class Device: Sendable {
  private let folder: TestFolder
  private let container: NSPersistentContainer
  let engine: SyncEngine

  init(_ transport: URLSessionSyncTransport) throws {
    folder = try TestFolder()
    container = try .open("Notes", Self.model(), at: folder.file("Notes.sqlite"))
    engine = SyncEngine(
      container: container,
      configuration: SyncConfiguration(zone: "home", counters: ["Note": ["stars"]]),
      transport: transport)
  }

  @discardableResult
  func write<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    try container.write(body)
  }

  /// A line for each folder, with its notes in their order.
  func graph() throws -> [String] {
    try write { context in
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Folder")).map { folder in
        let notes = folder.value(forKey: "notes") as? NSOrderedSet ?? []
        let texts = notes.compactMap { $0 as? NSManagedObject }.map { note in
          let tags = note.value(forKey: "tags") as? Set<NSManagedObject> ?? []
          let names = tags.compactMap { $0.value(forKey: "name") as? String }.sorted()
          let title = note.value(forKey: "title") as? String ?? "?"
          let stars = note.value(forKey: "stars") as? Int ?? -1
          return "\(title)(\(stars))[\(names.joined(separator: " "))]"
        }
        let title = folder.value(forKey: "title") as? String ?? "?"
        return (["\(title):"] + texts).joined(separator: " ")
      }.sorted()
    }
  }

  private static func model() -> NSManagedObjectModel {
    let entities = ["Folder", "Note", "Tag"].map { ModelPart.entity($0) }
    let (folder, note, tag) = (entities[0], entities[1], entities[2])
    let notes = ModelPart.relationship("notes", to: note, maxCount: 0)
    let parent = ModelPart.relationship("folder", to: folder, maxCount: 1)
    (notes.isOrdered, notes.deleteRule) = (true, .cascadeDeleteRule)
    ModelPart.connect(notes, parent)
    let tags = ModelPart.relationship("tags", to: tag, maxCount: 0)
    let tagged = ModelPart.relationship("notes", to: note, maxCount: 0)
    ModelPart.connect(tags, tagged)
    folder.properties = [ModelPart.attribute("title"), notes]
    note.properties = [
      ModelPart.attribute("title"),
      ModelPart.attribute("stars", .integer64AttributeType, default: 0),
      parent, tags,
    ]
    tag.properties = [ModelPart.attribute("name"), tagged]
    tag.uniquenessConstraints = [["name"]]
    return ModelPart.model(entities)
  }
}

extension NSManagedObjectContext {
  fileprivate func add(_ title: String, to folder: NSManagedObject) {
    insert("Note", ["title": title, "folder": folder])
  }

  fileprivate func first(_ entity: String) throws -> NSManagedObject {
    try #require(fetch(NSFetchRequest<NSManagedObject>(entityName: entity)).first)
  }

  private func find(_ entity: String, where key: String, is value: String) throws
    -> NSManagedObject?
  {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: "%K == %@", key, value)
    return try fetch(request).first
  }

  fileprivate func note(_ title: String) throws -> NSManagedObject {
    let found = try find("Note", where: "title", is: title)
    return try #require(found)
  }

  fileprivate func count(_ title: String, by amount: Int) throws {
    let note = try note(title)
    note.setValue((note.value(forKey: "stars") as? Int ?? 0) + amount, forKey: "stars")
  }

  fileprivate func tag(_ name: String, _ title: String) throws {
    let tag = try find("Tag", where: "name", is: name) ?? insert("Tag", ["name": name])
    tag.mutableSetValue(forKey: "notes").add(try note(title))
  }
}
