import CoreData
import CoreDataSync
import TestSupport
import Testing

/// Containers as applications have them for CloudKit, mirrored through a real server.
@Suite(.serialized) struct CloudKitContainerTests {
  private func options(
    _ server: RunningServer, key: String = "anna-anna-anna-anna"
  ) -> NSPersistentCloudKitContainerOptions {
    NSPersistentCloudKitContainerOptions(syncServer: server.url, zone: "home", key: key)
  }

  @Test func whatOneContainerSavesIsInTheOther() async throws {
    let server = try await RunningServer()
    let one = try CloudNotes(options(server))
    try one.insert("a")
    try await Patience.waiting(for: "the export") { one.log.lines.last == "export" }
    #expect(one.log.lines == ["setup…", "setup", "export…", "export"])
    let other = try CloudNotes(options(server))
    try await other.wait(for: ["a"])
    try await Patience.waiting(for: "the import") { other.log.lines.last == "import" }
    #expect(other.log.lines == ["setup…", "setup", "import…", "import"])
    try other.rename("a", "b")
    try await one.wait(for: ["b"])
    try await Patience.waiting(for: "both") {
      one.log.lines.last == "import" && other.log.lines.last == "export"
    }
    #expect(one.log.lines.suffix(2) == ["import…", "import"])
    #expect(other.log.lines.suffix(2) == ["export…", "export"])
    for notes in [one, other] { try await notes.close() }
  }

  @Test func anEventHasItsTimesItsStoreAndNoErrorWhereItSucceeds() async throws {
    let server = try await RunningServer()
    let before = Date()
    let notes = try CloudNotes(options(server))
    try notes.insert("a")
    try await Patience.waiting(for: "the export") { notes.log.lines.last == "export" }
    let store = try #require(notes.container.persistentStoreCoordinator.persistentStores.first)
    let events = notes.log.events
    for (start, end) in zip(events, events.dropFirst()) where end.endDate != nil {
      #expect(start.identifier == end.identifier && start.startDate == end.startDate)
      #expect(start.endDate == nil && !start.succeeded)
      #expect(end.succeeded && end.error == nil)
      #expect(before <= end.startDate && end.startDate <= end.endDate!)
      #expect(end.storeIdentifier == store.identifier)
    }
    #expect(Set(events.map(\.identifier)).count == 2)
    try await notes.close()
  }

  @Test func aKeyThatTheServerDoesNotKnowIsAnError() async throws {
    let server = try await RunningServer()
    let notes = try CloudNotes(options(server, key: "nobody-nobody-nobody"))
    try notes.insert("a")
    try await Patience.waiting(for: "the error") { notes.log.lines.last == "setup!" }
    let event = try #require(notes.log.events.last)
    #expect((event.error as? SyncTransportError)?.reason == .unauthorized)
    #expect(event.error?.localizedDescription == (event.error as? SyncTransportError)?.message)
    #expect(!event.succeeded && event.endDate != nil)
    // What fails again in the same way is not told again.
    let engine = try #require(notes.container.syncEngines.first)
    await #expect(throws: SyncTransportError.self) { try await engine.syncNow() }
    #expect(notes.log.lines == ["setup…", "setup!"])
    #expect(try notes.titles() == ["a"])
    try await notes.close()
  }

  @Test func aServerThatIsAwayIsAnErrorAndASuccessLater() async throws {
    let folder = try TestFolder()
    let keys = folder.file("keys.txt")
    try Data(RunningServer.keys.utf8).write(to: keys)
    let server = try SyncServerProcess(store: folder.file("Sync.sqlite").path, keys: keys)
    let notes = try CloudNotes(
      NSPersistentCloudKitContainerOptions(
        syncServer: server.url, zone: "home", key: "anna-anna-anna-anna"))
    try await Patience.waiting(for: "the error") { notes.log.lines == ["setup…", "setup!"] }
    try server.start()
    // While the server begins, another try may have failed.
    try await Patience.waiting(for: "the set-up") { notes.log.lines.last == "setup" }
    #expect(notes.log.lines.dropLast(2).allSatisfy { ["setup…", "setup!"].contains($0) })
    server.kill()
    let count = notes.log.lines.count
    try notes.insert("a")
    try await Patience.waiting(for: "the second error") { notes.log.lines.last == "export!" }
    let error = notes.log.events.last?.error as? SyncTransportError
    #expect(error?.reason == .unreachable)
    try server.start()
    try await Patience.waiting(for: "the export") { notes.log.lines.last == "export" }
    // A connection that breaks may have been an event of its own.
    #expect(notes.log.lines.dropFirst(count).allSatisfy { !$0.hasPrefix("setup") })
    #expect(server.stop() == 0)
    try await notes.close()
  }

