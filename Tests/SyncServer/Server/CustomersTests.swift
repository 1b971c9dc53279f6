import CoreData
import CoreDataSync
import Foundation
import SyncServer
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a customer has: several devices with stores of their own, by HTTP, on a server that is
/// killed, compacted, restored, and whose keys come and go.
@Suite struct CustomersTests {
  /// Five devices edit while the server is killed and started again between and during the cycles.
  @Test func fiveDevicesAndAServerThatIsKilled() async throws {
    let folder = try TestFolder()
    let keys = folder.file("keys.txt")
    try Data(RunningServer.keys.utf8).write(to: keys)
    let server = try SyncServerProcess(store: folder.file("Sync.sqlite").path, keys: keys)
    try server.start()
    let devices = try (0..<5).map { _ in
      try Customer(
        URLSessionSyncTransport(
          server: server.url, key: "anna-anna-anna-anna", timeout: Patience.seconds))
    }
    var random = SplitMix64(seed: 11)
    for round in 0..<4 {
      for (index, device) in devices.enumerated() {
        try device.write { context in
          let list =
            try context.named("List", "l") ?? context.insert("List", ["name": "l"])
          context.insert(
            "Item", ["name": "\(round)-\(index)", "count": 1, "list": list])
          if let first = try context.named("Item", "0-0") {
            first.setValue((first.value(forKey: "count") as? Int ?? 0) + 1, forKey: "count")
          }
        }
      }
      let cycles = devices.map { device in Task { try? await device.engine.syncNow() } }
      if round % 2 == 0 {
        try await Task.sleep(for: .milliseconds(Int.random(in: 1...60, using: &random)))
        server.kill()
      }
      for cycle in cycles { _ = await cycle.value }
      if round % 2 == 0 { try server.start() }
    }
    for _ in 0..<3 { for device in devices { try await device.engine.syncNow() } }
    let pictures = try devices.map { try $0.picture() }
    for picture in pictures { #expect(picture == pictures[0]) }
    let names = try devices[0].values("Item", "name")
    #expect(names.count == 20 && Set(names).count == 20, "\(names)")
    #expect(try devices[0].values("List", "name") == ["l"])
    for device in devices {
      #expect(device.engine.status.toSend == 0)
      try await device.engine.close()
    }
    #expect(server.stop() == 0)
  }

  /// A device that was away beyond the horizon of a real server, which has forgotten what was deleted.
  @Test(arguments: LedgerKind.all)
  func whoWasAwayBeyondTheHorizon(_ kind: LedgerKind) async throws {
    let server = try await RunningServer(kind)
    let (a, b) = (try Customer(server.transport()), try Customer(server.transport()))
    try a.write { context in
      let list = context.insert("List", ["name": "l"])
      for number in 0..<5 { context.insert("Item", ["name": "\(number)", "list": list]) }
    }
    try await a.engine.syncNow()
    try await b.engine.syncNow()
    try b.write { context in
      try context.named("Item", "1")?.setValue("of b", forKey: "note")
      try context.named("Item", "2")?.setValue("of b", forKey: "note")
      context.insert("Item", ["name": "own", "list": try #require(try context.named("List", "l"))])
    }
    try a.write { context in
      for name in ["0", "2"] {
        if let item = try context.named("Item", name) { context.delete(item) }
      }
    }
    try await a.engine.syncNow()
    try server.ledger.compact("home", before: SyncLedger.systemTime() + 1_000)
    try a.write { try $0.named("Item", "3")?.setValue("of a", forKey: "note") }
    for device in [a, b, a, b] { try await device.engine.syncNow() }
    #expect(try a.picture() == b.picture())
    #expect(try a.values("Item", "name") == ["1", "3", "4", "own"])
    #expect(try a.values("Item", "note") == ["-", "-", "of a", "of b"])
    let c = try Customer(server.transport())
    try await c.engine.syncNow()
    #expect(try c.picture() == a.picture())
    for device in [a, b, c] { try await device.engine.close() }
  }

  /// An edit brings back what was deleted, where the entity says so; and Deny keeps what something
  /// hangs on: on a real server, whoever comes first.
  @Test(arguments: [false, true])
  func whatTheServerRevives(deleterIsFirst: Bool) async throws {
    let server = try await RunningServer()
    let (a, b) = (try Customer(server.transport()), try Customer(server.transport()))
    try a.write { context in
      context.insert("Wish", ["name": "w"])
      context.insert("Wish", ["name": "x"])
      context.insert("Owner", ["name": "o"])
    }
    for device in [a, b] { try await device.engine.syncNow() }
    try a.write { context in
      if let wish = try context.named("Wish", "w") { context.delete(wish) }
      if let owner = try context.named("Owner", "o") { context.delete(owner) }
    }
    // A round trip later: what the devices know of the server's time is as exact as that.
    let third = try Customer(server.transport(), zone: "work")
    for _ in 0..<20 { try await third.engine.syncNow() }
    try b.write { context in
      try context.named("Wish", "w")?.setValue("edited", forKey: "note")
      context.insert(
        "Wish", ["name": "new", "owner": try #require(try context.named("Owner", "o"))])
    }
    for device in deleterIsFirst ? [a, b, a, b] : [b, a, b, a] {
      try await device.engine.syncNow()
    }
    for device in [a, b] {
      #expect(try device.values("Wish", "name") == ["new", "w", "x"])
      #expect(try device.values("Wish", "note") == ["-", "-", "edited"])
      #expect(try device.values("Owner", "name") == ["o"])
      try await device.engine.close()
    }
  }

  /// The owner lets go of its wishes and is deleted in one save, on a real server.
  @Test func anOwnerThatLetsGoFirstStaysDeleted() async throws {
    let server = try await RunningServer()
    let (a, b) = (try Customer(server.transport()), try Customer(server.transport()))
    try a.write { context in
      let owner = context.insert("Owner", ["name": "o"])
      context.insert("Wish", ["name": "w", "owner": owner])
    }
    for device in [a, b] { try await device.engine.syncNow() }
    try a.write { context in
      try context.named("Wish", "w")?.setValue(nil, forKey: "owner")
      context.processPendingChanges()
      if let owner = try context.named("Owner", "o") { context.delete(owner) }
    }
    for device in [a, b, a, b] { try await device.engine.syncNow() }
    for device in [a, b] {
      #expect(try device.values("Wish", "name") == ["w"])
      #expect(try device.values("Owner", "name") == [])
      try await device.engine.close()
    }
  }

  /// A key that is taken out of the file and put in again, and one that may only read in between.
  @Test func aKeyThatIsTakenOutAndPutBack() async throws {
    let server = try await RunningServer()
    let (a, b) = (
      try Customer(server.transport()), try Customer(server.transport("bobb-bobb-bobb-bobb"))
    )
    try a.write { $0.insert("List", ["name": "l"]) }
    for device in [a, b] { try await device.engine.syncNow() }
    for (round, rights) in ["", "bobb-bobb-bobb-bobb bob home=read", ""].enumerated() {
      try b.write { context in
        context.insert(
          "Item", ["name": "b\(round)", "list": try #require(try context.named("List", "l"))])
      }
      try a.write { $0.insert("Item", ["name": "a\(round)"]) }
      try await a.engine.syncNow()
      let all = "anna-anna-anna-anna anna *=write\n" + rights + "\n"
      try Data(all.utf8).write(to: server.keyFile)
      var failure: (any Error)?
      do { try await b.engine.syncNow() } catch { failure = error }
      if rights.isEmpty {
        #expect((failure as? SyncTransportError)?.reason == .unauthorized)
        guard case .stopped = b.engine.status.activity else {
          Issue.record("\(b.engine.status.activity)")
          continue
        }
        #expect(try b.values("Item", "name").contains("b\(round)"))
      }
      try Data(RunningServer.keys.utf8).write(to: server.keyFile)
      for device in [b, a, b] { try await device.engine.syncNow() }
      #expect(try a.picture() == b.picture(), "round \(round)")
      #expect(b.engine.status.toSend == 0)
    }
    let names = try a.values("Item", "name")
    #expect(names == ["a0", "a1", "a2", "b0", "b2"], "what could not be written is taken back")
    #expect(b.engine.status.losses.contains { $0.value == .text("b1") })
    for device in [a, b] { try await device.engine.close() }
  }

  /// Zones whose names are not ASCII, long, or have signs of paths and queries in them.
  @Test(arguments: [
    "Zuhause", "größe", "a/b?c#d%20", "..", " ", String(repeating: "z", count: 127), "🏠",
  ])
  func aZoneOfAnyName(_ zone: String) async throws {
    let server = try await RunningServer()
    let (a, b) = (
      try Customer(server.transport(), zone: zone), try Customer(server.transport(), zone: zone)
    )
    let other = try Customer(server.transport(), zone: zone + "x")
    try a.write { $0.insert("List", ["name": zone]) }
    for device in [a, b, other] { try await device.engine.syncNow() }
    #expect(try b.values("List", "name") == [zone])
    #expect(try other.values("List", "name") == [])
    try b.write { try $0.named("List", zone)?.setValue("y", forKey: "name") }
    for device in [b, a] { try await device.engine.syncNow() }
    #expect(try a.values("List", "name") == ["y"])
    for device in [a, b, other] { try await device.engine.close() }
  }

  /// A name that no server takes is said at once, and costs nothing.
  @Test(arguments: ["", String(repeating: "ö", count: 65), "a\nb", "\0"])
  func aZoneOfNoName(_ zone: String) async throws {
    let server = try await RunningServer()
    let device = try Customer(server.transport(), zone: zone)
    try device.write { $0.insert("List", ["name": "l"]) }
    await #expect(throws: SyncError.store(ZoneName.rule)) { try await device.engine.syncNow() }
    #expect(device.engine.status.activity == .stopped(reason: ZoneName.rule))
    #expect(try device.values("List", "name") == ["l"])
    try await device.engine.close()
  }

  /// Values of every odd kind by HTTP: no end of text, no byte and no instant is another one there.
  @Test func oddValuesByHTTP() async throws {
    let server = try await RunningServer()
    let (a, b) = (try Customer(server.transport()), try Customer(server.transport()))
    let texts = [
      "", "\0", "a\0b", "\u{301}", "e\u{301}", "\u{E9}", "\u{FEFF}", "\u{FFFE}", "\u{10FFFF}",
      "\r\n", "\u{2028}", "👩🏽‍🚀", String(repeating: "ä", count: 70_000), "<&>\"'\\", "NaN",
    ]
    try a.write { context in
      for (number, text) in texts.enumerated() {
        context.insert("Item", ["name": "\(100 + number)", "note": text, "count": number])
      }
    }
    for device in [a, b, a] { try await device.engine.syncNow() }
    try b.write { context in
      for (number, text) in texts.enumerated() {
        let item = try #require(try context.named("Item", "\(100 + number)"))
        let note = item.value(forKey: "note") as? String ?? "nothing"
        #expect(Array(note.unicodeScalars) == Array(text.unicodeScalars), "\(number)")
        item.setValue(text + "!", forKey: "note")
      }
    }
    for device in [b, a] { try await device.engine.syncNow() }
    try a.write { (context) throws in
      for (number, text) in texts.enumerated() {
        let note = try context.named("Item", "\(100 + number)")?.value(forKey: "note") as? String
        #expect(note.map { Array($0.unicodeScalars) } == Array((text + "!").unicodeScalars))
      }
    }
    for device in [a, b] { try await device.engine.close() }
  }

  /// A model of 300 entities with 60 attributes each, by HTTP.
  @Test func aLargeModelByHTTP() async throws {
    func make() -> NSManagedObjectModel {
      let model = NSManagedObjectModel()
      model.entities = (0..<300).map { number in
        let entity = NSEntityDescription()
        entity.name = "Größe\(number)"
        entity.properties = (0..<60).map { index in
          let attribute = NSAttributeDescription()
          (attribute.name, attribute.attributeType) = ("größe\(index)", .stringAttributeType)
          return attribute
        }
        return entity
      }
      return model
    }
    let server = try await RunningServer()
    let (a, b) = (
      try Customer(server.transport(), model: make()),
      try Customer(server.transport(), model: make())
    )
    try a.write { context in
      for number in 0..<300 { context.insert("Größe\(number)", ["größe\(number % 60)": "x"]) }
    }
    for device in [a, b] { try await device.engine.syncNow() }
    for number in [0, 59, 60, 299] {
      #expect(try b.values("Größe\(number)", "größe\(number % 60)") == ["x"])
    }
    for device in [a, b] { try await device.engine.close() }
  }

  /// Two people, each with a zone of their own on one server, under one model: nothing of one comes to
  /// the other, whatever their objects are called.
  @Test func twoZonesKeepToThemselves() async throws {
    let server = try await RunningServer()
    let home = (
      try Customer(server.transport(), zone: "home"), try Customer(server.transport(), zone: "home")
    )
    let work = (
      try Customer(server.transport(), zone: "work"), try Customer(server.transport(), zone: "work")
    )
    for (device, name) in [(home.0, "h"), (work.0, "w"), (home.1, "h"), (work.1, "w")] {
      try device.write { context in
        let list = context.insert("List", ["name": "l"])
        context.insert("Item", ["name": name, "list": list])
        context.insert("Label", ["name": "same", "note": name])
      }
      try await device.engine.syncNow()
    }
    for device in [home.0, work.0, home.1, work.1] { try await device.engine.syncNow() }
    #expect(try home.0.picture() == home.1.picture() && work.0.picture() == work.1.picture())
    #expect(try home.0.values("Item", "name") == ["h", "h"])
    #expect(try work.0.values("Item", "name") == ["w", "w"])
    #expect(try home.0.values("Label", "note") == ["h"] && work.0.values("Label", "note") == ["w"])
    // A key of the other zone sees nothing, and keeps what it has.
    let stranger = try Customer(server.transport("bobb-bobb-bobb-bobb"), zone: "work")
    try stranger.write { $0.insert("List", ["name": "own"]) }
    await #expect(throws: (any Error).self) { try await stranger.engine.syncNow() }
    #expect(try stranger.values("List", "name") == ["own"])
    #expect(try stranger.values("Item", "name") == [])
    for device in [home.0, home.1, work.0, work.1, stranger] { try await device.engine.close() }
  }

  /// A server that was restored from a backup of its file says so once: what devices have comes back.
  @Test func aServerThatIsPlayedBack() async throws {
    let folder = try TestFolder()
    let keys = folder.file("keys.txt")
    try Data(RunningServer.keys.utf8).write(to: keys)
    let store = folder.file("Sync.sqlite")
    let server = try SyncServerProcess(store: store.path, keys: keys)
    try server.start()
    func transport() -> URLSessionSyncTransport {
      URLSessionSyncTransport(
        server: server.url, key: "anna-anna-anna-anna", timeout: Patience.seconds)
    }
    let (a, b) = (try Customer(transport()), try Customer(transport()))
    try a.write { context in
      let list = context.insert("List", ["name": "l"])
      for number in 0..<4 {
        context.insert("Item", ["name": "\(number)", "list": list, "count": 1])
      }
    }
    for device in [a, b] { try await device.engine.syncNow() }
    server.stop()
    let backup = folder.file("Backup.sqlite")
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store.path + suffix) {
      try FileManager.default.copyItem(
        atPath: store.path + suffix, toPath: backup.path + suffix)
    }
    try server.start()
    try a.write { context in
      try context.named("Item", "0")?.setValue("after", forKey: "note")
      if let item = try context.named("Item", "1") { context.delete(item) }
      try context.named("Item", "2")?.setValue(5, forKey: "count")
      context.insert("Label", ["name": "new"])
    }
    for device in [a, b] { try await device.engine.syncNow() }
    server.stop()
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: store.path + suffix)
    }
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: backup.path + suffix) {
      try FileManager.default.copyItem(
        atPath: backup.path + suffix, toPath: store.path + suffix)
    }
    #expect(try SyncServerProcess.run("restored", "--store", store.path).status == 0)
    try server.start()
    try b.write { try $0.named("Item", "3")?.setValue("meanwhile", forKey: "note") }
    for _ in 0..<3 { for device in [b, a] { try await device.engine.syncNow() } }
    #expect(try a.picture() == b.picture())
    #expect(try a.values("Item", "name") == ["0", "2", "3"])
    #expect(try a.values("Item", "note") == ["-", "after", "meanwhile"])
    #expect(try a.values("Item", "count") == ["1", "1", "5"])
    #expect(try a.values("Label", "name") == ["new"])
    let c = try Customer(transport())
    try await c.engine.syncNow()
    #expect(try c.picture() == a.picture())
    for device in [a, b, c] { try await device.engine.close() }
    server.stop()
  }
}

/// A device: a container with a store, and an engine.
private final class Customer: Sendable {
  private let folder: TestFolder
  private let container: NSPersistentContainer
  let engine: SyncEngine

  init(
    _ transport: URLSessionSyncTransport, zone: String = "home", model: NSManagedObjectModel? = nil
  ) throws {
    folder = try TestFolder()
    container = NSPersistentContainer(
      name: "Customer", managedObjectModel: model ?? Self.model())
    let description = NSPersistentStoreDescription(url: folder.file("Customer.sqlite"))
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    container.persistentStoreDescriptions = [description]
    nonisolated(unsafe) var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    var configuration = SyncConfiguration(
      zone: zone, counters: model == nil ? ["Item": ["count"]] : [:], editWins: ["Wish"])
    configuration.identify = { object in
      object.entity.name == "List" ? object.value(forKey: "name") as? String : nil
    }
    engine = SyncEngine(
      container: container, configuration: configuration, transport: transport)
  }

  @discardableResult
  func write<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    let context = container.newBackgroundContext()
    return try context.performAndWait {
      let result = try body(context)
      if context.hasChanges { try context.save() }
      return result
    }
  }

  func values(_ entity: String, _ property: String) throws -> [String] {
    try write { context in
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)).map { object in
        object.value(forKey: property).map { "\($0)" } ?? "-"
      }.sorted()
    }
  }

