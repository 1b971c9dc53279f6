import Foundation

@testable import CoreData

/// Models for the stores' tests, made in code.
enum TestModels {
  static func attribute(
    _ name: String, _ type: NSAttributeType, _ change: (NSAttributeDescription) -> Void = { _ in }
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = true
    change(attribute)
    return attribute
  }

  static func relationship(
    _ name: String, to destination: NSEntityDescription, maxCount: Int, isOrdered: Bool = false
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.maxCount = maxCount
    relationship.isOrdered = isOrdered
    return relationship
  }

  static func connect(_ one: NSRelationshipDescription, _ other: NSRelationshipDescription) {
    one.inverseRelationship = other
    other.inverseRelationship = one
  }

  static func entity(_ name: String) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    return entity
  }

  /// The nested list: items with a parent and children.
  static func nestedLists() -> NSManagedObjectModel {
    let item = entity("Item")
    let parent = relationship("parent", to: item, maxCount: 1)
    let children = relationship("children", to: item, maxCount: 0)
    connect(parent, children)
    item.properties = [
      attribute("title", .stringAttributeType), attribute("order", .integer64AttributeType),
      parent, children,
    ]
    let model = NSManagedObjectModel()
    model.entities = [item]
    return model
  }

  /// Shelves that count their books.
  static func counting() -> NSManagedObjectModel {
    let (shelf, book) = (entity("Shelf"), entity("Book"))
    let books = relationship("books", to: book, maxCount: 0)
    let bookShelf = relationship("shelf", to: shelf, maxCount: 1)
    connect(books, bookShelf)
    let count = NSDerivedAttributeDescription()
    count.name = "bookCount"
    count.attributeType = .integer64AttributeType
    count.isOptional = true
    count.derivationExpression = NSExpression(forKeyPath: "books.@count")
    shelf.properties = [count, books]
    book.properties = [bookShelf]
    let model = NSManagedObjectModel()
    model.entities = [shelf, book]
    return model
  }

  /// Owners with notes and tags: every kind of attribute, of relationship and of index.
  static func everything() -> NSManagedObjectModel {
    let owner = entity("Owner")
    let company = entity("Company")
    let note = entity("Note")
    let tag = entity("Tag")
    company.properties = [attribute("city", .stringAttributeType)]
    owner.subentities = [company]
    let notes = relationship("notes", to: note, maxCount: 0, isOrdered: true)
    let noteOwner = relationship("owner", to: owner, maxCount: 1)
    let tags = relationship("tags", to: tag, maxCount: 0)
    let tagNotes = relationship("notes", to: note, maxCount: 0)
    connect(notes, noteOwner)
    connect(tags, tagNotes)
    owner.properties = [attribute("name", .stringAttributeType), notes]
    tag.properties = [attribute("name", .stringAttributeType), tagNotes]
    note.properties =
      [
        attribute("text", .stringAttributeType), attribute("stars", .integer16AttributeType),
        attribute("weight", .doubleAttributeType), attribute("isDone", .booleanAttributeType),
        attribute("date", .dateAttributeType), attribute("price", .decimalAttributeType),
        attribute("uuid", .UUIDAttributeType), attribute("link", .URIAttributeType),
        attribute("picture", .binaryDataAttributeType),
        attribute("words", .transformableAttributeType),
        attribute("scan", .binaryDataAttributeType) { $0.allowsExternalBinaryDataStorage = true },
        attribute("draft", .stringAttributeType) { $0.isTransient = true },
      ] + [noteOwner, tags]
    tag.uniquenessConstraints = [["name"]]
    let model = NSManagedObjectModel()
    model.entities = [owner, company, note, tag]
    return model
  }
}
