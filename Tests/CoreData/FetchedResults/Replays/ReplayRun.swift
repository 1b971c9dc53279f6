import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// One context with several lists through random events.
final class ReplayRun {
  let stack: FetchedStack
  private(set) var lists: [ReplayedController] = []
  private(set) var events = 0
  private(set) var hasFailed = false
  private let seed: UInt64
  private let manager = UndoManager()
  private var library: RandomLibrary

  var batches: Int { lists.reduce(0) { $0 + $1.follower.batches } }

  init(_ stack: FetchedStack, seed: UInt64) throws {
    self.stack = stack
    self.seed = seed
    library = RandomLibrary(seed: seed)
    manager.groupsByEvent = false
    stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    stack.context.undoManager = manager
    stack.context.propagatesDeletesAtEndOfEvent = true
    manager.beginUndoGrouping()
    for name in ["north", "south", "west"] { _ = stack.makeShelf(name) }
    for _ in 0..<30 { library.insert(stack.context) }
    try stack.context.save()
    manager.endUndoGrouping()
    lists = ReplayedController.all(stack, seed: seed)
    for list in lists {
      list.controller.fetchRequest.fetchBatchSize = Int.random(in: 1...100, using: &library.random)
      try list.fetch()
    }
  }

  func step() throws {
    events += 1
    // Now and then the keys are there before anything else happens, mostly they come in between.
    if library.number(3) == 1 { NumberTable.Filling.queue.sync {} }
    let kind = Int.random(in: 0..<11, using: &library.random)
    for list in lists { list.follower.expectBatch(ofFetch: false) }
    switch kind {
    case 0..<5: group { for _ in 0..<library.number(8) { library.change(stack.context) } }
    case 5: try stack.context.save()
    case 6: try elsewhere()
    case 7: if manager.canUndo { manager.undo() }
    case 8: if manager.canRedo { manager.redo() }
    case 9: try obtainSomePermanentIDs()
    default: for list in lists { try list.askAnew(&library.random) }
    }
    stack.context.processPendingChanges()
    try expectSame("seed \(seed), event \(events), kind \(kind)")
  }

  private func group(_ body: () -> Void) {
    manager.beginUndoGrouping()
    body()
    stack.context.processPendingChanges()
    manager.endUndoGrouping()
  }

  private func obtainSomePermanentIDs() throws {
    let new = stack.context.insertedObjects.filter { $0.bookPlace % 2 == 0 }
    try stack.context.obtainPermanentIDs(for: new.sorted { $0.bookPlace < $1.bookPlace })
  }

  private func elsewhere() throws {
    try stack.context.save()
    let isMerged = library.number(3) > 1
    try stack.elsewhere(merging: isMerged) { context in
      let held = ["Book", "Shelf"].map { NSFetchRequest<NSManagedObject>(entityName: $0) }
        .map { try? context.fetch($0) }
      // An object that is gone elsewhere and edited here is a conflict of the save, not of lists.
      for _ in 0..<library.number(6) { library.change(context, mayDelete: isMerged) }
      withExtendedLifetime(held) {}
    }
    guard !isMerged else { return }
    // What was not merged is seen by a fresh fetch alone, so the lists are fetched anew too.
    stack.context.refreshAllObjects()
    for list in lists { try list.fetch() }
  }

  private func expectSame(_ comment: String) throws {
    for (index, list) in lists.enumerated() {
      let held = list.controller.shown
      let fresh = try list.fresh(stack.context)
      let shown = list.follower.shown
      let complaints = list.follower.complaints
      hasFailed = hasFailed || held != fresh || shown != held || !complaints.isEmpty
      #expect(held == fresh, "list \(index), \(comment)")
      #expect(shown == held, "list \(index), \(comment)")
      #expect(complaints == [], "list \(index), \(comment)")
    }
  }
}
