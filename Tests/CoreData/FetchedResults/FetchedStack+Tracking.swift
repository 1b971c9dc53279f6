import Foundation

@testable import CoreData
@testable import CoreDataSamples

typealias BookController = NSFetchedResultsController<NSManagedObject>

extension FetchedStack {
  /// Runs a test with a controller over saved books, whose delegate writes its calls down.
  ///
  /// A book is written "title" or "title/group".
  static func tracking(
    _ books: [String], in storeType: String = NSInMemoryStoreType, by keys: [String] = ["title"],
    sections: String? = nil, predicate: String? = nil,
    setUp: (BookController) -> Void = { _ in },
    _ body: (FetchedStack, BookController, CallRecorder) throws -> Void
  ) throws {
    try with(storeType) { stack in
      for book in books { stack.makeBook(described: book) }
      try stack.context.save()
      let controller = stack.controller(keys, sections: sections, predicate: predicate)
      let recorder = CallRecorder()
      controller.delegate = recorder
      setUp(controller)
      try controller.performFetch()
      try body(stack, controller, recorder)
    }
  }

  @discardableResult
  func makeBook(described text: String) -> NSManagedObject {
    let parts = text.split(separator: "/").map(String.init)
    return makeBook(parts[0], group: parts.count > 1 ? parts[1] : nil)
  }

  func makeShelf(_ name: String, _ books: [NSManagedObject] = []) -> NSManagedObject {
    let entity = coordinator.managedObjectModel.entitiesByName["Shelf"]!
    let shelf = NSManagedObject(entity: entity, insertInto: context)
    shelf.setValue(name, forKey: "name")
    for book in books { book.setValue(shelf, forKey: "shelf") }
    return shelf
  }
}