  @Test func withoutOptionsNothingIsMirroredAndNothingTold() throws {
    let notes = try CloudNotes(nil)
    try notes.insert("a")
    #expect(notes.container.syncEngines.isEmpty && notes.log.lines.isEmpty)
    #expect(try notes.events(.fetchEvents(after: .distantPast)).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: notes.folder.file("Notes.sqlite-sync").path))
  }

  @Test func aContainerThatIsNotForCloudKitSaysSo() throws {
    let folder = try TestFolder()
    let container = NSPersistentContainer(
      name: "Notes", managedObjectModel: NSManagedObjectModel())
    let description = NSPersistentStoreDescription(url: folder.file("Notes.sqlite"))
    description.cloudKitContainerOptions = NSPersistentCloudKitContainerOptions(
      SyncConfiguration(zone: "home"), transport: Unreachable())
    container.persistentStoreDescriptions = [description]
    nonisolated(unsafe) var reason = ""
    container.loadPersistentStores {
      reason = ($1 as NSError?)?.userInfo["reason"] as? String ?? ""
    }
    #expect(reason.contains("NSPersistentCloudKitContainer") && reason.contains("home"))
  }

  // MARK: - Requests

  @Test func requestsAnswerWhatWasTold() async throws {
    let server = try await RunningServer()
    let notes = try CloudNotes(options(server))
    try notes.insert("a")
    try await Patience.waiting(for: "the export") { notes.log.lines.last == "export" }
    let all = try notes.events(.fetchEvents(after: .distantPast))
    #expect(all.map(\.type) == [.setup, .export] && all.allSatisfy { $0.endDate != nil })
    #expect(try notes.events(.fetchEvents(after: nil)).count == 2)
    #expect(try notes.events(.fetchEvents(after: all[0])).map(\.type) == [.export])
    #expect(try notes.events(.fetchEvents(after: all[1])).isEmpty)
    #expect(try notes.events(.fetchEvents(after: .distantFuture)).isEmpty)
    let fetch = NSPersistentCloudKitContainerEventRequest.fetchForEvents()
    fetch.sortDescriptors = [NSSortDescriptor(key: "startDate", ascending: false)]
    #expect(try notes.events(.fetchEvents(matchingFetch: fetch)).map(\.type) == [.export, .setup])
    fetch.fetchLimit = 1
    #expect(try notes.events(.fetchEvents(matchingFetch: fetch)).map(\.type) == [.export])
    fetch.predicate = NSPredicate(format: "type == 0 AND succeeded == YES AND endDate != nil")
    #expect(try notes.events(.fetchEvents(matchingFetch: fetch)).map(\.type) == [.setup])
    let count = NSPersistentCloudKitContainerEventRequest.fetchEvents(after: .distantPast)
    count.resultType = .countEvents
    let result = try notes.write {
      try $0.execute(count) as? NSPersistentCloudKitContainerEventResult
    }
    #expect(result?.result as? [Int] == [2])
    try await notes.close()
  }

  // MARK: - Stores

  /// The way in which Apple's documentation keeps a part of a model out of CloudKit.
  @Test func aStoreBesideTheMirroredOneStaysHere() async throws {
    let server = try await RunningServer()
    let one = try CloudNotes(options(server), withDrafts: true)
    let other = try CloudNotes(options(server), withDrafts: true)
    try one.insert("draft", "Draft")
    try one.insert("a")
    try other.insert("b")
    for notes in [one, other] {
      try await notes.wait(for: ["a", "b"])
      #expect(notes.container.syncEngines.count == 1)
    }
    #expect(try one.titles("Draft") == ["draft"] && other.titles("Draft") == [])
    let store = try #require(one.container.persistentStoreCoordinator.persistentStores.last)
    let request = NSPersistentCloudKitContainerEventRequest.fetchEvents(after: .distantPast)
    request.affectedStores = [one.container.persistentStoreCoordinator.persistentStores[0]]
    #expect(try one.events(request).isEmpty)
    request.affectedStores = [store]
    #expect(try !one.events(request).isEmpty)
    for notes in [one, other] { try await notes.close() }
  }

