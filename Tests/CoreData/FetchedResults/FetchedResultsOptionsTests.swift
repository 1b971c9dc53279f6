import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// What a controller does beyond Apple's class, when it is asked to.
@Suite struct FetchedResultsOptionsTests {
  // MARK: - Related objects

  private func watching(
    _ storeType: String, sections: String? = nil, predicate: String? = nil,
    _ body: (FetchedStack, BookController, CallRecorder) throws -> Void
  ) throws {
    try FetchedStack.with(storeType) { stack in
      for (shelf, titles) in [("north", ["a", "b"]), ("south", ["c"])] {
        _ = stack.makeShelf(shelf, titles.map { stack.makeBook($0) })
      }
      stack.makeBook("d")
      try stack.context.save()
      let controller = stack.controller(
        ["shelf.name", "title"], sections: sections, predicate: predicate)
      let recorder = CallRecorder()
      controller.delegate = recorder
      controller.watchedKeyPaths = ["shelf.name"]
      try controller.performFetch()
      try body(stack, controller, recorder)
    }
  }

  private func shelf(_ name: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Shelf")
    request.predicate = NSPredicate(format: "name == %@", name)
    return try #require(try context.fetch(request).first)
  }

  @Test(arguments: [NSInMemoryStoreType, NSSQLiteStoreType])
  func aWatchedChangeMovesTheRowsThatLeadToIt(storeType: String) throws {
    try watching(storeType) { stack, controller, recorder in
      #expect(controller.titles == ["d", "a", "b", "c"])
      let north = try shelf("north", stack.context)
      north.setValue("west", forKey: "name")
      stack.context.processPendingChanges()
      #expect(recorder.take() == ["move a 0.1 0.2", "move b 0.2 0.3"])
      #expect(controller.titles == ["d", "c", "a", "b"])
      try stack.context.save()
      stack.context.rollback()
      #expect(recorder.take() == [])
    }
  }

  @Test func aWatchedChangeMovesRowsToOtherSections() throws {
    try watching(NSSQLiteStoreType, sections: "shelf.name") { stack, controller, recorder in
      try shelf("north", stack.context).setValue("south", forKey: "name")
      stack.context.processPendingChanges()
      #expect(controller.outline == [": d", "south: a b c"])
    }
  }

  @Test func aWatchedChangeLetsRowsEnterAndLeave() throws {
    try watching(NSSQLiteStoreType, predicate: "shelf.name == 'south'") {
      stack, controller, recorder in
      let north = try shelf("north", stack.context)
      north.setValue("south", forKey: "name")
      stack.context.processPendingChanges()
      #expect(recorder.take() == ["insert a - 0.0", "insert b - 0.1"])
      north.setValue("east", forKey: "name")
      stack.context.processPendingChanges()
      #expect(recorder.take() == ["delete b 0.1 -", "delete a 0.0 -"])
    }
  }

  @Test func aWatchedChangeElsewhereArrivesWithTheMerge() throws {
    try watching(NSSQLiteStoreType) { stack, controller, recorder in
      stack.context.reset()
      try controller.performFetch()
      try stack.elsewhere { context in
        try shelf("north", context).setValue("west", forKey: "name")
      }
      #expect(recorder.take() == ["move a 0.1 0.2", "move b 0.2 0.3"])
    }
  }

  @Test func aChangeThatThePathDoesNotTakeIsNone() throws {
    try watching(NSInMemoryStoreType) { stack, controller, recorder in
      let north = try shelf("north", stack.context)
      let book = stack.makeBook("e")
      book.setValue(north, forKey: "shelf")
      stack.context.processPendingChanges()
      #expect(recorder.take() == ["insert e - 0.3"])
    }
  }

  @Test func aWatchedPathMustLeadThroughARelationship() throws {
    try FetchedStack.with { stack in
      let controller = stack.controller()
      controller.watchedKeyPaths = ["title"]
      let error = #expect(throws: NSError.self) { try controller.performFetch() }
      #expect(error?.code == 134060)
    }
  }

  // MARK: - A limit that holds

  @Test(arguments: [NSInMemoryStoreType, NSSQLiteStoreType])
  func aHeldLimitPushesOutAndMovesUp(storeType: String) throws {
    try FetchedStack.tracking(
      ["b", "d", "f", "h"], in: storeType,
      setUp: { controller in
        controller.fetchRequest.fetchLimit = 3
        controller.keepsFetchLimit = true
      }
    ) { stack, controller, recorder in
      #expect(controller.titles == ["b", "d", "f"])
      let new = stack.makeBook("c")
      stack.context.processPendingChanges()
      #expect(recorder.take() == ["delete f 0.2 -", "insert c - 0.1"])
      try stack.context.save()
      stack.context.delete(new)
      stack.context.delete(try stack.context.book("b"))
      stack.context.processPendingChanges()
      #expect(controller.titles == ["d", "f", "h"])
      recorder.isQuietAboutBounds = false
      _ = recorder.take()
      stack.makeBook("z")
      stack.context.processPendingChanges()
      #expect(recorder.take() == [])
    }
  }

