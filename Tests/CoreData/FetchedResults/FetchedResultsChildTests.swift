import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

@Suite struct FetchedResultsChildTests {
  private func withChild(
    _ body: (FetchedStack, NSManagedObjectContext) throws -> Void
  ) throws {
    try FetchedStack.with { stack in
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = stack.context
      try child.performAndWait { try body(stack, child) }
    }
  }

  private func controller(
    _ stack: FetchedStack, in context: NSManagedObjectContext
  ) -> NSFetchedResultsController<NSManagedObject> {
    NSFetchedResultsController(
      fetchRequest: stack.request(), managedObjectContext: context, sectionNameKeyPath: nil,
      cacheName: nil)
  }

  @Test func aChildsListHasTheParentsSavedAndUnsavedObjects() throws {
    try withChild { stack, child in
      stack.makeBook("saved")
      try stack.context.save()
      stack.makeBook("unsaved")
      let controller = controller(stack, in: child)
      let recorder = CallRecorder()
      controller.delegate = recorder
      try controller.performFetch()
      #expect(controller.titles == ["saved", "unsaved"])
      child.makeBook("t")
      child.processPendingChanges()
      #expect(recorder.take() == ["insert t - 0.1"])
      #expect(controller.titles == ["saved", "t", "unsaved"])
    }
  }

  @Test func theParentsListFollowsASaveOfTheChild() throws {
    try withChild { stack, child in
      stack.makeBook("a")
      stack.makeBook("c")
      try stack.context.save()
      let controller = stack.controller()
      let recorder = CallRecorder()
      controller.delegate = recorder
      try controller.performFetch()
      child.makeBook("b")
      try child.book("a").setValue("d", forKey: "title")
      try child.save()
      stack.context.processPendingChanges()
      #expect(recorder.take() == ["insert b - 0.0", "move d 0.0 0.2"])
      try stack.context.save()
      #expect(controller.titles == ["b", "c", "d"])
      #expect(recorder.take() == [])
    }
  }

  @Test func aChildsListKeepsItsObjectsWhenTheParentSavesThem() throws {
    try withChild { stack, child in
      stack.makeBook("b")
      child.makeBook("a")
      try child.save()
      let controller = controller(stack, in: child)
      let recorder = CallRecorder()
      controller.delegate = recorder
      try controller.performFetch()
      let first = controller.object(at: IndexPath(row: 0, section: 0))
      try stack.context.save()
      #expect(controller.object(at: IndexPath(row: 0, section: 0)) === first)
      #expect(!first.objectID.isTemporaryID)
      #expect(controller.indexPath(forObject: first) == IndexPath(row: 0, section: 0))
      #expect(controller.titles == ["a", "b"])
      first.setValue("c", forKey: "title")
      child.processPendingChanges()
      #expect(recorder.take() == ["move c 0.0 0.1"])
    }
  }
}