  /// Each store of a container has a zone of its own.
  @Test func twoStoresOfOneContainerAreMirrored() async throws {
    let server = try await RunningServer()
    func make() throws -> CloudNotes {
      let notes = try CloudNotes(options(server), withDrafts: true)
      let drafts = try #require(
        notes.container.persistentStoreCoordinator.persistentStores.first)
      try notes.container.persistentStoreCoordinator.remove(drafts)
      let description = try #require(
        notes.container.persistentStoreDescriptions.first { $0.configuration == "Local" })
      description.cloudKitContainerOptions = NSPersistentCloudKitContainerOptions(
        syncServer: server.url, zone: "drafts", key: "anna-anna-anna-anna")
      notes.container.loadPersistentStores { _, error in #expect(error == nil) }
      return notes
    }
    let (one, other) = (try make(), try make())
    try one.insert("a")
    try one.insert("draft", "Draft")
    try await other.wait(for: ["a"])
    try await Patience.waiting(for: "the draft") { try other.titles("Draft") == ["draft"] }
    #expect(other.container.syncEngines.count == 2)
    for notes in [one, other] { try await notes.close() }
  }

  @Test func aStoreThatIsRemovedIsMirroredNoMore() async throws {
    let server = try await RunningServer()
    let (one, other) = (try CloudNotes(options(server)), try CloudNotes(options(server)))
    try one.insert("a")
    try await other.wait(for: ["a"])
    let store = try #require(one.container.persistentStoreCoordinator.persistentStores.first)
    try one.container.persistentStoreCoordinator.remove(store)
    #expect(one.container.syncEngines.isEmpty)
    try other.insert("b")
    try await Patience.waiting(for: "the export") {
      other.container.syncEngines[0].status.toSend == 0
    }
    one.container.loadPersistentStores { _, error in #expect(error == nil) }
    try await one.wait(for: ["a", "b"])
    #expect(try other.titles() == ["a", "b"])
    for notes in [one, other] { try await notes.close() }
  }

  /// A backup, or another device's store, takes the place of a mirrored store while it is open, and
  /// is mirrored: nothing is there twice, nothing is missing.
  @Test(arguments: [false, true])
  func aStoreThatIsReplacedIsMirroredAgain(isLoadedAgain: Bool) async throws {
    let server = try await RunningServer()
    let (one, other) = (try CloudNotes(options(server)), try CloudNotes(options(server)))
    try one.insert("a")
    try await other.wait(for: ["a"])
    let backup = try TestFolder()
    let coordinator = one.container.persistentStoreCoordinator
    try coordinator.replacePersistentStore(
      at: backup.file("Notes.sqlite"),
      withPersistentStoreFrom: other.folder.file("Notes.sqlite"), ofType: NSSQLiteStoreType)
    try one.insert("b")
    try await other.wait(for: ["a", "b"])
    try coordinator.replacePersistentStore(
      at: one.folder.file("Notes.sqlite"),
      withPersistentStoreFrom: backup.file("Notes.sqlite"), ofType: NSSQLiteStoreType)
    if isLoadedAgain { one.container.loadPersistentStores { #expect($1 == nil) } }
    #expect(one.container.syncEngines.count == 1)
    try await one.wait(for: ["a", "b"])
    try one.insert("c")
    try other.insert("d")
    for notes in [one, other] { try await notes.wait(for: ["a", "b", "c", "d"]) }
    for notes in [one, other] { try await notes.close() }
  }

  /// A deleted store has everything again once it is loaded, and deletes nothing elsewhere.
  @Test func aStoreThatIsDestroyedBeginsAnew() async throws {
    let server = try await RunningServer()
    let (one, other) = (try CloudNotes(options(server)), try CloudNotes(options(server)))
    try one.insert("a")
    try await other.wait(for: ["a"])
    try one.container.persistentStoreCoordinator.destroyPersistentStore(
      at: one.folder.file("Notes.sqlite"), ofType: NSSQLiteStoreType)
    #expect(one.container.syncEngines.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: one.folder.file("Notes.sqlite-sync").path))
    one.container.loadPersistentStores { #expect($1 == nil) }
    try await one.wait(for: ["a"])
    try one.insert("b")
    for notes in [one, other] { try await notes.wait(for: ["a", "b"]) }
    for notes in [one, other] { try await notes.close() }
  }

  /// The engine ends with its container, and lets another have the file.
  @Test func theNextContainerOfAFileGoesOn() async throws {
    let server = try await RunningServer()
    let folder = try TestFolder()
    let other = try CloudNotes(options(server))
    for number in 0..<3 {
      let notes = try CloudNotes(options(server), in: folder)
      try notes.insert("\(number)")
      try await other.wait(for: (0...number).map(String.init))
      if number == 2 { try await notes.close() }
    }
    try await other.close()
  }

  private struct Unreachable: SyncTransport {
    private let error = SyncTransportError(.unreachable, message: "There is no server.")

    func greet(_ greeting: SyncGreeting) async throws -> SyncWelcome { throw error }
    func push(_ message: PushMessage) async throws -> Pushed { throw error }
    func pull(_ request: PullRequest) async throws -> Pulled { throw error }
    func changes(in zones: [String]) -> AsyncThrowingStream<SyncWakeUp, any Error> {
      AsyncThrowingStream { $0.finish(throwing: error) }
    }
  }
}
