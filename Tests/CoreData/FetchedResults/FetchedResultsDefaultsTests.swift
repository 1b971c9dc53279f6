import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// What users of Apple's class complain about: mended, or as it is documented.
@Suite struct FetchedResultsDefaultsTests {
  @Test func sectionsStandInTheOrderOfAnotherSortKey() throws {
    try FetchedStack.with { stack in
      for (place, group) in ["west", "east", "north"].enumerated() {
        stack.makeBook("b", group: group, place: place)
      }
      let controller = stack.controller(["place", "group"], sections: "group")
      try controller.performFetch()
      #expect(controller.sections?.map(\.name) == ["west", "east", "north"])
    }
  }

  @Test func aChildsSectionsAreRightWhileTheParentHasUnsavedChanges() throws {
    try FetchedStack.with { stack in
      stack.makeBook("a", group: "x")
      let moved = stack.makeBook("b", group: "x")
      try stack.context.save()
      moved.setValue("y", forKey: "group")
      stack.makeBook("c", group: "x")
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = stack.context
      try child.performAndWait {
        let controller = NSFetchedResultsController(
          fetchRequest: stack.request(["group", "title"]), managedObjectContext: child,
          sectionNameKeyPath: "group", cacheName: nil)
        try controller.performFetch()
        #expect(controller.outline == ["x: a c", "y: b"])
      }
    }
  }

  @Test func renumberedOrdinalsAreUpdatesAndNotMoves() throws {
    try FetchedStack.with { stack in
      let books = (0..<5).map { (place: Int) in stack.makeBook("\(place)", place: place) }
      try stack.context.save()
      let controller = stack.controller(["place"])
      let recorder = CallRecorder()
      controller.delegate = recorder
      try controller.performFetch()
      // The last one is dragged to the top, and all are numbered anew.
      for (place, book) in ([books[4]] + books[0..<4]).enumerated() {
        book.setValue(place, forKey: "place")
      }
      stack.context.processPendingChanges()
      #expect(
        recorder.take() == [
          "move 4 0.4 0.0", "update 0 0.0 -", "update 1 0.1 -", "update 2 0.2 -",
          "update 3 0.3 -",
        ])
    }
  }

  @Test func anObjectIsToldOfOnce() throws {
    try FetchedStack.tracking(["a", "b", "c"]) { stack, controller, recorder in
      let book = try stack.context.book("a")
      for title in ["z", "y", "bb"] { book.setValue(title, forKey: "title") }
      book.setValue("n", forKey: "note")
      stack.context.processPendingChanges()
      #expect(recorder.take() == ["move bb 0.0 0.1"])
    }
  }

  @Test func editsOfAnUnsavedObjectAreSeen() throws {
    try FetchedStack.tracking(["b"]) { stack, controller, recorder in
      let book = stack.makeBook("a")
      stack.context.processPendingChanges()
      book.setValue("c", forKey: "title")
      stack.context.processPendingChanges()
      #expect(recorder.take() == ["insert a - 0.0", "move c 0.0 0.1"])
    }
  }

  @Test func anInsertedAndDeletedObjectIsNoChange() throws {
    try FetchedStack.tracking(["b"]) { stack, controller, recorder in
      recorder.isQuietAboutBounds = false
      stack.context.delete(stack.makeBook("a"))
      stack.context.processPendingChanges()
      #expect(recorder.take() == [])
    }
  }

  @Test func aRelatedObjectsChangeAloneDoesNotTouchTheRow() throws {
    try FetchedStack.with { stack in
      let shelf = stack.makeShelf("north", [stack.makeBook("a")])
      try stack.context.save()
      let controller = stack.controller(["shelf.name"])
      let recorder = CallRecorder()
      recorder.isQuietAboutBounds = false
      controller.delegate = recorder
      try controller.performFetch()
      shelf.setValue("south", forKey: "name")
      stack.context.processPendingChanges()
      #expect(recorder.take() == [])
    }
  }

  @Test func theFetchLimitCountsForTheFetchAlone() throws {
    try FetchedStack.tracking(
      ["b", "c", "d"], setUp: { $0.fetchRequest.fetchLimit = 2 }
    ) { stack, controller, recorder in
      stack.makeBook("a")
      stack.context.processPendingChanges()
      #expect(controller.titles == ["a", "b", "c"])
    }
  }

  @Test func oneControllerOverACommonParentEntityHasAllOfItsKinds() throws {
    try FetchedStack.tracking(["a"]) { stack, controller, recorder in
      stack.makeBook("b", entity: "Atlas")
      stack.context.processPendingChanges()
      let kinds = (controller.fetchedObjects ?? []).map { $0.entity.name ?? "" }
      #expect(kinds == ["Book", "Atlas"])
    }
  }

  @Test func aRemovedStoreCallsNothingAndLeavesTheNextFetchEmpty() throws {
    try FetchedStack.tracking(["a", "b"]) { stack, controller, recorder in
      try stack.coordinator.remove(stack.coordinator.persistentStores[0])
      stack.context.reset()
      #expect(recorder.take() == [])
      #expect(controller.sections?[0].numberOfObjects == 2)
      try stack.coordinator.addPersistentStore(
        ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
      try controller.performFetch()
      #expect(controller.titles == [] && recorder.take() == [])
    }
  }

  @Test func inAPrivateContextChangesShowAtTheEndOfABlock() async throws {
    let stack = try FetchedStack(NSInMemoryStoreType)
    // Sound: used on the context's queue alone.
    nonisolated(unsafe) let controller = stack.controller()
    nonisolated(unsafe) let recorder = CallRecorder()
    try await stack.context.perform {
      controller.delegate = recorder
      try controller.performFetch()
    }
    await stack.context.perform { _ = stack.makeBook("a") }
    stack.context.performAndWait {
      #expect(recorder.take() == ["insert a - 0.0"])
      stack.makeBook("b")
    }
    // Waiting for a block does not end its event, as on Apple's systems.
    #expect(recorder.take() == [])
    stack.context.performAndWait {
      stack.context.processPendingChanges()
      #expect(recorder.take() == ["insert b - 0.1"])
    }
  }

  @Test func rowsAreReadInBatchesAsTheyAreLookedAt() throws {
    try FetchedStack.with(NSSQLiteStoreType) { stack in
      for index in 100..<200 { stack.makeBook("\(index)") }
      try stack.context.save()
      stack.context.reset()
      let controller = stack.controller()
      controller.fetchRequest.fetchBatchSize = 20
      try controller.performFetch()
      #expect(stack.context.registeredObjects.isEmpty)
      #expect(controller.object(at: IndexPath(row: 25, section: 0)).bookTitle == "125")
      let read = stack.context.registeredObjects.map(\.bookTitle).sorted()
      #expect(read == (120..<140).map(String.init))
    }
  }
}
