import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

@Suite struct FetchedResultsTrackingTests {
  private func track(
    _ titles: [String], keys: [String] = ["title"], predicate: String? = nil,
    _ body: (FetchedStack, NSFetchedResultsController<NSManagedObject>, CallRecorder) throws -> Void
  ) throws {
    try FetchedStack.with { stack in
      for title in titles { stack.makeBook(title) }
      try stack.context.save()
      let controller = stack.controller(keys, predicate: predicate)
      let recorder = CallRecorder()
      controller.delegate = recorder
      try controller.performFetch()
      #expect(recorder.take() == [], "A fetch calls no classic method")
      try body(stack, controller, recorder)
    }
  }

  @Test func changesShowOnlyOnceTheyAreProcessed() throws {
    try track(["a"]) { stack, controller, recorder in
      stack.makeBook("b")
      #expect(controller.titles == ["a"])
      stack.context.processPendingChanges()
      #expect(controller.titles == ["a", "b"])
      #expect(recorder.take() == ["insert b - 0.1"])
    }
  }

  @Test func oneChangeComesBetweenTwoBounds() throws {
    try track(["a"]) { stack, controller, recorder in
      recorder.isQuietAboutBounds = false
      stack.makeBook("b")
      stack.context.processPendingChanges()
      #expect(recorder.take() == ["will", "insert b - 0.1", "did"])
    }
  }

  @Test func aSaveOfTheSameStateIsNoFurtherChange() throws {
    try track(["a"], predicate: "title < 'm'") { stack, controller, recorder in
      try stack.context.book("a").setValue("z", forKey: "title")
      stack.context.processPendingChanges()
      try stack.context.save()
      #expect(recorder.take() == ["delete z 0.0 -"])
    }
  }

  @Test func whatDoesNotMatchCallsNothing() throws {
    try track(["a"], predicate: "title < 'm'") { stack, controller, recorder in
      recorder.isQuietAboutBounds = false
      let book = stack.makeBook("z")
      stack.context.processPendingChanges()
      book.setValue("y", forKey: "title")
      stack.context.processPendingChanges()
      stack.context.delete(book)
      try stack.context.save()
      #expect(recorder.take() == [])
    }
  }

  @Test func anObjectEntersAndLeavesWithItsPredicate() throws {
    try track(["a", "z"], predicate: "title < 'm'") { stack, controller, recorder in
      let book = try stack.context.book("z")
      book.setValue("b", forKey: "title")
      stack.context.processPendingChanges()
      #expect(recorder.take() == ["insert b - 0.1"])
      book.setValue("y", forKey: "title")
      stack.context.processPendingChanges()
      #expect(recorder.take() == ["delete y 0.1 -"])
      #expect(controller.indexPath(forObject: book) == nil)
    }
  }

  @Test func aChangeOfAnotherAttributeIsAnUpdateWithTheOldPath() throws {
    try track(["a", "b"]) { stack, controller, recorder in
      try stack.context.book("b").setValue("n", forKey: "note")
      stack.makeBook("0")
      stack.context.processPendingChanges()
      #expect(recorder.take() == ["insert 0 - 0.0", "update b 0.1 -"])
    }
  }

  @Test func aSortKeyThatKeepsThePlaceIsAnUpdate() throws {
    try track(["a", "c", "e"]) { stack, controller, recorder in
      try stack.context.book("c").setValue("d", forKey: "title")
      stack.context.processPendingChanges()
      #expect(recorder.take() == ["update d 0.1 -"])
    }
  }

  @Test func swappingTwoRowsIsOneMoveAndOneUpdate() throws {
    try track(["a", "b"]) { stack, controller, recorder in
      let first = try stack.context.book("a")
      let second = try stack.context.book("b")
      first.setValue("b", forKey: "title")
      second.setValue("a", forKey: "title")
      stack.context.processPendingChanges()
      let calls = recorder.take()
      #expect(calls.count == 2)
      #expect(calls.first?.hasPrefix("move") == true)
      #expect(calls.last?.hasPrefix("update") == true)
    }
  }

  @Test func aMoveAcrossTheListIsOneCall() throws {
    try track(["a", "b", "c", "d"]) { stack, controller, recorder in
      try stack.context.book("a").setValue("z", forKey: "title")
      stack.context.processPendingChanges()
      #expect(recorder.take() == ["move z 0.0 0.3"])
    }
  }

