import CoreData
import Foundation
import ListData
import Testing

@testable import ListKit

/// The user drags a row while another context has changed the list, and its save is not merged yet: giving
/// the rows their order comes upon what the other one did.
@MainActor
@Suite(.serialized) struct UserDrivenMoveTests {
  @Test(arguments: [[], ["b"]], [[], ["z"]])
  func aDragBesideUnmergedChangesEndsInTheOrderOfTheStore(
    _ inserted: [String], _ deleted: [String]
  ) throws {
    let shown = try drag { try $0.elsewhere(insert: inserted, delete: deleted) }
    #expect(shown.filter { $0 != "z" } == ["c"] + inserted + ["d", "a"])
  }

  @Test func aDragBesideAnUnmergedMoveEndsInTheOrderOfTheStore() throws {
    let shown = try drag { try $0.moveTheLastElsewhere() }
    #expect(shown == ["c", "z", "d", "a"])
  }

  /// Whatever the model makes of a move: rows stand where their objects do, and deleting one deletes the
  /// object that it shows.
  @Test(
    arguments: BookNumbering.allCases,
    [[0.0, 0, 0, 0], [0, 1, 1, 3], [0, 1, 2, 3], [5, 5, 6, 6]])
  func aMoveThatTheModelCarriesOutInAnotherWayIsGivenBack(
    _ numbering: BookNumbering, _ orders: [Double]
  ) throws {
    for (from, to) in [(0, 2), (0, 1), (1, 0), (2, 1), (3, 0), (1, 3), (2, 2)] {
      var faults: [String] = []
      UITableView.inconsistencyHandler = { faults.append($0.description) }
      defer { UITableView.inconsistencyHandler = nil }
      let shelf = try Shelf(["a", "b", "c", "d"], orders: orders)
      shelf.numbering = numbering
      let (table, source, window) = show(shelf)
      defer { withExtendedLifetime((source, window)) {} }
      table.moveByUser(from: [0, from], toProposed: [0, to])
      #expect(titles(table) == shelf.titles, "\(from) to \(to)")
      let name = try #require(table.rows.last?.id)
      let path = try #require(table.indexPath(forID: name))
      let title = table.cellForRow(at: path)?.textLabel?.text ?? ""
      try table.perform(#require(table.trailingActions(at: path).first), at: path)
      #expect(!shelf.titles.contains(title))
      #expect(titles(table) == shelf.titles)
      #expect(faults == [])
    }
  }

  private func show(
    _ shelf: Shelf
  ) -> (UITableView, FetchedResultsControllerDataSource<NSManagedObject>, UIWindow) {
    let table = UITableView(frame: .zero, style: .plain)
    let window = UIWindow(frame: .zero)
    window.addSubview(table)
    table.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    let source = FetchedResultsControllerDataSource<NSManagedObject>(
      tableView: table, reuseIdentifier: "cell")
    source.delegate = shelf
    source.fetchedResultsController = shelf.controller
    _ = table.showRows(from: 0, count: 10)
    return (table, source, window)
  }

  private func titles(_ table: UITableView) -> [String] {
    (0..<table.numberOfRows(inSection: 0)).map {
      table.cellForRow(at: [0, $0])?.textLabel?.text ?? "no cell"
    }
  }

  /// Drags the first row to the third place after something has happened elsewhere; what the table shows then.
  private func drag(after event: (Shelf) throws -> Void) throws -> [String] {
    var faults: [String] = []
    UITableView.inconsistencyHandler = { faults.append($0.description) }
    defer { UITableView.inconsistencyHandler = nil }
    let shelf = try Shelf(["a", "c", "d", "z"])
    let (table, source, window) = show(shelf)
    defer { withExtendedLifetime((source, window)) {} }
    try event(shelf)
    table.moveByUser(from: [0, 0], toProposed: [0, 2])
    let shown = titles(table)
    #expect(faults == [])
    #expect(shown == shelf.titles)
    return shown
  }
}

/// What the model does when a row has been dragged.
enum BookNumbering: CaseIterable {
  /// Numbers all books by where they stand.
  case byPlace
  /// Gives the book the place as its order, and moves those between by one, as if orders were places.
  case byOrder
  /// Puts the book at the end, wherever it was dragged.
  case atTheEnd
  case notAtAll
}

/// Titles in an order of their own, in a store that two contexts share.
@MainActor
private final class Shelf: FetchedResultsControllerDataSourceDelegate {
  var numbering = BookNumbering.byPlace
  let controller: NSFetchedResultsController<NSManagedObject>
  private let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
  private let other = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
  private let request = NSFetchRequest<NSManagedObject>(entityName: "Book")

