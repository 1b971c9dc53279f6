import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// What stops the program, what is an error, and what is written to the log, with the exact texts.
@Suite struct FetchedResultsMisuseTests {
  private final class ShelfListController: NSFetchedResultsController<NSManagedObject> {}

  @Test func theTrapNamesTheSubclass() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try FetchedStack.with { stack in
        _ = ShelfListController(
          fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Book"),
          managedObjectContext: stack.context, sectionNameKeyPath: nil, cacheName: nil)
      }
    }
    expectComplaint(
      "An instance of ShelfListController requires a fetch request with sort descriptors",
      of: result)
  }

  @Test func aSectionThatIsNotThereTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try FetchedStack.tracking(["a"]) { _, controller, _ in
        _ = controller.object(at: IndexPath(row: 0, section: 7))
      }
    }
    expectComplaint("no section at index 7", of: result)
  }

  @Test func askingForAnObjectBeforeTheFirstFetchTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try FetchedStack.with { stack in
        _ = stack.controller().object(at: IndexPath(row: 0, section: 0))
      }
    }
    expectComplaint("performFetch has not been called", of: result)
  }

  @Test func anIndexTitleThatIsNotThereTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try FetchedStack.tracking(["a/x"], by: ["group"], sections: "group") { _, controller, _ in
        _ = controller.section(forSectionIndexTitle: "Q", at: 0)
      }
    }
    expectComplaint("Index title at 0 is not equal to 'Q'", of: result)
  }

  @Test func anOutOfOrderSectionIsLoggedToo() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      try FetchedStack.with { stack in
        for book in ["a/x", "b/y", "c/x"] { stack.makeBook(described: book) }
        let controller = stack.controller(["title"], sections: "group")
        #expect(throws: NSError.self) { try controller.performFetch() }
      }
    }
    expectComplaint(
      "CoreData: error: (NSFetchedResultsController) The fetched object at index 2 has an out of "
        + "order section name 'x. Objects must be sorted by section name'", of: result)
  }

  @Test func aSectionNameOfNilIsLogged() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      try FetchedStack.tracking(["a"], by: ["group"], sections: "group") { _, controller, _ in
        #expect(controller.sections?.map(\.name) == [""])
      }
    }
    expectComplaint(
      "CoreData: error: (NSFetchedResultsController) A section returned nil value for section name "
        + "key path 'group'. Objects will be placed in unnamed section", of: result)
  }

  @Test func anObjectThatMayNotBeThereCanBeAskedFor() throws {
    try FetchedStack.tracking(["a", "b"]) { stack, controller, _ in
      let paths = [(0, 1), (0, 2), (1, 0), (0, -1), (-1, 0)].map {
        IndexPath(row: $0.1, section: $0.0)
      }
      let found = paths.map { controller.existingObject(at: $0)?.bookTitle }
      #expect(found == ["b", nil, nil, nil, nil])
      #expect(stack.controller().existingObject(at: IndexPath(row: 0, section: 0)) == nil)
    }
  }

  @Test(arguments: ["title.", "nothing.name"])
  func aSortKeyThatIsNotThereIsAnErrorOfTheFetch(key: String) throws {
    try FetchedStack.with(NSSQLiteStoreType) { stack in
      #expect(throws: (any Error).self) { try stack.controller([key]).performFetch() }
    }
  }

  @Test func identitiesAndDictionariesAreAnErrorThatSaysSo() throws {
    try FetchedStack.with { stack in
      let controller = stack.controller()
      controller.fetchRequest.resultType = .managedObjectIDResultType
      #expect(throws: (any Error).self) { try controller.performFetch() }
    }
  }
}
