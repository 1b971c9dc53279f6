import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

@Suite struct FetchedResultsMergingTests {
  private func track(
    _ titles: [String], predicate: String? = nil,
    _ body: (FetchedStack, NSFetchedResultsController<NSManagedObject>, CallRecorder) throws -> Void
  ) throws {
    try FetchedStack.with(NSSQLiteStoreType) { stack in
      try stack.elsewhere(merging: false) { context in
        for title in titles { context.makeBook(title) }
      }
      let controller = stack.controller(predicate: predicate)
      let recorder = CallRecorder()
      controller.delegate = recorder
      try controller.performFetch()
      try body(stack, controller, recorder)
    }
  }

  @Test func insertionsAndDeletionsElsewhereArrive() throws {
    try track(["a", "b"]) { stack, controller, recorder in
      let held = controller.fetchedObjects
      try stack.elsewhere { context in
        context.delete(try context.book("a"))
        context.makeBook("c")
      }
      #expect(recorder.take() == ["delete a 0.0 -", "insert c - 0.1"])
      #expect(held?.count == 2)
    }
  }

  @Test func deletionsOfObjectsThatNobodyHoldsArriveToo() throws {
    try track(["a", "b", "c"]) { stack, controller, recorder in
      try stack.elsewhere { context in context.delete(try context.book("b")) }
      #expect(recorder.take().count == 1)
      #expect(controller.titles == ["a", "c"])
      #expect(!stack.context.hasChanges)
    }
  }

  @Test func updatesElsewhereAreUpdatesOrMoves() throws {
    try track(["a", "b", "c"]) { stack, controller, recorder in
      let held = controller.fetchedObjects
      _ = controller.titles
      try stack.elsewhere { context in
        try context.book("a").setValue("n", forKey: "note")
        try context.book("b").setValue("z", forKey: "title")
      }
      #expect(recorder.take() == ["move z 0.1 0.2", "update a 0.0 -"])
      #expect(held?.count == 3)
    }
  }

  @Test func anObjectThatIsNotRegisteredStartsToMatch() throws {
    try track(["a", "z"], predicate: "title < 'm'") { stack, controller, recorder in
      #expect(controller.titles == ["a"])
      try stack.elsewhere { context in
        try context.book("z").setValue("b", forKey: "title")
      }
      #expect(recorder.take() == ["insert b - 0.1"])
    }
  }

  /// One object, or a long run of them, which came in one by one.
  @Test(arguments: [1, 40], [false, true])
  func placesFoundAmongNewerRowsAreCorrectedByTheMerge(count: Int, areDeleted: Bool) throws {
    let titles = (10..<80).map { "\($0)" }
    try track(titles) { stack, controller, recorder in
      try stack.elsewhere(merging: false) { context in
        for title in 20..<60 {
          try context.book("\(title)").setValue("9\(title)", forKey: "title")
        }
      }
      for number in 0..<count {
        stack.makeBook("61x\(number)")
        stack.context.processPendingChanges()
      }
      try stack.elsewhere { context in
        for title in 20..<60 {
          let book = try context.book("9\(title)")
          if areDeleted {
            context.delete(book)
          } else {
            book.setValue("8\(title)", forKey: "title")
          }
        }
      }
      #expect(controller.titles.count == (areDeleted ? 30 : 70) + count)
      #expect(controller.titles == controller.titles.sorted())
    }
  }
}