  init(_ titles: [String], orders: [Double]? = nil) throws {
    let book = NSEntityDescription()
    book.name = "Book"
    let kinds: [(String, NSAttributeType)] = [
      ("title", .stringAttributeType), ("order", .doubleAttributeType),
    ]
    book.properties = kinds.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      return attribute
    }
    let model = NSManagedObjectModel()
    model.entities = [book]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    context.persistentStoreCoordinator = coordinator
    other.persistentStoreCoordinator = coordinator
    context.automaticallyMergesChangesFromParent = true
    request.sortDescriptors = [NSSortDescriptor(key: "order", ascending: true)]
    controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
    for (place, title) in titles.enumerated() {
      insert(title, at: orders?[place] ?? Double(place), in: context)
    }
    try context.save()
  }

  private func insert(_ title: String, at order: Double, in context: NSManagedObjectContext) {
    let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
    book.setValue(title, forKey: "title")
    book.setValue(order, forKey: "order")
  }

  var titles: [String] {
    (controller.fetchedObjects ?? []).compactMap { $0.value(forKey: "title") as? String }
  }

  /// Another context puts the last book behind the second one.
  func moveTheLastElsewhere() throws {
    try other.fetch(request).last?.setValue(1.7, forKey: "order")
    try other.save()
  }

  /// New books stand behind the second one.
  func elsewhere(insert inserted: [String], delete deleted: [String]) throws {
    for title in inserted { insert(title, at: 1.5, in: other) }
    for book in try other.fetch(request)
    where deleted.contains(book.value(forKey: "title") as? String ?? "") {
      other.delete(book)
    }
    try other.save()
  }

  func configure(_ cell: UITableViewCell, with object: NSManagedObject) {
    cell.textLabel?.text = object.value(forKey: "title") as? String
  }

  func delete(_ object: NSManagedObject) {
    context.delete(object)
    context.processPendingChanges()
  }
  func canMove(_ object: NSManagedObject) -> Bool { true }

  func move(_ object: NSManagedObject, from source: IndexPath, to destination: IndexPath) {
    switch numbering {
    case .byPlace: moveByPlace(object, to: destination)
    case .byOrder: moveByOrder(object, to: Double(destination.row))
    case .atTheEnd: object.setValue(100.0, forKey: "order")
    case .notAtAll: break
    }
  }

  private func moveByOrder(_ object: NSManagedObject, to place: Double) {
    let order = object.value(forKey: "order") as? Double ?? 0
    for book in controller.fetchedObjects ?? [] where book !== object {
      guard let other = book.value(forKey: "order") as? Double,
        (min(order, place)...max(order, place)).contains(other)
      else { continue }
      book.setValue(other + (place < order ? 1 : -1), forKey: "order")
    }
    object.setValue(place, forKey: "order")
  }

  /// Numbers all that the store has, which may be more than is shown.
  private func moveByPlace(_ object: NSManagedObject, to destination: IndexPath) {
    guard var books = try? context.fetch(request),
      let target = controller.fetchedObjects?[destination.row]
    else { return }
    books.removeAll { $0 === object }
    books.insert(object, at: (books.firstIndex(of: target) ?? books.count - 1) + 1)
    for (place, book) in books.enumerated() { book.setValue(Double(place), forKey: "order") }
  }
}
