import CoreData
import Foundation
import TestSupport

/// Books in groups, in memory, that change at random; and their list by group and title.
@MainActor
final class RandomShelf {
  let controller: NSFetchedResultsController<NSManagedObject>
  private let context: NSManagedObjectContext
  private let entity: NSEntityDescription
  private var random: SplitMix64

  init(seed: UInt64) throws {
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
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    entity = book
    context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    random = SplitMix64(seed: seed)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    request.sortDescriptors = ["group", "title"].map { NSSortDescriptor(key: $0, ascending: true) }
    controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "group",
      cacheName: nil)
    for _ in 0..<15 { insert() }
    try context.save()
  }

  /// The titles as the controller has them.
  var sections: [[String]] {
    (controller.sections ?? []).map { section in
      (section.objects ?? []).map {
        ($0 as? NSManagedObject)?.value(forKey: "title") as? String ?? "no title"
      }
    }
  }

  /// One event with up to eight changes.
  func changeSome() {
    for _ in 0..<Int.random(in: 1...8, using: &random) { change() }
    context.processPendingChanges()
  }

  private func change() {
    let books = controller.fetchedObjects?.filter { !$0.isDeleted } ?? []
    let kind = Int.random(in: 0..<(books.count > 25 ? 3 : 5), using: &random)
    guard kind < 4, let book = books.randomElement(using: &random) else { return insert() }
    switch kind {
    case 0: context.delete(book)
    case 1: book.setValue(title(), forKey: "title")
    default: book.setValue(group(), forKey: "group")
    }
  }

  private func insert() {
    let book = NSManagedObject(entity: entity, insertInto: context)
    book.setValue(title(), forKey: "title")
    book.setValue(group(), forKey: "group")
  }

  private func title() -> String { "\(Int.random(in: 0..<1_000, using: &random))" }

  private func group() -> String? { ["p", "q", "r", "s", "t", nil].randomElement(using: &random)! }
}
