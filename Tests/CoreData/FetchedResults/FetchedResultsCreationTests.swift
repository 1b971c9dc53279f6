import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

@Suite struct FetchedResultsCreationTests {
  @Test func nothingIsThereBeforeTheFirstFetch() throws {
    try FetchedStack.with { stack in
      let controller = stack.controller()
      #expect(controller.fetchedObjects == nil)
      #expect(controller.sections == nil)
    }
  }

  @Test func withoutASectionKeyPathThereIsOneSection() throws {
    try FetchedStack.with { stack in
      let controller = stack.controller()
      try controller.performFetch()
      #expect(controller.sections?.count == 1)
      #expect(controller.sections?[0].numberOfObjects == 0)
      stack.makeBook("b")
      stack.makeBook("a")
      try controller.performFetch()
      #expect(controller.outline == [": a b"])
      #expect(controller.object(at: IndexPath(row: 1, section: 0)).bookTitle == "b")
    }
  }

  @Test func anEmptyArrayOfSortDescriptorsIsAccepted() throws {
    try FetchedStack.with { stack in
      let controller = stack.controller([])
      let recorder = CallRecorder()
      controller.delegate = recorder
      try controller.performFetch()
      stack.makeBook("b")
      try stack.context.save()
      #expect(recorder.take() == ["insert b - 0.0"])
    }
  }

  @Test func aRequestWithoutSortDescriptorsTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try FetchedStack.with { stack in
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        _ = NSFetchedResultsController(
          fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: nil,
          cacheName: nil)
      }
    }
    expectComplaint(
      "An instance of NSFetchedResultsController requires a fetch request with sort descriptors",
      of: result)
  }

  @Test func aPathWithoutAnObjectTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try FetchedStack.with { stack in
        let controller = stack.controller()
        try controller.performFetch()
        _ = controller.object(at: IndexPath(row: 30, section: 0))
      }
    }
    expectComplaint("no object at index 30 in section at index 0", of: result)
  }

  @Test func sectionsFollowTheOrderOfTheObjects() throws {
    try FetchedStack.with { stack in
      for (title, group) in [("a", "x"), ("b", "y"), ("c", "x")] {
        stack.makeBook(title, group: group)
      }
      let controller = stack.controller(["-group", "title"], sections: "group")
      try controller.performFetch()
      #expect(controller.outline == ["y: b", "x: a c"])
    }
  }

  @Test func aLongListIsCutIntoTheSameSections() throws {
    try FetchedStack.with { stack in
      for index in 0..<1_000 {
        stack.makeBook("\(index)", group: "\(index * index % 37 / 5)", place: index)
      }
      let controller = stack.controller(["group", "place"], sections: "group")
      try controller.performFetch()
      let counts = (controller.sections ?? []).map { "\($0.name) \($0.numberOfObjects)" }
      let expected = Dictionary(grouping: 0..<1_000) { "\($0 * $0 % 37 / 5)" }
        .map { "\($0) \($1.count)" }
      #expect(counts == expected.sorted())
    }
  }

  @Test func anOutOfOrderSectionIsAnErrorOfTheFetch() throws {
    try FetchedStack.with { stack in
      for (title, group) in [("a", "x"), ("b", "Middle Group"), ("c", "x")] {
        stack.makeBook(title, group: group)
      }
      let controller = stack.controller(["title"], sections: "group")
      let error = #expect(throws: NSError.self) { try controller.performFetch() }
      #expect(error?.domain == NSCocoaErrorDomain && error?.code == 134060)
      #expect(error?.localizedDescription == "A Core Data error occurred.")
      let reason =
        "The fetched object at index 2 has an out of order section name 'x. "
        + "Objects must be sorted by section name'"
      #expect(error?.userInfo["reason"] as? String == reason)
    }
  }

  @Test func objectsWithoutASectionValueAreInAnUnnamedSection() throws {
    try FetchedStack.with { stack in
      stack.makeBook("a")
      stack.makeBook("b", group: "x")
      let controller = stack.controller(["group"], sections: "group")
      try controller.performFetch()
      #expect(controller.outline == [": a", "x: b"])
    }
  }

  @Test func aNumberNamesItsSectionByItsDescription() throws {
    try FetchedStack.with { stack in
      for place in [1, 0, 1] { stack.makeBook("b\(place)", place: place) }
      let controller = stack.controller(["place"], sections: "place")
      try controller.performFetch()
      #expect(controller.outline == ["0: b0", "1: b1 b1"])
    }
  }

  @Test func aSectionKeyPathMayGoThroughARelationship() throws {
    try FetchedStack.with { stack in
      let model = stack.coordinator.managedObjectModel
      for name in ["north", "south"] {
        let shelf = NSManagedObject(
          entity: model.entitiesByName["Shelf"]!, insertInto: stack.context)
        shelf.setValue(name, forKey: "name")
        stack.makeBook("of \(name)").setValue(shelf, forKey: "shelf")
      }
      try stack.context.save()
      let controller = stack.controller(["shelf.name"], sections: "shelf.name")
      try controller.performFetch()
      #expect(controller.outline == ["north: of north", "south: of south"])
    }
  }

  @Test func indexTitlesAreFirstLettersAndLeadToTheirSections() throws {
    try FetchedStack.with { stack in
      for group in ["apple", "avocado", "banana"] { stack.makeBook("b", group: group) }
      let controller = stack.controller(["group"], sections: "group")
      try controller.performFetch()
      #expect(controller.sectionIndexTitles == ["A", "B"])
      #expect(controller.section(forSectionIndexTitle: "B", at: 1) == 2)
      #expect(controller.sections?[1].indexTitle == "A")
    }
  }

  @Test func fetchLimitAndOffsetHoldAtTheFetch() throws {
    try FetchedStack.with { stack in
      for title in ["a", "b", "c", "d"] { stack.makeBook(title) }
      try stack.context.save()
      let request = stack.request()
      request.fetchLimit = 2
      request.fetchOffset = 1
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: nil,
        cacheName: "a name")
      #expect(controller.cacheName == "a name")
      try controller.performFetch()
      #expect(controller.titles == ["b", "c"])
    }
  }

  @Test func subentitiesBelongToTheList() throws {
    try FetchedStack.with { stack in
      stack.makeBook("b")
      stack.makeBook("a", entity: "Atlas")
      let controller = stack.controller()
      let recorder = CallRecorder()
      controller.delegate = recorder
      try controller.performFetch()
      stack.makeBook("c", entity: "Atlas")
      stack.context.processPendingChanges()
      #expect(controller.titles == ["a", "b", "c"])
      #expect(recorder.take() == ["insert c - 0.2"])
      controller.fetchRequest.includesSubentities = false
      try controller.performFetch()
      #expect(controller.titles == ["b"])
    }
  }

  @Test func anObjectThatIsNotInTheListHasNoPath() throws {
    try FetchedStack.with { stack in
      let book = stack.makeBook("a")
      let other = stack.makeBook("z")
      let controller = stack.controller(predicate: "title < 'm'")
      try controller.performFetch()
      #expect(controller.indexPath(forObject: book) == IndexPath(row: 0, section: 0))
      #expect(controller.indexPath(forObject: other) == nil)
    }
  }
}