  @Test func sixChangesOfOneEventAreSixCalls() throws {
    try track(["a", "b", "c", "d", "e"]) { stack, controller, recorder in
      let books = try stack.books()
      stack.context.delete(books["a"]!)
      books["b"]!.setValue("n", forKey: "note")
      books["c"]!.setValue("n", forKey: "note")
      books["d"]!.setValue("z", forKey: "title")
      stack.makeBook("f")
      stack.makeBook("g")
      stack.context.processPendingChanges()
      #expect(
        recorder.take() == [
          "delete a 0.0 -", "insert f - 0.3", "insert g - 0.4", "move z 0.3 0.5",
          "update b 0.1 -", "update c 0.2 -",
        ])
      #expect(controller.titles == ["b", "c", "e", "f", "g", "z"])
    }
  }

  @Test func permanentIdentitiesKeepTheirPlaces() throws {
    try track(["a", "c"]) { stack, controller, recorder in
      let book = stack.makeBook("b")
      stack.makeBook("b")
      stack.context.processPendingChanges()
      let order = controller.fetchedObjects
      _ = recorder.take()
      try stack.context.save()
      #expect(recorder.take() == [])
      #expect(controller.fetchedObjects == order)
      #expect(controller.indexPath(forObject: book) == IndexPath(row: 1, section: 0))
      #expect(controller.objectID(at: IndexPath(row: 1, section: 0)) === book.objectID)
    }
  }

  @Test func anIdentityObtainedEarlyMovesAmongEqualKeys() throws {
    try track([]) { stack, controller, recorder in
      let first = stack.makeBook("same")
      let second = stack.makeBook("same")
      stack.context.processPendingChanges()
      #expect(controller.fetchedObjects == [first, second])
      _ = recorder.take()
      try stack.context.obtainPermanentIDs(for: [second])
      #expect(recorder.take() == ["move same 0.1 0.0"])
      let fresh = try stack.context.fetch(controller.fetchRequest)
      #expect(controller.fetchedObjects == fresh)
    }
  }

  @Test func withoutADelegateTheListStays() throws {
    try track(["a"]) { stack, controller, recorder in
      controller.delegate = nil
      stack.makeBook("b")
      try stack.context.save()
      #expect(controller.titles == ["a"])
      #expect(recorder.take() == [])
    }
  }

  @Test func theDelegateIsNotKeptAlive() throws {
    try FetchedStack.with { stack in
      let controller = stack.controller()
      controller.delegate = CallRecorder()
      #expect(controller.delegate == nil)
    }
  }

  @Test func undoAndRollbackAreChangesLikeOthers() throws {
    try track(["a", "b", "c"]) { stack, controller, recorder in
      let manager = UndoManager()
      manager.groupsByEvent = false
      stack.context.undoManager = manager
      manager.beginUndoGrouping()
      stack.context.delete(try stack.context.book("b"))
      stack.context.processPendingChanges()
      manager.endUndoGrouping()
      #expect(recorder.take() == ["delete b 0.1 -"])
      manager.undo()
      stack.context.processPendingChanges()
      #expect(recorder.take() == ["insert b - 0.1"])
      manager.beginUndoGrouping()
      try stack.context.book("a").setValue("z", forKey: "title")
      stack.makeBook("d")
      stack.context.processPendingChanges()
      manager.endUndoGrouping()
      _ = recorder.take()
      stack.context.rollback()
      #expect(controller.titles == ["a", "b", "c"])
      #expect(recorder.take() == ["delete d 0.2 -", "move a 0.3 0.0", "update b 0.0 -"])
    }
  }

  @Test func aResetCallsNothingAndTheListIsFetchedAnew() throws {
    try track(["a"]) { stack, controller, recorder in
      stack.makeBook("b")
      stack.context.processPendingChanges()
      _ = recorder.take()
      stack.context.reset()
      #expect(recorder.take() == [])
      try controller.performFetch()
      #expect(controller.titles == ["a"])
      stack.makeBook("c")
      stack.context.processPendingChanges()
      #expect(recorder.take() == ["insert c - 0.1"])
    }
  }

  @Test func refreshingEverythingNeitherInsertsNorDeletes() throws {
    try track(["a", "b"]) { stack, controller, recorder in
      let held = controller.fetchedObjects
      _ = controller.titles
      stack.context.refreshAllObjects()
      #expect(recorder.take() == ["update a 0.0 -", "update b 0.1 -"])
      #expect(held?.count == 2)
    }
  }

  /// As Apple's controller, which keeps the objects itself unless it fetches them in batches.
  @Test(arguments: [0, 20])
  func refreshingEverythingReachesRowsThatNobodyHolds(batchSize: Int) throws {
    try track(["a", "b"]) { stack, controller, recorder in
      try stack.context.save()
      controller.fetchRequest.fetchBatchSize = batchSize
      try controller.performFetch()
      stack.context.refreshAllObjects()
      #expect(recorder.take() == (batchSize == 0 ? ["update a 0.0 -", "update b 0.1 -"] : []))
    }
  }

  @Test func aFetchInsideACallbackNestsTheNextChange() throws {
    try track(["a"]) { stack, controller, recorder in
      recorder.isQuietAboutBounds = false
      var isFirst = true
      recorder.whenDone = { controller in
        guard isFirst else { return }
        isFirst = false
        stack.makeBook("c")
        // The nested fetch is what sets the next change off; its result is of no interest.
        _ = try? stack.context.count(for: controller.fetchRequest)
      }
      stack.makeBook("b")
      stack.context.processPendingChanges()
      #expect(
        recorder.take() == ["will", "insert b - 0.1", "did", "will", "insert c - 0.2", "did"])
    }
  }
}
