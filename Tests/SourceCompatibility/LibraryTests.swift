import CoreData
import Foundation
import XCTest

/// Client code as it is written on Apple's platforms, compiled word for word with `Foundation`,
/// `XCTest` and `CoreData` in one file.
final class LibraryTests: XCTestCase {
  var stack: LibraryStack!
  var context: NSManagedObjectContext { stack.persistentContainer.viewContext }

  override func setUp() {
    super.setUp()
    stack = LibraryStack()
  }

  override func tearDown() {
    stack = nil
    super.tearDown()
  }

  private func makeBook(_ title: String, by author: Author?) -> Book {
    let book = Book(context: context)
    book.title = title
    book.author = author
    return book
  }

  func testTheBundleOfAClassHasTheModel() throws {
    for bundle in [Bundle(for: Book.self), Bundle(for: type(of: self)), Bundle.module] {
      let url = try XCTUnwrap(bundle.url(forResource: "Library", withExtension: "momd"))
      XCTAssertEqual(
        NSManagedObjectModel(contentsOf: url)?.entitiesByName["Book"]?.managedObjectClassName,
        "Book")
    }
    let merged = NSManagedObjectModel.mergedModel(from: [Bundle(for: Book.self)])
    XCTAssertEqual(merged, NSManagedObjectModel.mergedModel(from: [Bundle.module]))
    XCTAssertNotNil(merged?.entitiesByName["Author"])
  }

  /// As classes that migrate step by step look for versions.
  func testTheVersionsOfAModelAreURLs() throws {
    let bundle = Bundle.module
    let models =
      bundle.urls(forResourcesWithExtension: "momd", subdirectory: nil)?
      .flatMap { momdURL -> [URL] in
        return bundle.urls(
          forResourcesWithExtension: "mom", subdirectory: momdURL.lastPathComponent) ?? []
      } ?? []
    let versions = models.compactMap { NSManagedObjectModel(contentsOf: $0) }
    XCTAssertTrue(versions.contains { $0.entitiesByName["Book"] != nil })
    let mom: String? = "momd"
    XCTAssertEqual(
      bundle.urls(forResourcesWithExtension: mom, subdirectory: nil)?.count,
      bundle.urls(forResourcesWithExtension: "momd", subdirectory: nil)?.count)
  }

  func testGeneratedClassHasEveryAttribute() throws {
    let book = makeBook("Persuasion", by: nil)
    book.pages = 249
    book.rating = 4.5
    book.isRead = true
    book.published = Date(timeIntervalSinceReferenceDate: 1)
    book.cover = Data([1, 2, 3])
    book.price = NSDecimalNumber(string: "7.99")
    book.identifier = UUID()
    book.link = URL(string: "https://example.org/persuasion")
    stack.saveContext()
    let id = book.objectID
    let identifier = book.identifier
    context.reset()

    let found = try XCTUnwrap(try context.existingObject(with: id) as? Book)
    XCTAssertEqual(found.title, "Persuasion")
    XCTAssertEqual(found.pages, 249)
    XCTAssertEqual(found.rating, 4.5)
    XCTAssertTrue(found.isRead)
    XCTAssertEqual(found.published?.timeIntervalSinceReferenceDate, 1)
    XCTAssertEqual(found.cover, Data([1, 2, 3]))
    XCTAssertEqual(found.price, NSDecimalNumber(string: "7.99"))
    XCTAssertEqual(found.identifier, identifier)
    XCTAssertEqual(found.link?.host, "example.org")
  }

  func testGeneratedAccessorsOfToManyRelationships() {
    let author = Author(context: context)
    XCTAssertEqual(author.name, "")
    author.name = "Austen"
    let emma = makeBook("Emma", by: nil)
    author.addToBooks(emma)
    XCTAssertEqual(emma.author, author)
    author.addToBooks(NSSet(array: [makeBook("Persuasion", by: nil)]))
    XCTAssertEqual(author.books?.count, 2)
    author.removeFromBooks(emma)
    XCTAssertNil(emma.author)
    XCTAssertEqual(author.shelfLabel, "AUS")
  }

  func testHandWrittenAccessorsOfAnOrderedRelationship() {
    let shelf = Shelf(context: context)
    let first = makeBook("A", by: nil)
    let second = makeBook("B", by: nil)
    shelf.addToBooks(second)
    shelf.addToBooks(first)
    XCTAssertEqual(shelf.books?.array as? [Book], [second, first])
    shelf.removeFromBooks(second)
    XCTAssertEqual(shelf.books?.count, 1)
    shelf.order += 2
    XCTAssertEqual(shelf.order, 2)
  }

