import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

@Suite struct FetchedResultsFormsTests {
  private final class SnapshotRecorder: NSObject, NSFetchedResultsControllerDelegate {
    var snapshots: [NSDiffableDataSourceSnapshotReference] = []
    var otherCalls = 0

    func controller(
      _ controller: NSFetchedResultsController<NSFetchRequestResult>,
      didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    ) {
      snapshots.append(snapshot)
    }

    func controllerDidChangeContent(
      _ controller: NSFetchedResultsController<NSFetchRequestResult>
    ) {
      otherCalls += 1
    }
  }

  private final class DifferenceRecorder: NSObject, NSFetchedResultsControllerDelegate {
    var differences: [CollectionDifference<NSManagedObjectID>] = []
    var otherCalls = 0

    func controller(
      _ controller: NSFetchedResultsController<NSFetchRequestResult>,
      didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
      differences.append(diff)
    }

    func controllerDidChangeContent(
      _ controller: NSFetchedResultsController<NSFetchRequestResult>
    ) {
      otherCalls += 1
    }
  }

  private final class DoneRecorder: NSObject, NSFetchedResultsControllerDelegate {
    var calls = 0

    func controllerDidChangeContent(
      _ controller: NSFetchedResultsController<NSFetchRequestResult>
    ) {
      calls += 1
    }
  }

  @Test func aDelegateForSnapshotsGetsThemAndNothingElse() throws {
    try FetchedStack.with { stack in
      let first = stack.makeBook("a", group: "x")
      let second = stack.makeBook("b", group: "y")
      try stack.context.save()
      let controller = stack.controller(["group", "title"], sections: "group")
      let recorder = SnapshotRecorder()
      controller.delegate = recorder
      try controller.performFetch()
      #expect(recorder.snapshots.count == 1)
      first.setValue("note", forKey: "note")
      second.setValue("x", forKey: "group")
      stack.context.processPendingChanges()
      #expect(recorder.snapshots.count == 2 && recorder.otherCalls == 0)
      let snapshot = NSDiffableDataSourceSnapshot<String, NSManagedObjectID>(
        recorder.snapshots[1])
      #expect(snapshot.sectionIdentifiers == ["x"])
      #expect(snapshot.itemIdentifiers == [first.objectID, second.objectID])
      #expect(Set(snapshot.reloadedItemIdentifiers) == [first.objectID, second.objectID])
    }
  }

  @Test func aDelegateForDifferencesGetsThemWithoutSections() throws {
    try FetchedStack.with { stack in
      for title in ["a", "b", "c"] { stack.makeBook(title) }
      try stack.context.save()
      let controller = stack.controller()
      let recorder = DifferenceRecorder()
      controller.delegate = recorder
      try controller.performFetch()
      #expect(recorder.differences.isEmpty)
      let old = (controller.fetchedObjects ?? []).map(\.objectID)
      let books = try stack.books()
      stack.context.delete(books["b"]!)
      books["a"]!.setValue("z", forKey: "title")
      stack.makeBook("d")
      stack.context.processPendingChanges()
      #expect(recorder.differences.count == 1 && recorder.otherCalls == 0)
      let new = (controller.fetchedObjects ?? []).map(\.objectID)
      #expect(recorder.differences.first.flatMap { old.applying($0) } == new)
    }
  }

  @Test func aDelegateForDifferencesGetsTheClassicCallsWithSections() throws {
    try FetchedStack.with { stack in
      let controller = stack.controller(["group"], sections: "group")
      let recorder = DifferenceRecorder()
      controller.delegate = recorder
      try controller.performFetch()
      stack.makeBook("a", group: "x")
      stack.context.processPendingChanges()
      #expect(recorder.differences.isEmpty && recorder.otherCalls == 1)
    }
  }

  @Test func aDelegateWithOneClassicMethodIsEnough() throws {
    try FetchedStack.with { stack in
      let controller = stack.controller()
      let recorder = DoneRecorder()
      controller.delegate = recorder
      try controller.performFetch()
      stack.makeBook("a")
      stack.context.processPendingChanges()
      #expect(recorder.calls == 1)
      #expect(controller.titles == ["a"])
    }
  }
}
