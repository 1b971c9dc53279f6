import Foundation
import Testing

@testable import CoreData

/// Random events in a context, saved or not, undone, or merged from elsewhere: the delegate's calls,
/// applied to the old list as a table view does, give the new one, which a fresh fetch gives too.
@Suite struct FetchedResultsReplayTests {
  @Test(arguments: [NSInMemoryStoreType, NSSQLiteStoreType], [1, 2, 3] as [UInt64])
  func callsReplayedOnTheOldListGiveTheNewOne(storeType: String, seed: UInt64) throws {
    try FetchedStack.with(storeType) { stack in
      let run = try Run(stack, seed: seed)
      for step in 0..<100 { try run.step(step) }
    }
  }

  private final class Run {
    let stack: FetchedStack
    let seed: UInt64
    let controllers: [NSFetchedResultsController<NSManagedObject>]
    let replays = [TableReplay(), TableReplay(), TableReplay()]
    let manager = UndoManager()
    var random: SplitMix64
    var nextPlace = 1

    init(_ stack: FetchedStack, seed: UInt64) throws {
      self.stack = stack
      self.seed = seed
      random = SplitMix64(seed: seed)
      let matching = "title != 'x' AND place != nil"
      controllers = [
        stack.controller(["group", "title"], sections: "group", predicate: matching),
        stack.controller(["-group", "note", "-title"], sections: "group", predicate: matching),
        stack.controller(["title", "-group"], predicate: matching),
      ]
      manager.groupsByEvent = false
      stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      stack.context.undoManager = manager
      stack.context.propagatesDeletesAtEndOfEvent = true
      manager.beginUndoGrouping()
      for _ in 0..<30 { change(stack.context, "insert") }
      try save()
      manager.endUndoGrouping()
      for (controller, replay) in zip(controllers, replays) {
        controller.fetchRequest.fetchBatchSize = Int.random(in: 0...7, using: &random)
        controller.delegate = replay
        try controller.performFetch()
        replay.reload(controller)
      }
    }

    func step(_ step: Int) throws {
      let kind = Int.random(in: 0..<10, using: &random)
      switch kind {
      case 0..<5: group { for _ in 0..<Int.random(in: 1...8, using: &random) { change() } }
      case 5: try save()
      case 6: try elsewhere()
      case 7: if manager.canUndo { manager.undo() }
      case 8: if manager.canRedo { manager.redo() }
      default:
        let new = Array(stack.context.insertedObjects).filter { $0.bookPlace % 2 == 0 }
        try stack.context.obtainPermanentIDs(for: new.sorted { $0.bookPlace < $1.bookPlace })
      }
      stack.context.processPendingChanges()
      try expectSame("seed \(seed), step \(step), kind \(kind)")
    }

    private func group(_ body: () -> Void) {
      manager.beginUndoGrouping()
      body()
      stack.context.processPendingChanges()
      manager.endUndoGrouping()
    }

    private func save() throws {
      try stack.context.save()
    }

    // MARK: - Changes

    private func change() { change(stack.context, nil) }

    private func change(_ context: NSManagedObjectContext, _ kind: String?) {
      let known = context.registeredObjects.filter {
        !$0.isDeleted && $0.entity.name != "Shelf" && $0.value(forKey: "place") != nil
      }.sorted { $0.bookPlace < $1.bookPlace }
      let kinds = ["insert", "insert", "delete", "title", "title", "group", "group", "note"]
      let kind = kind ?? kinds.randomElement(using: &random)!
      guard kind != "insert", let book = known.randomElement(using: &random) else {
        let isAtlas = Int.random(in: 0..<4, using: &random) == 0
        context.makeBook(
          randomTitle(), group: randomGroup(), place: nextPlace,
          entity: isAtlas ? "Atlas" : "Book")
        nextPlace += 1
        return
      }
      switch kind {
      case "delete": context.delete(book)
      case "title": book.setValue(randomTitle(), forKey: "title")
      case "group": book.setValue(randomGroup(), forKey: "group")
      default: book.setValue(["m", "n", nil].randomElement(using: &random)!, forKey: "note")
      }
    }

    private func randomTitle() -> String { ["a", "b", "c", "x"].randomElement(using: &random)! }

    private func randomGroup() -> String? {
      ["p", "q", "r", "s", nil].randomElement(using: &random)!
    }

    private func elsewhere() throws {
      try save()
      let isMerged = Int.random(in: 0..<3, using: &random) > 0
      try stack.elsewhere(merging: isMerged) { context in
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        let held = try context.fetch(request)
        for _ in 0..<Int.random(in: 1...6, using: &random) { change(context, nil) }
        withExtendedLifetime(held) {}
      }
      // What was not merged is seen by a fresh fetch alone, so the list is fetched anew too.
      if !isMerged { try refetch() }
    }

    private func refetch() throws {
      stack.context.refreshAllObjects()
      for (controller, replay) in zip(controllers, replays) {
        try controller.performFetch()
        replay.reload(controller)
      }
    }

    // MARK: - Comparing

    private func expectSame(_ comment: String) throws {
      for (controller, replay) in zip(controllers, replays) {
        let state = TableReplay.state(of: controller)
        let fresh = try fresh(controller)
        #expect(state == fresh, "\(comment)")
        #expect(replay.sections == state, "\(comment)")
        #expect(replay.complaints == [], "\(comment)")
      }
    }

    private func fresh(
      _ controller: NSFetchedResultsController<NSManagedObject>
    ) throws -> [TableReplay.Section] {
      let books = try stack.context.fetch(controller.fetchRequest)
      guard controller.sectionNameKeyPath != nil else {
        return [.init(name: "", places: books.map(\.bookPlace))]
      }
      var sections: [TableReplay.Section] = []
      for book in books {
        let name = book.value(forKey: "group") as? String ?? ""
        if sections.last?.name != name { sections.append(.init(name: name, places: [])) }
        sections[sections.count - 1].places.append(book.bookPlace)
      }
      return sections
    }
  }
}
