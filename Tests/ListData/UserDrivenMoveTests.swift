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

  /// Drags the first row to the third place after something has happened elsewhere; what the table shows then.
  private func drag(after event: (Shelf) throws -> Void) throws -> [String] {
    var faults: [String] = []
    UITableView.inconsistencyHandler = { faults.append($0.description) }
    defer { UITableView.inconsistencyHandler = nil }
    let shelf = try Shelf(["a", "c", "d", "z"])
    let table = UITableView(frame: .zero, style: .plain)
    let window = UIWindow(frame: .zero)
    window.addSubview(table)
    table.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    let source = FetchedResultsControllerDataSource<NSManagedObject>(
      tableView: table, reuseIdentifier: "cell")
    source.delegate = shelf
    source.fetchedResultsController = shelf.controller
    _ = table.showRows(from: 0, count: 10)
    try event(shelf)
    table.moveByUser(from: [0, 0], toProposed: [0, 2])
    let shown = (0..<table.numberOfRows(inSection: 0)).map {
      table.cellForRow(at: [0, $0])?.textLabel?.text ?? "no cell"
    }
    #expect(faults == [])
    #expect(shown == shelf.titles)
    return shown
  }
}

/// Titles in an order of their own, in a store that two contexts share.
@MainActor
private final class Shelf: FetchedResultsControllerDataSourceDelegate {
  let controller: NSFetchedResultsController<NSManagedObject>
  private let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
  private let other = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
  private let request = NSFetchRequest<NSManagedObject>(entityName: "Book")

  init(_ titles: [String]) throws {
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
    for (place, title) in titles.enumerated() { insert(title, at: Double(place), in: context) }
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

  func delete(_ object: NSManagedObject) { context.delete(object) }
  func canMove(_ object: NSManagedObject) -> Bool { true }

  /// Numbers all that the store has, which may be more than is shown.
  func move(_ object: NSManagedObject, from source: IndexPath, to destination: IndexPath) {
    guard var books = try? context.fetch(request),
      let target = controller.fetchedObjects?[destination.row]
    else { return }
    books.removeAll { $0 === object }
    books.insert(object, at: (books.firstIndex(of: target) ?? books.count - 1) + 1)
    for (place, book) in books.enumerated() { book.setValue(Double(place), forKey: "order") }
  }
}
