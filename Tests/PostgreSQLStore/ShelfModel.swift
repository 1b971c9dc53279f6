import CoreData
import CoreDataSupport

/// Shelves with books in their order, tags and favourites: a value of every type, every kind of relationship, a subentity.
enum ShelfModel {
  static func make() -> NSManagedObjectModel {
    let names = ["Shelf", "Book", "Comic", "Tag"]
    let entities = names.map { ModelPart.entity($0) }
    let (shelf, book, comic, tag) = (entities[0], entities[1], entities[2], entities[3])
    book.subentities = [comic]
    let count = NSDerivedAttributeDescription()
    (count.name, count.attributeType) = ("count", .integer64AttributeType)
    count.derivationExpression = NSExpression(format: "books.@count")
    shelf.properties = [ModelPart.attribute("name"), count]
    let cover = ModelPart.attribute("cover", .binaryDataAttributeType)
    cover.allowsExternalBinaryDataStorage = true
    book.properties =
      [
        ("title", .stringAttributeType), ("pages", .integer32AttributeType),
        ("price", .decimalAttributeType), ("weight", .doubleAttributeType),
        ("date", .dateAttributeType), ("isRead", .booleanAttributeType),
        ("number", .UUIDAttributeType), ("link", .URIAttributeType),
      ].map { ModelPart.attribute($0, $1) } + [cover]
    comic.properties = [ModelPart.attribute("colours", .integer16AttributeType)]
    tag.properties = [ModelPart.attribute("name")]
    ModelPart.join(shelf, "books", 0, book, "shelf", 1, isOrdered: true)
    ModelPart.join(book, "tags", 0, tag, "books", 0)
    let like = ModelPart.end(book, "like", to: book)
    ModelPart.connect(like, like)
    let favourites = ModelPart.relationship("favourites", to: book, maxCount: 0)
    tag.properties.append(favourites)
    return ModelPart.model(entities)
  }

  /// Shelves with three books each, among them comics; one book is deleted again, so that its key is nobody's.
  static func fill(_ context: NSManagedObjectContext, shelves: Int, _ title: String) throws {
    func make(_ name: String) -> NSManagedObject {
      NSEntityDescription.insertNewObject(forEntityName: name, into: context)
    }
    let tags = (0..<3).map { number in
      let tag = make("Tag")
      tag.setValue("tag \(number)", forKey: "name")
      return tag
    }
    var last: NSManagedObject?
    for number in 0..<shelves {
      let shelf = make("Shelf")
      shelf.setValue("Shelf \(number)", forKey: "name")
      let books = (0..<3).map { place in
        let book = make(place == 2 ? "Comic" : "Book")
        book.setValue("\(title) \(number).\(place)", forKey: "title")
        if place != 1 { fill(book, number) }
        book.setValue(Set(tags.prefix(place)), forKey: "tags")
        return book
      }
      shelf.setValue(NSOrderedSet(array: books.reversed()), forKey: "books")
      books[0].setValue(Set([last].compactMap { $0 }), forKey: "like")
      tags[number % 3].setValue(Set([books[1]]), forKey: "favourites")
      last = books[0]
    }
    try context.save()
    let gone = make("Book")
    try context.save()
    context.delete(gone)
    try context.save()
  }

  private static func fill(_ book: NSManagedObject, _ number: Int) {
    book.setValue(number * 7, forKey: "pages")
    book.setValue(NSDecimalNumber(string: "12345.\(number)5"), forKey: "price")
    book.setValue(Double(number) / 3, forKey: "weight")
    book.setValue(Date(timeIntervalSinceReferenceDate: Double(number) + 0.25), forKey: "date")
    book.setValue(number.isMultiple(of: 2), forKey: "isRead")
    book.setValue(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"), forKey: "number")
    book.setValue(URL(string: "https://a.example/\(number)"), forKey: "link")
    book.setValue(
      Data(repeating: UInt8(number % 200), count: number == 0 ? 200_000 : 5), forKey: "cover")
    if book.entity.name == "Comic" { book.setValue(4, forKey: "colours") }
  }

  /// Every object with its ID, its values and its members.
  static func contents(of coordinator: NSPersistentStoreCoordinator) throws -> [String] {
    let context = coordinator.makeContext()
    return try context.performAndWait {
      try ["Shelf", "Book", "Tag"].flatMap { name in
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: name)).map(text)
      }.sorted()
    }
  }

  private static func text(_ object: NSManagedObject) -> String {
    func place(_ object: Any) -> String {
      (object as? NSManagedObject)?.objectID.uriRepresentation().absoluteString ?? ""
    }
    let values = object.entity.propertiesByName.keys.sorted().map { key in
      switch object.value(forKey: key) {
      case let members as NSOrderedSet: "\(key): \(members.map(place))"
      case let members as NSSet: "\(key): \(members.map(place).sorted())"
      case let other as NSManagedObject: "\(key): \(place(other))"
      case let data as Data: "\(key): \(data.count) \(data.first ?? 0)"
      case let value?: "\(key): \(value)"
      case nil: "\(key): -"
      }
    }
    return "\(place(object)) \(values.joined(separator: ", "))"
  }
}
