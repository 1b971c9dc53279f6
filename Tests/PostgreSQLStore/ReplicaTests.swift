import CoreData
import PostgreSQLServer
import TestSupport
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
    coordinator = try Self.open(stack, standby.url(of: stack.url))
  }

  private static func open(
    _ stack: ServerStack, _ replica: URL
  ) throws -> NSPersistentStoreCoordinator {
    try ServerStack.open(
      stack.url,
      [
        OpenCoreDataReplicaURLOption: replica,
        NSPersistentHistoryTrackingKey: true,
        NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
      ])
  }

  private func titles(_ other: NSPersistentStoreCoordinator? = nil) throws -> [String] {
    let context = stack.context(other ?? coordinator)
    return try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      return try context.fetch(request).compactMap { $0.value(forKey: "title") as? String }
    }
  }

  private func pause(_ isPaused: Bool) throws { try standby.pause(isPaused, beside) }

  @Test func theStandbyReadsAndOwnSavesAreSeenAtOnce() throws {
    var wanted = ["first"]
    for number in 100..<200 {
      try stack.add("book \(number)", in: stack.context(coordinator))
      wanted.insert("book \(number)", at: wanted.count - 1)
      #expect(try titles() == wanted)
    }
    // On a busy machine it may have been behind all the time.
    try Patience.wait(for: "the standby to read") {
      #expect(try titles() == wanted)
      return try standby.reads(beside).count > 0
    }
  }

  @Test func aStandbyThatIsBehindIsPassedBy() throws {
    // Whoever asks the standby is seen on the way.
    let (proxy, address) = try CuttingProxy.before(standby.url(of: stack.url))
    defer { proxy.close() }
    let coordinator = try Self.open(stack, address)
    #expect(try titles(coordinator) == ["first"])
    try pause(true)
    try stack.add("second", in: stack.context(coordinator))
    #expect(try titles(coordinator) == ["first", "second"])
    // Not every read waits for it: it is left alone for a while.
    let asked = try (0..<20).map { _ in try proxy.roundTrips { _ = try titles(coordinator) } }
    #expect(asked.contains(0), "\(asked)")
    // By others, and told of.
    try stack.add("third")
    try Patience.wait(for: "what others have saved") {
      try titles(coordinator) == ["first", "second", "third"]
    }
    try pause(false)
    #expect(try titles(coordinator) == ["first", "second", "third"])
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
    try Patience.wait(for: "the standby to read again") {
      #expect(try titles() == ["first", "second"])
      return try standby.reads(again).count > 0
    }
  }

  @Test func aStoreIsOpenedWithoutItsStandby() throws {
    standby.stop()
    let coordinator = try Self.open(stack, standby.url(of: stack.url))
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
