import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// The notifications that a store has been written to.
@Suite struct RemoteChangeTests {
  private static var options: [AnyHashable: Any] {
    [
      NSPersistentHistoryTrackingKey: true,
      NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
    ]
  }

  @Test func aSaveIsToldOnceToItsOwnCoordinator() async throws {
    let stack = try HistoryStack(options: Self.options)
    let changes = RemoteChanges(of: stack.coordinator)
    let store = try stack.store
    // A later change would come after one too many of the earlier ones. Saves that nobody waits for may be told of
    // together.
    for (number, code) in zip(Int64(1)..., ["a", "b", "c", "d"]) {
      try stack.write { $0.insert("Good", ["code": code]) }
      let note = try await changes.next()
      #expect(note.storeUUID == store.identifier)
      #expect(note.url == stack.url)
      #expect(note.token == NSPersistentHistoryToken([store.identifier: number]))
    }
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func everyCoordinatorOfTheProcessIsTold(_ kind: StoreKind) async throws {
    let stack = try HistoryStack(kind, options: Self.options)
    let other = try stack.secondCoordinator(options: Self.options)
    let (own, others) = (RemoteChanges(of: stack.coordinator), RemoteChanges(of: other))
    let expected = [1, 2].map { NSPersistentHistoryToken([stack.coordinator.uuid: $0]) }
    try stack.write { $0.insert("Good", ["code": "a"]) }
    #expect(try await own.next().token == expected[0])
    #expect(try await others.next().token == expected[0])
    let context = stack.context()
    try context.performAndWait { _ = try context.insertGoods([["code": "b"]]) }
    #expect(try await own.next().token == expected[1])
    #expect(try await others.next().token == expected[1])
  }

  @Test func writingByAConnectionOfAnotherKindIsTold() async throws {
    let stack = try HistoryStack(options: Self.options)
    try stack.write { $0.insert("Good", ["code": "a"]) }
    let changes = RemoteChanges(of: stack.coordinator)
    try stack.plain.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 7 WHERE Z_ENT = 16002")
    let expected = NSPersistentHistoryToken([stack.coordinator.uuid: 7])
    while try await changes.next().token != expected {}
  }

  @Test func aStoreWithoutHistoryIsToldOfWithoutAToken() async throws {
    let options = [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true]
    let stack = try HistoryStack(options: options)
    let changes = RemoteChanges(of: stack.coordinator)
    try stack.plain.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 7 WHERE Z_ENT = 1")
    let first = try await changes.next()
    #expect(first.token == nil)
    #expect(first.url == stack.url)
    try stack.write { $0.insert("Good", ["code": "a"]) }
    #expect(try await changes.next().token == nil)
  }

  /// The connection that looks for changes only reads, and would not empty the log if it were closed last.
  @Test func theLogIsInTheFileWhenTheCoordinatorIsGone() async throws {
    let folder = try TestFolder()
    let url = folder.url.appendingPathComponent("Goods.sqlite")
    do {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HistoryStack.shops())
      _ = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: Self.options)
    }
    // Just being told of a change keeps a store for a moment.
    try await Patience.waiting(for: "the end of the log") {
      !FileManager.default.fileExists(atPath: url.path + "-wal")
    }
  }

  @Test func aStoreWithARollbackJournalIsWatchedToo() async throws {
    let journal: [AnyHashable: Any] = [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]
    let stack = try HistoryStack(options: Self.options.merging(journal) { $1 })
    try stack.write { $0.insert("Good", ["code": "a"]) }
    let changes = RemoteChanges(of: stack.coordinator)
    try stack.plain.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 7 WHERE Z_ENT = 16002")
    let expected = NSPersistentHistoryToken([stack.coordinator.uuid: 7])
    while try await changes.next().token != expected {}
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func aReadOnlyStoreIsToldOfWhatOthersWrite(_ kind: StoreKind) async throws {
    let stack = try HistoryStack(kind)
    let reader = try stack.secondCoordinator(
      options: Self.options.merging([NSReadOnlyPersistentStoreOption: true]) { $1 })
    let changes = RemoteChanges(of: reader)
    try stack.write { $0.insert("Good", ["code": "a"]) }
    #expect(try await changes.next().token == NSPersistentHistoryToken([reader.uuid: 1]))
  }

  @Test func storesInSharedMemoryTellEachOther() async throws {
    let url = URL(fileURLWithPath: "/dev/null/\(UUID())")
    let coordinators = try (0..<2).map { _ in
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: BatchModel.make())
      try coordinator.addPersistentStore(type: .sqlite, at: url, options: Self.options)
      return coordinator
    }
    let changes = coordinators.map { RemoteChanges(of: $0) }
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinators[0]
    try context.performAndWait {
      context.insert("Good", ["code": "a"])
      try context.save()
    }
    for change in changes {
      #expect(
        try await change.next().token == NSPersistentHistoryToken([coordinators[0].uuid: 1]))
    }
  }

  @Test func theLastStoreTakesTheWatchAlong() throws {
    let stack = try HistoryStack(options: Self.options)
    let other = try stack.secondCoordinator(options: Self.options)
    let path = stack.url.resolvingSymlinksInPath().path
    #expect(RemoteChangeHub.isOpen(path))
    try stack.close()
    #expect(RemoteChangeHub.isOpen(path))
    for store in other.persistentStores { try other.remove(store) }
    #expect(!RemoteChangeHub.isOpen(path))
    // SQLite takes the log away with the last connection.
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
  }

  @Test func aCoordinatorThatIsLetGoOfTakesTheWatchAlong() throws {
    let stack = try HistoryStack()
    let path = stack.url.resolvingSymlinksInPath().path
    do {
      let other = try stack.secondCoordinator(options: Self.options)
      #expect(RemoteChangeHub.isOpen(path))
      withExtendedLifetime(other) {}
    }
    // Who is being told of something keeps it for a moment.
    try Patience.wait(for: "the end of the watch") { !RemoteChangeHub.isOpen(path) }
  }
}

extension NSPersistentStoreCoordinator {
  fileprivate var uuid: String { persistentStores.first?.identifier ?? "" }
}

/// A coordinator's notifications, as they come.
private final class RemoteChanges: Sendable {
  struct Change: Sendable {
    let storeUUID: String?
    let url: URL?
    let token: NSPersistentHistoryToken?

    init(_ note: Notification) {
      storeUUID = note.userInfo?[NSStoreUUIDKey] as? String
      url = note.userInfo?[NSPersistentStoreURLKey] as? URL
      token = note.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
    }
  }

  /// Those that came and nobody has asked for.
  private final class Box: Sendable {
    let changes = Mutex<[Change]>([])
  }

  private let box: Box
  // Unsafe only in name: set once.
  private nonisolated(unsafe) let observer: any NSObjectProtocol

  init(of coordinator: NSPersistentStoreCoordinator) {
    let box = Box()
    self.box = box
    observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
    ) { note in box.changes.withLock { $0.append(Change(note)) } }
  }

  deinit { NotificationCenter.default.removeObserver(observer) }

  /// Waits for the next one.
  func next() async throws -> Change {
    var first: Change?
    try await Patience.waiting(for: "a notification") {
      first = box.changes.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      return first != nil
    }
    return try #require(first)
  }
}
