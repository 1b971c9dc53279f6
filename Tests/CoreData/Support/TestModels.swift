import CoreDataSupport
import Foundation

@testable import CoreData

/// Models for the stores' tests, made in code.
enum TestModels {
  /// The nested list: items with a parent and children.
  static func nestedLists() -> NSManagedObjectModel {
    let item = ModelPart.entity("Item")
    let parent = ModelPart.relationship("parent", to: item, maxCount: 1)
    let children = ModelPart.relationship("children", to: item, maxCount: 0)
    ModelPart.connect(parent, children)
    item.properties = [
      ModelPart.attribute("title"), ModelPart.attribute("order", .integer64AttributeType),
      parent, children,
    ]
    return ModelPart.model([item])
  }

  /// Shelves that count their books.
  static func counting() -> NSManagedObjectModel {
    let (shelf, book) = (ModelPart.entity("Shelf"), ModelPart.entity("Book"))
    let books = ModelPart.relationship("books", to: book, maxCount: 0)
    let bookShelf = ModelPart.relationship("shelf", to: shelf, maxCount: 1)
    ModelPart.connect(books, bookShelf)
    let count = NSDerivedAttributeDescription()
    count.name = "bookCount"
    count.attributeType = .integer64AttributeType
    count.isOptional = true
    count.derivationExpression = NSExpression(forKeyPath: "books.@count")
    shelf.properties = [count, books]
    book.properties = [bookShelf]
    return ModelPart.model([shelf, book])
  }

  /// Owners with notes and tags: every kind of attribute, of relationship and of index.
  static func everything() -> NSManagedObjectModel {
    let owner = ModelPart.entity("Owner")
    let company = ModelPart.entity("Company")
    let note = ModelPart.entity("Note")
    let tag = ModelPart.entity("Tag")
    company.properties = [ModelPart.attribute("city")]
    owner.subentities = [company]
    let notes = ModelPart.relationship("notes", to: note, maxCount: 0, isOrdered: true)
    let noteOwner = ModelPart.relationship("owner", to: owner, maxCount: 1)
    let tags = ModelPart.relationship("tags", to: tag, maxCount: 0)
    let tagNotes = ModelPart.relationship("notes", to: note, maxCount: 0)
    ModelPart.connect(notes, noteOwner)
    ModelPart.connect(tags, tagNotes)
    owner.properties = [ModelPart.attribute("name"), notes]
    tag.properties = [ModelPart.attribute("name"), tagNotes]
    note.properties =
      [
        ModelPart.attribute("text"), ModelPart.attribute("stars", .integer16AttributeType),
        ModelPart.attribute("weight", .doubleAttributeType),
        ModelPart.attribute("isDone", .booleanAttributeType),
        ModelPart.attribute("date", .dateAttributeType),
        ModelPart.attribute("price", .decimalAttributeType),
        ModelPart.attribute("uuid", .UUIDAttributeType),
        ModelPart.attribute("link", .URIAttributeType),
        ModelPart.attribute("picture", .binaryDataAttributeType),
        ModelPart.attribute("words", .transformableAttributeType),
        ModelPart.attribute("scan", .binaryDataAttributeType) {
          $0.allowsExternalBinaryDataStorage = true
        },
        ModelPart.attribute("draft") { $0.isTransient = true },
      ] + [noteOwner, tags]
    tag.uniquenessConstraints = [["name"]]
    return ModelPart.model([owner, company, note, tag])
  }
}
