import CoreData
import CoreDataSupport
import PostgreSQLServer
import Synchronization
import Testing
import TestSupport

@testable import PostgreSQLStore

/// A store in a file in the place of one on a server, and back: the same objects under the same IDs, at once or not at all.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) final class FileReplacementTests {
  private let folder: TestFolder
  private let history: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]

  init() throws { folder = try TestFolder() }

  private func file(_ name: String) -> URL { folder.file("\(name).sqlite") }

  private func place() throws -> URL {
    try PostgreSQLServer.url(schema: "f\(UUID().uuidString.lowercased().filter { $0 != "-" })")
  }

  private func open(
    _ url: URL, _ options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ShelfModel.make())
    try coordinator.addPersistentStore(
      type: url.isFileURL ? .sqlite : .postgreSQL, at: url, options: options)
    return coordinator
  }

  /// Makes a store and closes it; what it has, and its UUID.
  @discardableResult private func make(
    _ url: URL, shelves: Int = 4, _ title: String = "Book", _ options: [AnyHashable: Any]? = nil
  ) throws -> (contents: [String], uuid: String?) {
    let coordinator = try open(url, options)
    let context = coordinator.makeContext()
    try context.performAndWait { try ShelfModel.fill(context, shelves: shelves, title) }
    return try close(coordinator)
  }

  private func read(_ url: URL) throws -> (contents: [String], uuid: String?) {
    try close(open(url, history))
  }

  private func close(
    _ coordinator: NSPersistentStoreCoordinator
  ) throws -> (contents: [String], uuid: String?) {
    let found = try ShelfModel.contents(of: coordinator)
    let uuid = coordinator.persistentStores[0].identifier
    try coordinator.removeStores()
    return (found, uuid)
  }

  /// By the type of either.
  private func replace(
    _ destination: URL, with source: URL, type: NSPersistentStore.StoreType = .postgreSQL
  ) throws {
    try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
      .replacePersistentStore(at: destination, withPersistentStoreFrom: source, type: type)
  }

  @Test(
    arguments: [NSPersistentStore.StoreType.sqlite, .postgreSQL], [false, true])
  func aFileGoesToAServerAndBack(
    type: NSPersistentStore.StoreType, isThereAlready: Bool
  ) throws {
    let (first, server, second) = (file("first"), try place(), file("second"))
    let made = try make(first, shelves: 40)
    if isThereAlready {
      try make(server, shelves: 2, "Other")
      try make(second, shelves: 3, "Another")
    }
    try replace(server, with: first, type: type)
    let there = try read(server)
    #expect(there.contents == made.contents)
    #expect(there.uuid == made.uuid)
    try replace(second, with: server, type: type)
    let back = try read(second)
    #expect(back.contents == made.contents)
    #expect(back.uuid == made.uuid)
    #expect(made.contents.count == 40 * 4 + 3)
  }

  /// New objects get keys that nobody has had, and members are counted on.
  @Test func eachCopyGoesItsOwnWay() throws {
    let (first, server, second) = (file("first"), try place(), file("second"))
    try make(first)
    try replace(server, with: first)
    try replace(second, with: server)
    for url in [first, server, second] {
      let coordinator = try open(url)
      let context = coordinator.makeContext()
      try context.performAndWait {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Comic", into: context)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Shelf")
        request.predicate = NSPredicate(format: "name == 'Shelf 0'")
        let shelf = try #require(try context.fetch(request).first)
        shelf.mutableOrderedSetValue(forKey: "books").add(book)
        try context.save()
        // Twelve that are there, and one that was.
        let key = try #require(Int(book.objectID.uriRepresentation().lastPathComponent.dropFirst()))
        #expect(key > 13)
        context.refresh(shelf, mergeChanges: false)
        #expect(shelf.value(forKey: "count") as? Int == 4)
      }
    }
  }

  // MARK: - History

  private func token(_ url: URL) throws -> NSPersistentHistoryToken? {
    let coordinator = try open(url, history)
    defer { for store in coordinator.persistentStores { try? coordinator.remove(store) } }
    return coordinator.currentPersistentHistoryToken(fromStores: nil)
  }

  /// The numbers of the transactions after a token; throws when some are missing.
  private func transactions(_ url: URL, after token: NSPersistentHistoryToken?) throws -> [Int64] {
    let coordinator = try open(url, history)
    defer { for store in coordinator.persistentStores { try? coordinator.remove(store) } }
    let context = coordinator.makeContext()
    return try context.performAndWait {
      let result =
        try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
        as? NSPersistentHistoryResult
      return (result?.result as? [NSPersistentHistoryTransaction] ?? []).map(\.transactionNumber)
    }
  }

  private static let expired = NSPersistentHistoryTokenExpiredError

  @Test(arguments: [true, false]) func whoHasFollowedToTheEndGoesOn(toServer: Bool) throws {
    let places = [file("a"), try place()]
    let (source, destination) = toServer ? (places[0], places[1]) : (places[1], places[0])
    let empty = try token(source)
    let uuid = try make(source, shelves: 2, "Book", history).uuid
    let end = try token(source)
    try replace(destination, with: source)
    #expect(try transactions(destination, after: end) == [])
    let error = #expect(throws: NSError.self) {
      try self.transactions(destination, after: NSPersistentHistoryToken([uuid ?? "": 1]))
    }
    #expect(error?.code == Self.expired)
    #expect(empty != end)
    try make(destination, shelves: 1, "More", history)
    let number = try #require(end?.numbers.values.first)
    #expect(try transactions(destination, after: end) == [1, 2, 3].map { number + $0 })
    // The state of before comes back: nobody's place in it means anything.
    let later = try token(destination)
    try replace(destination, with: source)
    for token in [end, later] {
      let error = #expect(throws: NSError.self) {
        try self.transactions(destination, after: token)
      }
      #expect(error?.code == Self.expired)
    }
  }

  @Test(arguments: [false, true])
  func whoHasTheDestinationOpenIsTold(isDestroyed: Bool) throws {
    let (source, destination) = (file("a"), try place())
    try make(source)
    let coordinator = try open(
      destination,
      history.merging([NSPersistentStoreRemoteChangeNotificationPostOptionKey: true]) { $1 })
    let token = coordinator.currentPersistentHistoryToken(fromStores: nil)
    let told = Occurrences()
    let observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
    ) { _ in told.note() }
    defer { NotificationCenter.default.removeObserver(observer) }
    if isDestroyed {
      try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
        .destroyPersistentStore(at: destination, type: .postgreSQL)
    } else {
      try replace(destination, with: source)
    }
    try told.wait(for: "a note of the change")
    let context = coordinator.makeContext()
    let error = #expect(throws: NSError.self) {
      try context.performAndWait {
        _ = try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
      }
    }
    // Where there is no store at all the server says so.
    #expect((error?.code == Self.expired) == !isDestroyed)
  }

  // MARK: - What fails

  @Test func whatAServerCannotKeepLeavesItAsItWas() throws {
    let (source, destination) = (file("a"), try place())
    try make(source, shelves: 1, "U+0000: \0")
    let before = try make(destination, shelves: 2, "Kept")
    let error = #expect(throws: NSError.self) { try self.replace(destination, with: source) }
    #expect(error?.localizedFailureReason?.contains("U+0000") == true)
    let after = try read(destination)
    #expect(after.contents == before.contents && after.uuid == before.uuid)
  }

  @Test(arguments: [true, false]) func aSourceThatBreaksLeavesTheDestination(isFile: Bool) throws {
    let places = [file("a"), try place()]
    let (source, destination) = isFile ? (places[0], places[1]) : (places[1], places[0])
    try make(source)
    let before = try make(destination, shelves: 2, "Kept")
    if isFile {
      var bytes = try Data(contentsOf: source)
      for place in 8192..<bytes.count { bytes[place] = 0xA5 }
      try bytes.write(to: source)
    } else {
      try PostgreSQLConnection(ServerAddress(source), timeout: nil)
        .execute("ALTER TABLE \"Tag\" DROP COLUMN \"name\"")
    }
    #expect(throws: NSError.self) { try self.replace(destination, with: source) }
    let after = try read(destination)
    #expect(after.contents == before.contents && after.uuid == before.uuid)
  }

  /// The connection is cut after every so many bytes, until all pass.
  @Test(arguments: [true, false]) func aCutConnectionLeavesOneOrTheOther(toServer: Bool) throws {
    let server = try place()
    let (proxy, address) = try CuttingProxy.before(server)
    defer { proxy.close() }
    let local = file("a")
    let (source, destination) = toServer ? (local, server) : (server, local)
    let new = try make(source, shelves: 3)
    let old = try make(destination, shelves: 2, "Kept")
    var rounds = 0
    let step = 1_499 * min(4, 100 / Sample.share)
    while proxy.cuts == rounds {
      proxy.cut(after: rounds * step)
      do {
        try replace(toServer ? address : destination, with: toServer ? source : address)
      } catch {}
      proxy.stopCutting()
      let found = try read(destination)
      #expect(found.contents == (found.uuid == new.uuid ? new.contents : old.contents))
      rounds += 1
    }
    #expect(rounds > 5)
    #expect(try read(destination).contents == new.contents)
  }

  @Test func nothingHappensWithoutASource() throws {
    let (local, server) = (file("a"), try place())
    let before = try make(local)
    try replace(local, with: server)
    #expect(try read(local).contents == before.contents)
    try replace(server, with: file("nobody"))
    #expect(try !ClosedStore(server).exists(StoreOptions(nil)))
  }

  @Test func otherFilesAreRefusedWithWhatToDo() throws {
    let error = #expect(throws: NSError.self) {
      try self.replace(self.file("a"), with: self.place(), type: .xml)
    }
    #expect(
      error?.localizedDescription.contains("migratePersistentStore") == true
        || error?.localizedFailureReason?.contains("migratePersistentStore") == true)
    #expect(throws: NSError.self) { try self.replace(self.file("a"), with: self.file("b")) }
  }
}
