import CoreData
import PostgreSQLServer
import Testing

@testable import PostgreSQLStore

/// Standbys that read: nobody misses what was saved or told of, however far behind they are, and whether they are
/// there at all.
@Suite(.enabled(if: PostgreSQLServer.isAvailable), .serialized) struct ReplicaTests {
  /// One of their own: a copy of the other tests' server is none while they change its files.
  private static let server = Result { try PostgreSQLServer.start() }

  private let stack: ServerStack
  private let standby: StandbyServer
  /// A connection of the test's own to the standby.
  private let beside: PostgreSQLConnection
  private let coordinator: NSPersistentStoreCoordinator

  init() throws {
    stack = try ServerStack(
      options: [
        NSPersistentHistoryTrackingKey: true,
        NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
          // What is not on the disk is not sent to standbys either; the tests' server takes its time otherwise.
      ], settings: "-csynchronous_commit=on", server: Self.server.get())
    try stack.add("first")
    standby = try StandbyServer(of: stack.connection())
    beside = try standby.connection(stack.url)
    coordinator = try Self.open(stack, standby)
  }

  private static func open(
    _ stack: ServerStack, _ standby: StandbyServer
  ) throws -> NSPersistentStoreCoordinator {
    try ServerStack.open(
      stack.url,
      [
        OpenCoreDataReplicaURLOption: standby.url(of: stack.url),
        NSPersistentHistoryTrackingKey: true,
        NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
      ])
  }

  private func titles() throws -> [String] {
    let context = stack.context(coordinator)
    return try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      return try context.fetch(request).compactMap { $0.value(forKey: "title") as? String }
    }
  }

  private func pause(_ isPaused: Bool) throws {
    try beside.query("SELECT pg_wal_replay_\(isPaused ? "pause" : "resume")()")
    let end = Date(timeIntervalSinceNow: 10)
    let wanted = isPaused ? "paused" : "not paused"
    while try beside.query("SELECT pg_get_wal_replay_pause_state()").text(0, 0) != wanted {
      try #require(Date() < end)
      Thread.sleep(forTimeInterval: 0.01)
    }
  }

  @Test func theStandbyReadsAndOwnSavesAreSeenAtOnce() throws {
    var wanted = ["first"]
    for number in 100..<200 {
      try stack.add("book \(number)", in: stack.context(coordinator))
      wanted.insert("book \(number)", at: wanted.count - 1)
      #expect(try titles() == wanted)
    }
    // On a busy machine it may have been behind all the time.
    let end = Date(timeIntervalSinceNow: 20)
    while try connections() == 0 {
      try #require(Date() < end)
      Thread.sleep(forTimeInterval: 0.1)
      #expect(try titles() == wanted)
    }
  }

  /// How many of the store's connections the standby has.
  private func connections() throws -> Int64 {
    try beside.query(
      "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'CoreData' "
        + "AND query LIKE '%\"Book\"%' AND pid <> pg_backend_pid()"
    ).integer(0, 0)
  }

  @Test func aStandbyThatIsBehindIsPassedBy() throws {
    #expect(try titles() == ["first"])
    try pause(true)
    try stack.add("second", in: stack.context(coordinator))
    #expect(try titles() == ["first", "second"])
    // Not every read waits for it: ten would take five seconds.
    let time = try ContinuousClock().measure { for _ in 0..<10 { _ = try titles() } }
    #expect(time < .seconds(4))
    // By others, and told of.
    try stack.add("third")
    let end = Date(timeIntervalSinceNow: 10)
    while try titles() != ["first", "second", "third"] { try #require(Date() < end) }
    try pause(false)
    #expect(try titles() == ["first", "second", "third"])
  }

  @Test func aConflictIsFoundWithWhatThePrimaryHas() throws {
    let context = stack.context(coordinator)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    context.retainsRegisteredObjects = true
    let mine = try context.performAndWait {
      let book = try #require(try context.fetch(request).first)
      _ = book.value(forKey: "title")
      return book.objectID
    }
    try pause(true)
    let other = stack.context()
    try other.performAndWait {
      let book = try #require(try other.fetch(request).first)
      book.setValue("theirs", forKey: "title")
      try other.save()
    }
    try context.performAndWait {
      context.mergePolicy = NSMergePolicy.error
      let book = try context.existingObject(with: mine)
      book.setValue(7, forKey: "pages")
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectMergeError)
      let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
      #expect(conflicts?.first?.persistedSnapshot?["title"] as? String == "theirs")
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
    }
    #expect(try titles() == ["theirs"])
    try pause(false)
  }

  @Test func aStandbyThatEndsIsReadAroundAndComesBack() throws {
    #expect(try titles() == ["first"])
    standby.stop()
    try stack.add("second", in: stack.context(coordinator))
    #expect(try titles() == ["first", "second"])
    try standby.start()
    let again = try standby.connection(stack.url)
    let end = Date(timeIntervalSinceNow: 20)
    func isReading() throws -> Bool {
      try again.query(
        "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%\"Book\"%' AND pid <> pg_backend_pid()"
      ).integer(0, 0) > 0
    }
    while try !isReading() {
      #expect(try titles() == ["first", "second"])
      try #require(Date() < end)
    }
  }

  @Test func aStoreIsOpenedWithoutItsStandby() throws {
    standby.stop()
    let coordinator = try Self.open(stack, standby)
    let context = stack.context(coordinator)
    let count = try context.performAndWait {
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book"))
    }
    #expect(count == 1)
  }

  @Test func aServerWithAnotherStoreIsRefused() throws {
    let other = try ServerStack()
    let error = #expect(throws: NSError.self) {
      _ = try ServerStack.open(stack.url, [OpenCoreDataReplicaURLOption: other.url.absoluteString])
    }
    #expect(error?.code == CocoaError.Code.persistentStoreOpen.rawValue)
    #expect(error?.localizedFailureReason?.contains("no replica") == true)
    for wrong in [5, "http://example.org/", "not a url %"] as [Any] {
      let error = #expect(throws: NSError.self) {
        _ = try ServerStack.open(stack.url, [OpenCoreDataReplicaURLOption: wrong])
      }
      #expect(error?.code == CocoaError.Code.persistentStoreOpen.rawValue)
    }
  }
}
