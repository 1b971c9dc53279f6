import CoreDataSupport
import Foundation
import Synchronization
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// A book whose initial is computed: one key is transient in the model, the other one the class's own.
private final class InitialBook: NSManagedObject {
  var initial: String { String((primitiveValue(forKey: "title") as? String ?? "").prefix(1)) }

  /// How often one test has asked for a name.
  static let asked = Atomic(0)

  static func makeModel() -> NSManagedObjectModel {
    ManagedObjectClasses.register(
      "InitialBook", module: "CoreDataFetchedResultsTests", type: InitialBook.self,
      getters: [
        "initial": { ($0 as? InitialBook)?.initial },
        "ownInitial": { ($0 as? InitialBook)?.initial },
        "countedInitial": { object in
          asked.add(1, ordering: .relaxed)
          return (object as? InitialBook)?.initial
        },
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
    let context = coordinator.makeContext()
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
    _ key: String, _ context: NSManagedObjectContext, ascending: Bool = true,
    _ configure: (NSFetchedResultsController<NSManagedObject>) -> Void = { _ in }
  ) throws -> NSFetchedResultsController<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: ascending)]
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: key,
      cacheName: nil)
    configure(controller)
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

  /// Sections of one row and of hundreds, at both ends, unsaved ones among them.
  @Test(arguments: Sample.of(["initial", "ownInitial", "title"], [true, false]))
  func promisedSectionsAreThoseThatEveryObjectTells(key: String, ascending: Bool) throws {
    var random = SplitMix64(seed: 20_261_124)
    for _ in 0..<12 {
      let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".shuffled(using: &random).prefix(
        .random(in: 1...26, using: &random))
      let titles = letters.flatMap { letter in
        (0..<[1, 2, 30, 200].randomElement(using: &random)!).map { "\(letter)\($0 % 9)" }
      }
      try with(titles) { context in
        for letter in "AMZ" where Bool.random(using: &random) { insert("\(letter)5", context) }
        let plain = try controller(key, context, ascending: ascending)
        let promised = try controller(key, context, ascending: ascending) {
          $0.hasContiguousSections = true
        }
        #expect(promised.outline == plain.outline)
      }
    }
  }

  @Test func aPromiseSparesAskingEveryObject() throws {
    try with((0..<5000).map { String(format: "%c %05d", 65 + $0 / 500, $0) }) { context in
      let before = InitialBook.asked.load(ordering: .relaxed)
      let controller = try controller("countedInitial", context) {
        $0.hasContiguousSections = true
      }
      #expect(controller.sections?.map(\.numberOfObjects) == Array(repeating: 500, count: 10))
      #expect(InitialBook.asked.load(ordering: .relaxed) - before < 200)
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
      let other = NSManagedObjectContext(.privateQueue)
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
