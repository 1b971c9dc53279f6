import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Delegates that have some of the methods, and what these see.
@Suite struct FetchedResultsDelegateTests {
  private class Counter: NSObject, NSFetchedResultsControllerDelegate {
    var calls = 0
  }

  private final class WillOnly: NSObject, NSFetchedResultsControllerDelegate {
    var calls = 0

    func controllerWillChangeContent(
      _ controller: NSFetchedResultsController<NSFetchRequestResult>
    ) {
      calls += 1
    }
  }

  private final class ObjectsOnly: NSObject, NSFetchedResultsControllerDelegate {
    var calls = 0

    func controller(
      _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
      at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
      calls += 1
    }
  }

  private final class SectionsOnly: NSObject, NSFetchedResultsControllerDelegate {
    var calls = 0

    func controller(
      _ controller: NSFetchedResultsController<NSFetchRequestResult>,
      didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
      for type: NSFetchedResultsChangeType
    ) {
      calls += 1
    }
  }

  private final class Titles: NSObject, NSFetchedResultsControllerDelegate {
    func controller(
      _ controller: NSFetchedResultsController<NSFetchRequestResult>,
      sectionIndexTitleForSectionName sectionName: String
    ) -> String? {
      sectionName == "hidden" ? nil : "<\(sectionName.suffix(1))>"
    }
  }

  private func insertOne(_ delegate: any NSFetchedResultsControllerDelegate) throws {
    try FetchedStack.with { stack in
      let controller = stack.controller(["group"], sections: "group")
      controller.delegate = delegate
      try controller.performFetch()
      stack.makeBook("a", group: "x")
      stack.context.processPendingChanges()
      #expect(controller.titles == ["a"])
    }
  }

  @Test func eachClassicMethodIsEnoughByItself() throws {
    let (will, objects, sections) = (WillOnly(), ObjectsOnly(), SectionsOnly())
    for delegate in [will, objects, sections] as [any NSFetchedResultsControllerDelegate] {
      try insertOne(delegate)
    }
    #expect(will.calls == 1 && objects.calls == 1 && sections.calls == 1)
  }

  @Test func aDelegateWithoutAnyMethodHasTheListFollow() throws {
    try insertOne(Counter())
  }

  @Test func theDelegatesIndexTitlesCount() throws {
    try FetchedStack.tracking(
      ["a/apple", "b/hidden", "c/mango"], by: ["group"], sections: "group"
    ) { _, controller, _ in
      let titles = Titles()
      controller.delegate = titles
      #expect(controller.sectionIndexTitles == ["<e>", "<o>"])
      #expect(controller.section(forSectionIndexTitle: "<o>", at: 1) == 2)
      #expect(controller.sections?[1].indexTitle == nil)
    }
  }

  @Test func theKindsOfChangesHaveApplesNumbers() {
    let types: [NSFetchedResultsChangeType] = [.insert, .delete, .move, .update]
    #expect(types.map(\.rawValue) == [1, 2, 3, 4])
  }

  @Test func inACallbackTheControllerHoldsTheNewArrangement() throws {
    final class Reader: NSObject, NSFetchedResultsControllerDelegate {
      var found: [String] = []

      func controllerWillChangeContent(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>
      ) {
        let objects = controller.fetchedObjects ?? []
        found = objects.compactMap { ($0 as? NSManagedObject)?.bookTitle }
      }
    }
    try FetchedStack.tracking(["b"]) { stack, controller, _ in
      let reader = Reader()
      controller.delegate = reader
      stack.makeBook("a")
      stack.context.processPendingChanges()
      #expect(reader.found == ["a", "b"])
    }
  }

  @Test func aFetchInsideAnObjectsCallbackNestsAWholeBatch() throws {
    final class Nester: NSObject, NSFetchedResultsControllerDelegate {
      let stack: FetchedStack
      var calls: [String] = []
      init(_ stack: FetchedStack) { self.stack = stack }

      func controllerWillChangeContent(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>
      ) {
        calls.append("will")
      }

      func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
      ) {
        let title = (anObject as? NSManagedObject)?.bookTitle ?? "?"
        calls.append("\(title) \(newIndexPath?.row ?? -1)")
        guard title == "b" else { return }
        stack.makeBook("a")
        // The nested fetch is what sets the next change off; its result is of no interest.
        _ = try? stack.context.count(for: controller.fetchRequest)
      }

      func controllerDidChangeContent(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>
      ) {
        calls.append("did")
      }
    }
    try FetchedStack.tracking([]) { stack, controller, _ in
      let nester = Nester(stack)
      controller.delegate = nester
      stack.makeBook("b")
      stack.makeBook("c")
      stack.context.processPendingChanges()
      #expect(nester.calls == ["will", "b 0", "will", "a 0", "did", "c 1", "did"])
      #expect(controller.titles == ["a", "b", "c"])
    }
  }

  @Test func anotherDelegateTakesOver() throws {
    try FetchedStack.tracking(["a"]) { stack, controller, first in
      let second = CallRecorder()
      controller.delegate = second
      stack.makeBook("b")
      stack.context.processPendingChanges()
      #expect(first.take() == [] && second.take() == ["insert b - 0.1"])
    }
  }

  @Test func aDelegateThatIsSetAfterTheFetchFollowsFromThenOn() throws {
    try FetchedStack.with { stack in
      let controller = stack.controller()
      try controller.performFetch()
      let recorder = CallRecorder()
      controller.delegate = recorder
      stack.makeBook("a")
      stack.context.processPendingChanges()
      #expect(recorder.take() == ["insert a - 0.0"])
    }
  }
}
