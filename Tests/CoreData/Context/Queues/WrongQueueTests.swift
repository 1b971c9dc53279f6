import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Calls from another queue than the context's: refused in debug builds, but for what enters the queue by itself
/// and what may be called anywhere.
@Suite struct WrongQueueTests {
  @Test(arguments: WrongQueueCase.names(.refused))
  func aCallIsRefusedAndSaysHowToGoOn(_ name: String) async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [name = name as String] in
      let fixture = try WrongQueueFixture()
      try WrongQueueFixture.queue.sync { try WrongQueueCase.named(name).call(fixture) }
    }
    let text = try #require(result).complaint
    let parts = ["“NSManagedObjectContext ", "“elsewhere”", "OPENCOREDATA_CONCURRENCY_DEBUG=0"]
    for part in parts { #expect(text.contains(part), "\(name): \(part)") }
  }

  /// As on Apple's systems, where nothing is checked unless asked for.
  @Test func anEnvironmentVariableTurnsTheCheckOff() async {
    await #expect(processExitsWith: .success) {
      setenv("OPENCOREDATA_CONCURRENCY_DEBUG", "0", 1)
      for refused in WrongQueueCase.all where refused.answer == .refused {
        let fixture = try WrongQueueFixture()
        // An error is an answer too: what is tested is that nothing stops.
        WrongQueueFixture.queue.sync { try? refused.call(fixture) }
      }
    }
  }

  /// Tests of ported packages turn the default off before `main`; the variable has the last word.
  @Test func aPortedPackageIsCheckedWhereItIsAskedFor() async {
    await #expect(processExitsWith: .success) {
      ConcurrencyDebugging.isOnByDefault = false
      for refused in WrongQueueCase.all where refused.answer == .refused {
        let fixture = try WrongQueueFixture()
        WrongQueueFixture.queue.sync { try? refused.call(fixture) }
      }
    }
    await #expect(processExitsWith: .failure) {
      ConcurrencyDebugging.isOnByDefault = false
      setenv("OPENCOREDATA_CONCURRENCY_DEBUG", "1", 1)
      for refused in WrongQueueCase.all where refused.answer == .refused {
        let fixture = try WrongQueueFixture()
        WrongQueueFixture.queue.sync { try? refused.call(fixture) }
      }
    }
  }

  @Test(arguments: WrongQueueCase.names(.anywhere)) func aCallIsAnsweredAnywhere(_ name: String)
    throws
  {
    let fixture = try WrongQueueFixture()
    try WrongQueueFixture.queue.sync { try WrongQueueCase.named(name).call(fixture) }
  }

  @Test(arguments: WrongQueueCase.names(.enters)) func aCallEntersTheQueue(_ name: String) throws {
    let fixture = try WrongQueueFixture()
    let entered = EntryNotes(fixture)
    try WrongQueueFixture.queue.sync { try WrongQueueCase.named(name).call(fixture) }
    #expect(!entered.notes.isEmpty && entered.notes.allSatisfy(\.self), "\(name)")
  }

  @Test func aChildsCallsDoNotGoThroughWhatASubclassOverrides() throws {
    let stack = try TestStack(.sqlite)
    let parent = CountingContext(concurrencyType: .privateQueueConcurrencyType)
    parent.persistentStoreCoordinator = stack.coordinator
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = parent
    try child.performAndWait {
      let item = child.makeItem("a")
      try child.obtainPermanentIDs(for: [item])
      try child.save()
      #expect(try child.titles() == ["a"])
      child.refresh(item, mergeChanges: false)
      _ = item.children
    }
    #expect(parent.count == 0)
    parent.performAndWait {}
    #expect(parent.count == 1)
  }
}

private final class CountingContext: NSManagedObjectContext, @unchecked Sendable {
  private(set) var count = 0

  override func performAndWait(_ block: () -> Void) {
    count += 1
    super.performAndWait(block)
  }
}

/// Whether the context's queue was entered each time when something was told.
// Unchecked: what tells it is on the one queue that is tested.
private final class EntryNotes: NSObject, NSFetchedResultsControllerDelegate, @unchecked Sendable {
  private let confinement: Confinement
  private(set) var notes: [Bool] = []
  private var token: (any NSObjectProtocol)?

  init(_ fixture: WrongQueueFixture) {
    confinement = fixture.context.confinement
    super.init()
    fixture.controller.delegate = self
    token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: fixture.context, queue: nil
    ) { [unowned self] _ in notes.append(confinement.isCurrent) }
  }

  deinit { token.map(NotificationCenter.default.removeObserver) }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
  ) {
    notes.append(confinement.isCurrent)
  }
}