  /// A line for each object.
  func picture() throws -> [String] {
    try write { context in
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item")).map { item in
        """
        \(item.value(forKey: "name") ?? "-") \(item.value(forKey: "note") ?? "-") \
        \(item.value(forKey: "count") ?? "-") \(item.value(forKeyPath: "list.name") ?? "-")
        """
      }.sorted()
        + context.fetch(NSFetchRequest<NSManagedObject>(entityName: "List")).map { list in
          let items = list.value(forKey: "items") as? NSOrderedSet ?? []
          return "\(items.array.map { ($0 as? NSManagedObject)?.value(forKey: "name") ?? "-" })"
        }.sorted()
    }
  }

  private static func model() -> NSManagedObjectModel {
    func entity(_ name: String, _ attributes: [String]) -> NSEntityDescription {
      let entity = NSEntityDescription()
      entity.name = name
      entity.properties = attributes.map { name in
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType =
          name == "count" ? .integer64AttributeType : .stringAttributeType
        if name == "count" { attribute.defaultValue = 0 }
        return attribute
      }
      return entity
    }
    func join(
      _ one: NSEntityDescription, _ many: String, _ other: NSEntityDescription, _ up: String,
      _ rule: NSDeleteRule, isOrdered: Bool
    ) {
      let (down, back) = (NSRelationshipDescription(), NSRelationshipDescription())
      (down.name, down.destinationEntity, down.maxCount) = (many, other, 0)
      (down.deleteRule, down.isOrdered) = (rule, isOrdered)
      (back.name, back.destinationEntity, back.maxCount) = (up, one, 1)
      (down.inverseRelationship, back.inverseRelationship) = (back, down)
      one.properties.append(down)
      other.properties.append(back)
    }
    let list = entity("List", ["name"])
    let item = entity("Item", ["name", "note", "count"])
    let label = entity("Label", ["name", "note"])
    label.uniquenessConstraints = [["name"]]
    let owner = entity("Owner", ["name"])
    let wish = entity("Wish", ["name", "note"])
    join(list, "items", item, "list", .cascadeDeleteRule, isOrdered: true)
    join(owner, "wishes", wish, "owner", .denyDeleteRule, isOrdered: false)
    let model = NSManagedObjectModel()
    model.entities = [list, item, label, owner, wish]
    return model
  }
}

extension NSManagedObjectContext {
  @discardableResult
  fileprivate func insert(_ entity: String, _ values: [String: Any?]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  fileprivate func named(_ entity: String, _ name: String) throws -> NSManagedObject? {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: "name == %@", name)
    return try fetch(request).first
  }
}
