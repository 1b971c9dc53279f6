import CoreData
import Foundation
import ListData
import ListKit
import Testing

/// Lists that are fetched while the main queue goes on.
@MainActor
@Suite struct BackgroundFetchTests {
  /// 300 books in five groups, in a store of a type; main-queue contexts on it.
  private final class Shelf {
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext
    private let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("BackgroundFetch-\(UUID()).sqlite")

    @MainActor
    init(_ type: String) throws {
      let book = NSEntityDescription()
      book.name = "Book"
      book.properties = ["title", "group"].map { name in
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = .stringAttributeType
        return attribute
      }
      let model = NSManagedObjectModel()
      model.entities = [book]
      coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: file)
      context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      for number in 0..<300 { add("Title \(1000 - number)", "Group \(number % 5)") }
      try context.save()
    }

    deinit {
      for end in ["", "-wal", "-shm"] {
        // The system empties its folder of what cannot be removed.
        try? FileManager.default.removeItem(atPath: file.path + end)
      }
    }

    @MainActor
    func add(_ title: String, _ group: String) {
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue(title, forKey: "title")
      book.setValue(group, forKey: "group")
    }

    @MainActor
    func controller(
      _ format: String? = nil, sections: Bool = true
    ) -> NSFetchedResultsController<NSManagedObject> {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.predicate = format.map { NSPredicate(format: $0) }
      let keys = sections ? ["group", "title"] : ["title"]
      request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
      return NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context,
        sectionNameKeyPath: sections ? "group" : nil, cacheName: nil)
    }
  }

  /// Each section as its name and its titles.
  private func contents(
    _ controller: NSFetchedResultsController<NSManagedObject>
  ) -> [[String]] {
    (controller.sections ?? []).map { section in
      [section.name]
        + (section.objects ?? []).map {
          ($0 as? NSManagedObject)?.value(forKey: "title") as? String ?? "no title"
        }
    }
  }

  nonisolated static let types = [NSInMemoryStoreType, NSSQLiteStoreType]

  @Test(arguments: types, [nil, "title CONTAINS[cd] '99'", "title = 'none'"])
  func itFindsWhatAFetchAtOnceFinds(_ type: String, _ format: String?) async throws {
    let shelf = try Shelf(type)
    for sections in [true, false] {
      let expected = shelf.controller(format, sections: sections)
      try expected.performFetch()
      let controller = shelf.controller(format, sections: sections)
      try await controller.performFetchInBackground()
      #expect(contents(controller) == contents(expected))
    }
  }

  @Test(arguments: types) func theListFollowsChangesFromThenOn(_ type: String) async throws {
    let shelf = try Shelf(type)
    let follower = Follower()
    let controller = shelf.controller()
    controller.delegate = follower
    try await controller.performFetchInBackground()
    shelf.add("A new one", "Group 2")
    try shelf.context.save()
    #expect(follower.changes == 1)
    #expect(contents(controller)[2][1] == "A new one")
  }

  @Test(arguments: types) func whatIsNotSavedIsInTheList(_ type: String) async throws {
    let shelf = try Shelf(type)
    shelf.add("Unsaved", "A group")
    let controller = shelf.controller()
    try await controller.performFetchInBackground()
    #expect(contents(controller).first == ["A group", "Unsaved"])
  }

  @Test(arguments: types) func whatChangesMeanwhileIsInTheList(_ type: String) async throws {
    let shelf = try Shelf(type)
    let controller = shelf.controller()
    // Where the machine lets the fetch end before the change, the list follows it.
    let follower = Follower()
    controller.delegate = follower
    let fetch = Task { try await controller.performFetchInBackground() }
    // The main queue goes on: the fetch waits for its own, and comes back to a context that has changed.
    await Task.yield()
    shelf.add("Meanwhile", "A group")
    try shelf.context.save()
    try await fetch.value
    #expect(
      withExtendedLifetime(follower) { contents(controller).first } == ["A group", "Meanwhile"])
  }

  @Test func anErrorIsThrown() async throws {
    let shelf = try Shelf(NSSQLiteStoreType)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: shelf.context, sectionNameKeyPath: nil,
      cacheName: nil)
    await #expect(throws: (any Error).self) { try await controller.performFetchInBackground() }
  }

  @Test(arguments: types) func aFetchThatIsOvertakenIsGivenUp(_ type: String) async throws {
    let shelf = try Shelf(type)
    let table = UITableView(frame: .zero)
    let source = FetchedResultsControllerDataSource<NSManagedObject>(
      tableView: table, reuseIdentifier: "Book")
    let first = shelf.controller()
    source.fetchedResultsController = first
    var shown: [String] = []
    await withCheckedContinuation { (next: CheckedContinuation<Void, Never>) in
      // In one turn of the main queue, so that each is overtaken before it can end.
      for text in ["9", "99", "997"] {
        let controller = shelf.controller("title CONTAINS '\(text)'")
        source.fetchInBackground(controller, after: .milliseconds(5)) {
          shown.append(text)
          next.resume()
        }
        // Until another one has come the table shows what it did.
        #expect(source.fetchedResultsController === first)
      }
    }
    #expect(shown == ["997"])
    #expect(source.fetchedResultsController?.fetchedObjects?.count == 1)
    #expect(table.numberOfSections == 1)
  }

  @Test(arguments: types, [true, false])
  func theFirstRowsAreThereBeforeTheRest(_ type: String, _ sections: Bool) async throws {
    let shelf = try Shelf(type)
    let expected = shelf.controller(sections: sections)
    try expected.performFetch()
    let titles = contents(expected).flatMap { $0.dropFirst() }
    let controller = shelf.controller(sections: sections)
    var first: [String] = []
    try await controller.performFetchInBackground(firstRows: 70) {
      first = contents(controller).flatMap { $0.dropFirst() }
    }
    #expect(first == Array(titles.prefix(70)))
    #expect(contents(controller) == contents(expected))
  }

  @Test(arguments: types) func aShortListIsFetchedOnce(_ type: String) async throws {
    let shelf = try Shelf(type)
    let controller = shelf.controller("title CONTAINS '99'")
    try await controller.performFetchInBackground(firstRows: 70) {
      Issue.record("There are no others.")
    }
    #expect(controller.fetchedObjects?.count == 12)
  }

  @Test(arguments: types) func changesBetweenFirstRowsAndRestAreInTheList(
    _ type: String
  ) async throws {
    let shelf = try Shelf(type)
    let follower = Follower()
    let controller = shelf.controller()
    controller.delegate = follower
    try await controller.performFetchInBackground(firstRows: 70) {
      shelf.add("A new one", "Group 0")
      shelf.add("A last one", "Group 9")
      try? shelf.context.save()
    }
    #expect(follower.changes > 0)
    let all = contents(controller)
    #expect(all.first?[1] == "A new one")
    #expect(all.last == ["Group 9", "A last one"])
    #expect(all.flatMap { $0.dropFirst() }.count == 302)
  }

  @Test func theTableShowsTheFirstRowsAndThenAll() async throws {
    let shelf = try Shelf(NSSQLiteStoreType)
    let table = UITableView(frame: .zero)
    let source = FetchedResultsControllerDataSource<NSManagedObject>(
      tableView: table, reuseIdentifier: "Book")
    var counts: [Int] = []
    await withCheckedContinuation { (next: CheckedContinuation<Void, Never>) in
      source.fetchInBackground(
        shelf.controller(sections: false), firstRows: 70
      ) {
        counts.append(table.numberOfRows(inSection: 0))
        next.resume()
      } onFirstRows: {
        counts.append(table.numberOfRows(inSection: 0))
      }
    }
    #expect(counts == [70, 300])
  }

  /// What a client writes behind the call is for the end, whether all rows came or an error.
  @Test(arguments: [true, false]) func aSingleClosureIsCalledAtTheEnd(_ fails: Bool) async throws {
    let shelf = try Shelf(NSSQLiteStoreType)
    let table = UITableView(frame: .zero)
    let source = FetchedResultsControllerDataSource<NSManagedObject>(
      tableView: table, reuseIdentifier: "Book")
    var errors: [any Error] = []
    source.onError = { errors.append($0) }
    let controller = shelf.controller(fails ? "pages > 3" : nil, sections: false)
    await withCheckedContinuation { (next: CheckedContinuation<Void, Never>) in
      source.fetchInBackground(controller, firstRows: 70) { next.resume() }
    }
    #expect(errors.count == (fails ? 1 : 0))
    #expect(table.numberOfSections == 0 || table.numberOfRows(inSection: 0) == (fails ? 0 : 300))
  }

  private final class Follower: NSObject, NSFetchedResultsControllerDelegate {
    var changes = 0
    func controllerDidChangeContent(
      _ controller: NSFetchedResultsController<NSFetchRequestResult>
    ) { changes += 1 }
  }
}