  func testObjectsAreMadeOfTypeVariables() {
    let author = context.create(Author.self)
    author.name = "Shelley"
    let shelf: Shelf = context.make()
    let other = Author.insert(into: context)
    other.name = "Stoker"
    let third = Author(context: context, name: "Poe")
    let isFrankenstein = NSPredicate(format: "title = %@", "Frankenstein")
    let book = Book.findOrCreate(in: context, matching: isFrankenstein) { book in
      book.title = "Frankenstein"
      book.author = author
    }
    XCTAssertIdentical(Book.findOrCreate(in: context, matching: isFrankenstein), book)
    XCTAssertEqual(
      context.insertedObjects, Set<NSManagedObject>([author, shelf, other, third, book]))
    XCTAssertEqual(third.name, "Poe")
    XCTAssertEqual(shelf.entity, Shelf.entity())
  }

  func testPredicatesAndSortDescriptorsWithBothImports() throws {
    let author = Author(context: context)
    author.name = "Woolf"
    for title in ["Orlando", "The Waves", "Émile", "orchard"] { _ = makeBook(title, by: author) }
    stack.saveContext()
    let request: NSFetchRequest<Book> = Book.fetchRequest()
    let predicate: NSPredicate = NSPredicate(format: "title BEGINSWITH[cd] %@", "or")
    let byTitle: NSSortDescriptor = NSSortDescriptor(
      key: "title", ascending: true, selector: "caseInsensitiveCompare:")
    request.predicate = predicate
    request.sortDescriptors = [byTitle]
    XCTAssertEqual(try context.fetch(request).map(\.title), ["orchard", "Orlando"])
    request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
      NSPredicate(format: "author.name == %@", "Woolf"),
      NSPredicate(format: "%K CONTAINS[cd] %@", #"title"#, "emi"),
    ])
    XCTAssertEqual(try context.fetch(request).first?.title, "Émile")
    XCTAssertEqual(try context.count(for: request), 1)
    let expression: NSExpression = NSExpression(forKeyPath: \Book.title)
    XCTAssertEqual(expression.keyPath, "title")
  }

  func testAFetchedResultsControllerTellsItsDelegate() throws {
    let controller = ShelfController(managedObjectContext: context)
    try controller.fetchedResultsController.performFetch()
    XCTAssertEqual(controller.fetchedResultsController.sections?.count, 0)
    let author = Author(context: context)
    author.name = "Eliot"
    let book = makeBook("Middlemarch", by: author)
    context.processPendingChanges()
    XCTAssertEqual(
      controller.log, ["begin", "insert section 0", "insert [0, 0]", "end"])
    XCTAssertEqual(controller.fetchedResultsController.sections?.first?.name, "Eliot")
    XCTAssertEqual(
      controller.fetchedResultsController.object(at: IndexPath(row: 0, section: 0)), book)
  }

  func testModelsAreFoundWithoutFurtherCode() throws {
    let url = try XCTUnwrap(Bundle.module.url(forResource: "Library", withExtension: "momd"))
    let model = try XCTUnwrap(NSManagedObjectModel(contentsOf: url))
    XCTAssertEqual(Set(model.entitiesByName.keys), ["Author", "Book", "Shelf"])
    // All models of the program would be those of the applications too, one of which has other books.
    let merged = try XCTUnwrap(NSManagedObjectModel.mergedModel(from: [Bundle.module]))
    XCTAssertNotNil(merged.entitiesByName["Book"])
    XCTAssertEqual(
      merged.entitiesByName["Book"]?.versionHash, model.entitiesByName["Book"]?.versionHash)
  }

  func testPerformAndBackgroundTasks() async throws {
    let container = stack.persistentContainer
    try await container.performBackgroundTask { context in
      let author = Author(context: context)
      author.name = "Sand"
      try context.save()
    }
    let context = container.newBackgroundContext()
    let names = try await context.perform {
      try context.fetch(NSFetchRequest<Author>(entityName: "Author")).map { $0.name }
    }
    XCTAssertEqual(names, ["Sand"])
  }

  func testUndoManagerSelectorsAndTransformersExist() {
    let manager: UndoManager = UndoManager()
    context.undoManager = manager
    let book = makeBook("A", by: nil)
    context.processPendingChanges()
    context.undo()
    XCTAssertTrue(book.isDeleted)
    let selector: Selector = "localizedStandardCompare:"
    XCTAssertEqual(selector.description, "localizedStandardCompare:")
    XCTAssertNotNil(ValueTransformer(forName: .secureUnarchiveFromDataTransformerName))
    XCTAssertEqual(autoreleasepool { 3 }, 3)
  }
}
