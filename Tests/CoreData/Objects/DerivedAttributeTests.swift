import CoreData
import Testing

/// Derived attributes, which SQLite stores compute.
@Suite struct DerivedAttributeTests {
  /// Shelves that count their books.
  private func model(isOptional: Bool) -> NSManagedObjectModel {
    let shelf = NSEntityDescription()
    shelf.name = "Shelf"
    let book = NSEntityDescription()
    book.name = "Book"
    let count = NSDerivedAttributeDescription()
    count.name = "bookCount"
    count.attributeType = .integer64AttributeType
    count.derivationExpression = NSExpression(format: "books.@count")
    count.isOptional = isOptional
    let (books, shelves) = NestedModel.relate(shelf, "books", 0, book, "shelf", 1)
    shelf.properties = [count, books]
    book.properties = [NestedModel.attribute("title", .stringAttributeType), shelves]
    let model = NSManagedObjectModel()
    model.entities = [shelf, book]
    return model
  }

  private func number(_ shelf: NSManagedObject) -> Int? { shelf.value(forKey: "bookCount") as? Int }

  @Test func aCountIsNilUntilTheSaveAndFollowsItsMembersAfterARefresh() throws {
    try TestStack(.sqlite, model: model(isOptional: true)).withContext { context in
      let shelf = context.insert("Shelf")
      let books = ["a", "b"].map { context.insert("Book", ["title": $0, "shelf": shelf]) }
      #expect(number(shelf) == nil)
      try context.save()
      context.refresh(shelf, mergeChanges: false)
      #expect(number(shelf) == 2)
      context.delete(books[0])
      try context.save()
      context.refresh(shelf, mergeChanges: false)
      #expect(number(shelf) == 1)
    }
  }

  @Test func aMandatoryOneFailsEveryInsertionSinceItsValueComesWithTheSave() throws {
    try TestStack(.sqlite, model: model(isOptional: false)).withContext { context in
      _ = context.insert("Shelf")
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.code == NSValidationMissingMandatoryPropertyError)
    }
  }
}
