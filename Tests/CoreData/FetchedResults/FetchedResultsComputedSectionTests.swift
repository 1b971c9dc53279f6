import Foundation
import Testing

@testable import CoreData

/// A book whose initial is computed: one key is transient in the model, the other one the class's own.
private final class InitialBook: NSManagedObject {
  var initial: String { String((primitiveValue(forKey: "title") as? String ?? "").prefix(1)) }

  static func makeModel() -> NSManagedObjectModel {
    ManagedObjectClasses.register(
      "InitialBook", module: "CoreDataTests", type: InitialBook.self,
      getters: [
        "initial": { ($0 as? InitialBook)?.initial },
        "ownInitial": { ($0 as? InitialBook)?.initial },
      ]
    ) { InitialBook(entity: $0, insertInto: $1) }
    let book = NSEntityDescription()
    book.name = "Book"
    book.managedObjectClassName = "InitialBook"
    book.properties = ["title", "note", "initial"].map { name in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = .stringAttributeType
      attribute.isTransient = name == "initial"
      return attribute
    }
    let model = NSManagedObjectModel()
    model.entities = [book]
    return model
  }
}

@Suite struct FetchedResultsComputedSectionTests {
  /// A context on a new SQLite file with books of these titles, none of them in memory.
  private func with(
    _ titles: [String], _ body: (NSManagedObjectContext) throws -> Void
  ) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ComputedSections-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // A folder that cannot be removed is left to the system.
    defer { try? FileManager.default.removeItem(at: folder) }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: InitialBook.makeModel())
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: folder.appendingPathComponent("B"))
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      for title in titles { insert(title, context) }
      try context.save()
      context.reset()
      try body(context)
    }
  }

  @discardableResult
  private func insert(_ title: String, _ context: NSManagedObjectContext) -> NSManagedObject {
    let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
    book.setValue(title, forKey: "title")
    return book
  }

  private func controller(
    _ key: String, _ context: NSManagedObjectContext, ascending: Bool = true
  ) throws -> NSFetchedResultsController<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: ascending)]
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: key,
      cacheName: nil)
    try controller.performFetch()
    return controller
  }

  @Test(arguments: ["initial", "ownInitial"])
  func namesAreAskedOfObjectsThatNobodyHasRead(key: String) throws {
    try with(["Beta", "Alpha", "Bravo", "Ant", "Zulu"]) { context in
      let controller = try controller(key, context)
      #expect(controller.outline == ["A: Alpha Ant", "B: Beta Bravo", "Z: Zulu"])
      #expect(controller.sectionIndexTitles == ["A", "B", "Z"])
    }
  }

  @Test(arguments: ["initial", "ownInitial"])
  func aStoreCannotSortByWhatIsComputed(key: String) throws {
    try with(["Alpha"]) { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
        cacheName: nil)
      #expect(throws: (any Error).self) { try controller.performFetch() }
    }
  }

  @Test func theObjectsThatWereAskedAreNotKept() throws {
    try with((0..<2000).map { "\(["A", "B", "C", "D"][$0 % 4]) \($0)" }) { context in
      let controller = try controller("initial", context)
      #expect(controller.sections?.map(\.numberOfObjects) == [500, 500, 500, 500])
      #expect(context.registeredObjects.isEmpty)
    }
  }

  @Test func namesThatComeApartAreAnErrorThatSaysWhere() throws {
    try with(["Alpha", "Beta", "aster", "Ant"]) { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.sortDescriptors = [NSSortDescriptor(key: "note", ascending: true)]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "initial",
        cacheName: nil)
      let error = #expect(throws: NSError.self) { try controller.performFetch() }
      #expect(error?.code == 134060)
      #expect(error?.localizedFailureReason?.contains("out of order section name 'A") == true)
    }
  }

  @Test func whatIsMergedFromElsewhereFindsItsSection() throws {
    try with(["Alpha", "Beta"]) { context in
      let controller = try controller("initial", context)
      let recorder = CallRecorder()
      controller.delegate = recorder
      let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      other.persistentStoreCoordinator = context.persistentStoreCoordinator
      let identities = try other.performAndWait {
        let books = ["Cat", "Ant"].map { insert($0, other) }
        try other.save()
        return books.map(\.objectID)
      }
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSInsertedObjectsKey: identities], into: [context])
      #expect(controller.outline == ["A: Alpha Ant", "B: Beta", "C: Cat"])
    }
  }
}
