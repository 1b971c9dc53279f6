import Foundation

@testable import CoreData
@testable import CoreDataSamples

/// A controller with who follows it, and how a fresh fetch is made of it.
struct ReplayedController {
  let controller: BookController
  let follower: any ListFollower
  /// Whether its request changes now and then.
  var isAskedAnew = false
  /// Whether memory is ahead of what a store can order by.
  var isSortedInMemory = false

  private static let matching = "title != 'x' AND place != nil"

  static func all(_ stack: FetchedStack, seed: UInt64) -> [ReplayedController] {
    let context = stack.context
    var lists = [
      make(stack, ["group", "title"], sections: "group", TableReplay()),
      make(stack, ["-group", "note", "-title"], sections: "group", TableReplay(isStrict: true)),
      make(stack, ["title", "-group"], DifferenceReplay(context)),
      make(stack, ["group", "title"], sections: "group", SnapshotReplay(context)),
      make(stack, ["shelf.name", "title"], TableReplay()),
      make(stack, ["title", "note"], TableReplay()),
      make(stack, ["group", "title"], sections: "group", TableReplay()),
      make(stack, ["title"], SnapshotReplay(context)),
      make(stack, ["weight"], TableReplay(isStrict: true)),
      make(stack, ["-rank"], TableReplay()),
      make(stack, ["added"], DifferenceReplay(context)),
    ]
    // Their sort keys are read ahead.
    for list in lists { list.controller.engine.options.leastReadAhead = 0 }
    lists[1].controller.splitsSectionMoves = true
    lists[3].controller.fetchRequest.sortDescriptors = [
      NSSortDescriptor(key: "group", ascending: true),
      NSSortDescriptor(
        key: "title", ascending: false, selector: Selector("localizedStandardCompare:")),
    ]
    lists[3].controller.obtainsPermanentIDs = seed % 4 == 0
    lists[4].controller.watchedKeyPaths = ["shelf.name"]
    lists[4].isSortedInMemory = true
    lists[5].controller.keepsFetchLimit = true
    lists[5].controller.fetchRequest.fetchLimit = 10
    lists[5].controller.fetchRequest.fetchOffset = 2
    lists[6].isAskedAnew = true
    return lists
  }

  private static func make(
    _ stack: FetchedStack, _ keys: [String], sections: String? = nil, _ follower: any ListFollower
  ) -> ReplayedController {
    let controller = stack.controller(keys, sections: sections, predicate: matching)
    controller.delegate = follower
    return ReplayedController(controller: controller, follower: follower)
  }

  func fetch() throws {
    try controller.performFetch()
    follower.reload(controller)
  }

  /// Another predicate or another order, told as a difference.
  func askAnew(_ random: inout SplitMix64) throws {
    guard isAskedAnew else { return }
    let request = controller.fetchRequest
    let predicates = ["", " AND title != 'a'", " AND group > 'p'", " AND place > 20"]
    request.predicate = NSPredicate(
      format: Self.matching + predicates.randomElement(using: &random)!)
    request.sortDescriptors = ["group", "title"].map {
      NSSortDescriptor(key: $0, ascending: Bool.random(using: &random))
    }
    controller.managedObjectContext.processPendingChanges()
    follower.expectBatch(ofFetch: true)
    try controller.refetch()
    follower.expectBatch(ofFetch: false)
  }

  // MARK: - A fresh fetch

  func fresh(_ context: NSManagedObjectContext) throws -> [ShownSection] {
    let books = try freshBooks(context)
    guard controller.sectionNameKeyPath != nil else {
      return [ShownSection(name: "", places: books.map(\.bookPlace))]
    }
    var sections: [ShownSection] = []
    for book in books {
      let name = book.value(forKey: "group") as? String ?? ""
      if sections.last?.name != name { sections.append(ShownSection(name: name, places: [])) }
      sections[sections.count - 1].places.append(book.bookPlace)
    }
    return sections
  }

  private func freshBooks(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    request.predicate = controller.fetchRequest.predicate
    request.sortDescriptors = controller.fetchRequest.sortDescriptors
    let books = try context.fetch(request)
    if isSortedInMemory { return books.sorted(by: stand) }
    guard controller.keepsFetchLimit else { return books }
    return Array(
      books.dropFirst(controller.fetchRequest.fetchOffset)
        .prefix(controller.fetchRequest.fetchLimit))
  }

  private func stand(_ left: NSManagedObject, before right: NSManagedObject) -> Bool {
    for key in ["shelf.name", "title"] {
      let values = [left, right].map { $0.value(forKeyPath: key) as? String ?? "" }
      if values[0] != values[1] { return values[0] < values[1] }
    }
    return left.objectID.packed.tieOrder < right.objectID.packed.tieOrder
  }
}
