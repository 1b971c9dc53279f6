import CoreData
import CoreDataSupport
import Testing

@testable import CoreDataSamples

/// Derived attributes that must have a value.
@Suite struct MandatoryDerivedAttributeTests {
  /// Shelves that count their books.
  private func model() -> NSManagedObjectModel {
    let shelf = NSEntityDescription()
    shelf.name = "Shelf"
    let book = NSEntityDescription()
    book.name = "Book"
    let count = NSDerivedAttributeDescription()
    count.name = "bookCount"
    count.attributeType = .integer64AttributeType
    count.derivationExpression = NSExpression(format: "books.@count")
    count.isOptional = false
    let (books, shelves) = ModelPart.relate(shelf, "books", 0, book, "shelf", 1)
    shelf.properties = [count, books]
    book.properties = [ModelPart.attribute("title"), shelves]
    let model = NSManagedObjectModel()
    model.entities = [shelf, book]
    return model
  }

  @Test func aMandatoryOneFailsEveryInsertionSinceItsValueComesWithTheSave() throws {
    try TestStack(.sqlite, model: model()).withContext { context in
      context.insert("Shelf")
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.code == NSValidationMissingMandatoryPropertyError)
    }
  }
}
