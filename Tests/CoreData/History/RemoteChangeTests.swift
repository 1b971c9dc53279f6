import Foundation
import Testing

@testable import CoreData

/// The notifications that a store has been written to.
@Suite(.timeLimit(.minutes(10))) struct RemoteChangeTests {
  private static var options: [AnyHashable: Any] {
    [
      NSPersistentHistoryTrackingKey: true,
      NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
    ]
  }

  @Test func aSaveIsToldOnceToItsOwnCoordinator() async throws {
    let stack = try HistoryStack(options: Self.options)
    let changes = RemoteChanges(of: stack.coordinator)
    for code in ["a", "b", "c"] { try stack.write { _ = $0.make("Good", ["code": code]) } }
    let store = try stack.store
    let notes = await changes.next(3)
    for (number, note) in zip(Int64(1)..., notes) {
      #expect(note.storeUUID == store.identifier)
      #expect(note.url == stack.url)
      #expect(note.token == NSPersistentHistoryToken([store.identifier: number]))
    }
    // A later change would come after one too many of the earlier ones.
    try stack.write { _ = $0.make("Good", ["code": "d"]) }
    #expect(await changes.next(1).first?.token == NSPersistentHistoryToken([store.identifier: 4]))
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func everyCoordinatorOfTheProcessIsTold(_ kind: StoreKind) async throws {
    let stack = try HistoryStack(kind, options: Self.options)
    let other = try stack.secondCoordinator(options: Self.options)
    let (own, others) = (RemoteChanges(of: stack.coordinator), RemoteChanges(of: other))
    try stack.write { _ = $0.make("Good", ["code": "a"]) }
    let context = stack.context()
    try context.performAndWait { _ = try context.insertGoods([["code": "b"]]) }
    let expected = [1, 2].map { NSPersistentHistoryToken([stack.coordinator.uuid: $0]) }
    #expect(await own.next(2).map(\.token) == expected)
    #expect(await others.next(2).map(\.token) == expected)
  }

  @Test func writingByAConnectionOfAnotherKindIsTold() async throws {
    let stack = try HistoryStack(options: Self.options)
    try stack.write { _ = $0.make("Good", ["code": "a"]) }
    let changes = RemoteChanges(of: stack.coordinator)
    try stack.plain.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 7 WHERE Z_ENT = 16002")
    let expected = NSPersistentHistoryToken([stack.coordinator.uuid: 7])
    #expect(await changes.first { $0.token == expected })
  }

  @Test func aStoreWithoutHistoryIsToldOfWithoutAToken() async throws {
    let options = [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true]
    let stack = try HistoryStack(options: options)
    let changes = RemoteChanges(of: stack.coordinator)
    try stack.plain.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 7 WHERE Z_ENT = 1")
    let first = await changes.next(1)
    #expect(first.map(\.token) == [nil])
    #expect(first.map(\.url) == [stack.url])
    try stack.write { _ = $0.make("Good", ["code": "a"]) }
    #expect(await changes.next(1).map(\.token) == [nil])
  }

  @Test func aStoreWithARollbackJournalIsWatchedToo() async throws {
    let journal: [AnyHashable: Any] = [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]
    let stack = try HistoryStack(options: Self.options.merging(journal) { $1 })
    try stack.write { _ = $0.make("Good", ["code": "a"]) }
    let changes = RemoteChanges(of: stack.coordinator)
    try stack.plain.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 7 WHERE Z_ENT = 16002")
    let expected = NSPersistentHistoryToken([stack.coordinator.uuid: 7])
    #expect(await changes.first { $0.token == expected })
  }

  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func aReadOnlyStoreIsToldOfWhatOthersWrite(_ kind: StoreKind) async throws {
    let stack = try HistoryStack(kind)
    let reader = try stack.secondCoordinator(
      options: Self.options.merging([NSReadOnlyPersistentStoreOption: true]) { $1 })
    let changes = RemoteChanges(of: reader)
    try stack.write { _ = $0.make("Good", ["code": "a"]) }
    #expect(
      await changes.next(1).map(\.token) == [NSPersistentHistoryToken([reader.uuid: 1])])
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
      _ = context.make("Good", ["code": "a"])
      try context.save()
    }
    for change in changes {
      #expect(
        await change.next(1).map(\.token) == [NSPersistentHistoryToken([coordinators[0].uuid: 1])])
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
    #expect(!RemoteChangeHub.isOpen(path))
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

  private let stream: AsyncStream<Change>
  // Unsafe only in name: set once.
  private nonisolated(unsafe) let observer: any NSObjectProtocol

  init(of coordinator: NSPersistentStoreCoordinator) {
    let (stream, continuation) = AsyncStream.makeStream(of: Change.self)
    self.stream = stream
    observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
    ) { continuation.yield(Change($0)) }
  }

  deinit { NotificationCenter.default.removeObserver(observer) }

  func next(_ count: Int) async -> [Change] {
    var changes: [Change] = []
    var iterator = stream.makeAsyncIterator()
    while changes.count < count, let change = await iterator.next() { changes.append(change) }
    return changes
  }

  /// Waits for a change that is as expected.
  func first(where isExpected: (Change) -> Bool) async -> Bool {
    for await change in stream where isExpected(change) { return true }
    return false
  }
}
