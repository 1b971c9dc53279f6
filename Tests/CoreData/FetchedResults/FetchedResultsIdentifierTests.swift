import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Snapshots and differences name rows by object IDs: what becomes of them as objects are saved.
@Suite struct FetchedResultsIdentifierTests {
  private final class Snapshots: NSObject, NSFetchedResultsControllerDelegate {
    var all: [NSDiffableDataSourceSnapshot<String, NSManagedObjectID>] = []

    func controller(
      _ controller: NSFetchedResultsController<NSFetchRequestResult>,
      didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    ) {
      all.append(NSDiffableDataSourceSnapshot(snapshot))
    }
  }

  private final class Differences: NSObject, NSFetchedResultsControllerDelegate {
    var all: [CollectionDifference<NSManagedObjectID>] = []

    func controller(
      _ controller: NSFetchedResultsController<NSFetchRequestResult>,
      didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
      all.append(diff)
    }
  }

  /// Has another thread save when it is told, and waits for it.
  private final class Waiting: NSObject, NSFetchedResultsControllerDelegate {
    let other: NSManagedObjectContext
    var count = 0

    init(_ coordinator: NSPersistentStoreCoordinator?) {
      other = NSManagedObjectContext(.privateQueue)
      other.persistentStoreCoordinator = coordinator
    }

    func controller(
      _ controller: NSFetchedResultsController<NSFetchRequestResult>,
      didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
      let done = Occurrences()
      other.perform { [other] in
        let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: other)
        shelf.setValue("Told", forKey: "name")
        do { try other.save() } catch { Issue.record(error) }
        done.note()
      }
      do { try done.wait(for: "another context's save") } catch { Issue.record(error) }
      count += 1
    }
  }

  private func with<Delegate: NSFetchedResultsControllerDelegate>(
    _ delegate: Delegate, setUp: (BookController) -> Void = { _ in },
    _ body: (FetchedStack, BookController) throws -> Void
  ) throws {
    try FetchedStack.tracking(["b"], in: NSSQLiteStoreType) { stack, controller, _ in
      setUp(controller)
      controller.delegate = delegate
      try controller.performFetch()
      try body(stack, controller)
    }
  }

  @Test func aSaveOfNewObjectsBringsASnapshotWithPermanentIDs() throws {
    let snapshots = Snapshots()
    try with(snapshots) { stack, controller in
      let book = stack.makeBook("a")
      stack.context.processPendingChanges()
      let temporary = book.objectID
      #expect(temporary.isTemporaryID)
      #expect(snapshots.all.last?.itemIdentifiers.first == temporary)
      try stack.context.save()
      #expect(snapshots.all.count == 3)
      #expect(snapshots.all.last?.itemIdentifiers.first == book.objectID)
      #expect(snapshots.all.last?.itemIdentifiers.contains { $0.isTemporaryID } == false)
    }
  }

  @Test func aSaveOfNewObjectsBringsADifferenceThatReplacesTheirIDs() throws {
    let differences = Differences()
    try with(differences) { stack, controller in
      var identities = (controller.fetchedObjects ?? []).map(\.objectID)
      for title in ["a", "c"] { stack.makeBook(title) }
      try stack.context.save()
      #expect(differences.all.count == 2)
      for difference in differences.all {
        identities = identities.applying(difference) ?? []
      }
      #expect(identities == (controller.fetchedObjects ?? []).map(\.objectID))
      #expect(!identities.contains { $0.isTemporaryID })
    }
  }

  /// The store is not locked while delegates are told of IDs.
  @Test func aDelegateMayWaitForAnotherContextsSave() throws {
    try FetchedStack.tracking(["b"], in: NSSQLiteStoreType) { stack, controller, _ in
      let delegate = Waiting(stack.context.persistentStoreCoordinator)
      controller.delegate = delegate
      try controller.performFetch()
      stack.makeBook("a")
      try stack.context.save()
      #expect(delegate.count == 2)
    }
  }

  @Test func permanentIDsObtainedAheadMakeOneSnapshotEnough() throws {
    let snapshots = Snapshots()
    try with(snapshots, setUp: { $0.obtainsPermanentIDs = true }) { stack, controller in
      let book = stack.makeBook("a")
      stack.context.processPendingChanges()
      #expect(!book.objectID.isTemporaryID)
      try stack.context.save()
      #expect(snapshots.all.count == 2)
      #expect(snapshots.all.last?.itemIdentifiers.first == book.objectID)
    }
  }

  @Test func aSnapshotMakesNoObjects() throws {
    let snapshots = Snapshots()
    try with(snapshots) { stack, controller in
      stack.context.reset()
      try controller.performFetch()
      #expect(snapshots.all.last?.numberOfItems == 1)
      #expect(stack.context.registeredObjects.isEmpty)
    }
  }

  @Test func aListWithoutSectionsHasOneGeneratedIdentifier() throws {
    let snapshots = Snapshots()
    try with(snapshots) { stack, controller in
      let identifiers = snapshots.all.last?.sectionIdentifiers ?? []
      #expect(identifiers.count == 1 && UUID(uuidString: identifiers[0]) != nil)
    }
  }

  @Test func anUpdateIsMarkedInASnapshotAndNoStepOfADifference() throws {
    let (snapshots, differences) = (Snapshots(), Differences())
    for delegate in [snapshots, differences] as [any NSFetchedResultsControllerDelegate] {
      try FetchedStack.tracking(["b"]) { stack, controller, _ in
        let book = try stack.context.book("b")
        controller.delegate = delegate
        book.setValue("n", forKey: "note")
        stack.context.processPendingChanges()
      }
    }
    #expect(snapshots.all.last?.reloadedItemIdentifiers.count == 1)
    #expect(differences.all.map(\.count) == [0])
  }
}
