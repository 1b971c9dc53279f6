import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

@Suite struct FetchedResultsSectionTests {
  private func track(
    _ books: [(String, String)],
    _ body: (FetchedStack, NSFetchedResultsController<NSManagedObject>, CallRecorder) throws -> Void
  ) throws {
    try FetchedStack.with { stack in
      for (title, group) in books { stack.makeBook(title, group: group) }
      try stack.context.save()
      let controller = stack.controller(["group", "title"], sections: "group")
      let recorder = CallRecorder()
      controller.delegate = recorder
      try controller.performFetch()
      try body(stack, controller, recorder)
    }
  }

  @Test func aNewSectionIsReportedAtItsFinalIndexWithItsObjects() throws {
    try track([("a", "x"), ("b", "z")]) { stack, controller, recorder in
      stack.makeBook("c", group: "y")
      stack.context.processPendingChanges()
      #expect(recorder.take() == ["section insert y 1 (1)", "insert c - 1.0"])
    }
  }

  @Test func anObjectMovesIntoASectionThatIsNew() throws {
    try track([("a", "x"), ("b", "x")]) { stack, controller, recorder in
      try stack.context.book("b").setValue("y", forKey: "group")
      stack.context.processPendingChanges()
      #expect(recorder.take() == ["section insert y 1 (1)", "move b 0.1 1.0"])
    }
  }

  @Test func emptyingTwoSectionsIntoANewOne() throws {
    try track([("a", "x"), ("b", "y"), ("c", "y")]) { stack, controller, recorder in
      for book in try stack.books().values { book.setValue("n", forKey: "group") }
      stack.context.processPendingChanges()
      #expect(
        recorder.take() == [
          "section delete y 1 (0)", "section delete x 0 (0)", "section insert n 0 (3)",
          "move a 0.0 0.0", "move b 1.0 0.1", "move c 1.1 0.2",
        ])
      #expect(controller.outline == ["n: a b c"])
    }
  }

  @Test func theLastObjectTakesItsSectionAlong() throws {
    try track([("a", "x"), ("b", "y")]) { stack, controller, recorder in
      stack.context.delete(try stack.context.book("a"))
      stack.context.processPendingChanges()
      #expect(recorder.take() == ["section delete x 0 (0)", "delete a 0.0 -"])
      #expect(controller.sections?.count == 1)
    }
  }

  @Test func anOnlyMemberThatChangesSectionIsAMoveThoughItsPathStays() throws {
    try track([("a", "x")]) { stack, controller, recorder in
      try stack.context.book("a").setValue("y", forKey: "group")
      stack.context.processPendingChanges()
      #expect(
        recorder.take() == [
          "section delete x 0 (0)", "section insert y 0 (1)", "move a 0.0 0.0",
        ])
    }
  }

  @Test func aSectionWhoseObjectsAreReplacedStays() throws {
    try track([("a", "x"), ("b", "y")]) { stack, controller, recorder in
      stack.context.delete(try stack.context.book("a"))
      stack.makeBook("c", group: "x")
      stack.context.processPendingChanges()
      #expect(recorder.take() == ["delete a 0.0 -", "insert c - 0.0"])
    }
  }

  @Test func aNameThatComesApartJoinsItsNeighbour() throws {
    try FetchedStack.with { stack in
      for (title, group) in [("a", "x"), ("b", "y")] { stack.makeBook(title, group: group) }
      let controller = stack.controller(["title"], sections: "group")
      let recorder = CallRecorder()
      controller.delegate = recorder
      try controller.performFetch()
      stack.makeBook("c", group: "x")
      stack.context.processPendingChanges()
      #expect(recorder.take() == ["insert c - 1.1"])
      #expect(controller.outline == ["x: a", "y: b c"])
    }
  }
}