  @Test func aHeldLimitCountsFromItsOffset() throws {
    try FetchedStack.tracking(
      ["b", "d", "f", "h"],
      setUp: { controller in
        controller.fetchRequest.fetchOffset = 1
        controller.fetchRequest.fetchLimit = 2
        controller.keepsFetchLimit = true
      }
    ) { stack, controller, recorder in
      stack.makeBook("a")
      stack.context.processPendingChanges()
      #expect(controller.titles == ["b", "d"])
      #expect(recorder.take() == ["delete f 0.1 -", "insert b - 0.0"])
    }
  }

  // MARK: - Another question

  @Test func anotherPredicateIsToldAsADifference() throws {
    try FetchedStack.tracking(["a", "b", "c"]) { stack, controller, recorder in
      controller.fetchRequest.predicate = NSPredicate(format: "title != 'b'")
      try controller.refetch()
      #expect(recorder.take() == ["delete b 0.1 -"])
      controller.fetchRequest.predicate = nil
      try controller.refetch()
      #expect(recorder.take() == ["insert b - 0.1"])
      recorder.isQuietAboutBounds = false
      try controller.refetch()
      #expect(recorder.take() == [])
    }
  }

  @Test func anotherOrderIsToldAsTheFewestMoves() throws {
    try FetchedStack.tracking(
      ["a/x", "b/y", "c/y"], by: ["group", "title"], sections: "group"
    ) { stack, controller, recorder in
      controller.fetchRequest.sortDescriptors = [
        NSSortDescriptor(key: "group", ascending: true),
        NSSortDescriptor(key: "title", ascending: false),
      ]
      try controller.refetch()
      #expect(recorder.take() == ["move b 1.0 1.1"])
      controller.fetchRequest.sortDescriptors = [
        NSSortDescriptor(key: "group", ascending: false)
      ]
      try controller.refetch()
      #expect(controller.sections?.map(\.name) == ["y", "x"])
      #expect(recorder.take().filter { $0.hasPrefix("section") }.count == 2)
    }
  }

  @Test func aFetchAfterAResetIsToldAsADifference() throws {
    try FetchedStack.tracking(["a", "b"]) { stack, controller, recorder in
      stack.makeBook("c")
      stack.context.processPendingChanges()
      try stack.elsewhere(merging: false) { context in context.makeBook("d") }
      stack.context.reset()
      _ = recorder.take()
      try controller.refetch()
      #expect(recorder.take() == ["delete - 0.2 -", "insert d - 0.2"])
    }
  }

  // MARK: - Moves and differences

  @Test func aMoveIntoANewSectionIsADeletionAndAnInsertion() throws {
    try FetchedStack.tracking(
      ["a/x", "b/x", "c/y"], by: ["group", "title"], sections: "group",
      setUp: { $0.splitsSectionMoves = true }
    ) { stack, controller, recorder in
      let books = try stack.books()
      books["b"]!.setValue("z", forKey: "group")
      books["c"]!.setValue("x", forKey: "group")
      stack.context.processPendingChanges()
      #expect(
        recorder.take() == [
          "section delete y 1 (0)", "section insert z 1 (1)", "delete c 1.0 -", "delete b 0.1 -",
          "insert c - 0.1", "insert b - 1.0",
        ])
    }
  }

  @Test func differencesComeWithoutADelegate() async throws {
    let stack = try FetchedStack(NSSQLiteStoreType)
    // Sound: used on the context's queue alone.
    nonisolated(unsafe) var controller: BookController? = stack.controller(
      ["group", "title"], sections: "group")
    let differences = try stack.context.performAndWait {
      stack.makeBook("a", group: "x")
      let book = stack.makeBook("b", group: "x")
      try controller?.performFetch()
      let differences = try #require(controller?.differences())
      book.setValue("y", forKey: "group")
      stack.makeBook("c", group: "y")
      try stack.context.save()
      controller?.fetchRequest.predicate = NSPredicate(format: "group == 'x'")
      try controller?.performFetch()
      controller = nil
      return differences
    }
    var all: [FetchedResultsDifference] = []
    for await difference in differences { all.append(difference) }
    #expect(all.count == 2)
    #expect(all[0].insertedSections == [.init(index: 1, name: "y")])
    #expect(all[0].insertions.map(\.indexPath) == [IndexPath(row: 1, section: 1)])
    #expect(all[0].moves.map(\.source) == [IndexPath(row: 1, section: 0)])
    #expect(all[0].moves.map(\.destination) == [IndexPath(row: 0, section: 1)])
    #expect(all[1].deletedSections == [.init(index: 1, name: "y")])
    #expect(all[1].deletions.count == 2)
  }

  @Test func whoStopsReadingDifferencesStopsTheTracking() async throws {
    let stack = try FetchedStack(NSInMemoryStoreType)
    // Sound: used on the context's queue alone.
    nonisolated(unsafe) let controller = stack.controller()
    let reading = try await stack.context.perform {
      try controller.performFetch()
      let differences = controller.differences()
      return Task { for await _ in differences {} }
    }
    #expect(controller.engine.isTracking)
    reading.cancel()
    await reading.value
    #expect(!controller.engine.isTracking)
  }
}
