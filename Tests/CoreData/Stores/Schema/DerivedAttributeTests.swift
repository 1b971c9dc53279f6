import CoreDataSupport
import Foundation
import Testing
import TestSupport

@testable import CoreData
@testable import CoreDataSamples

/// Attributes that the store keeps, in every form that a model can ask for.
@Suite struct DerivedAttributeTests {
  /// Authors with books; books have readers; novels are books.
  static func model() -> NSManagedObjectModel {
    let (author, book) = (ModelPart.entity("Author"), ModelPart.entity("Book"))
    let (novel, reader) = (ModelPart.entity("Novel"), ModelPart.entity("Reader"))
    let country = ModelPart.entity("Country")
    let books = ModelPart.relationship("books", to: book, maxCount: 0)
    let bookAuthor = ModelPart.relationship("author", to: author, maxCount: 1)
    let readers = ModelPart.relationship("readers", to: reader, maxCount: 0)
    let read = ModelPart.relationship("read", to: book, maxCount: 0)
    let home = ModelPart.relationship("home", to: country, maxCount: 1)
    let authors = ModelPart.relationship("authors", to: author, maxCount: 0)
    ModelPart.connect(books, bookAuthor)
    ModelPart.connect(readers, read)
    ModelPart.connect(home, authors)
    country.properties = [ModelPart.attribute("name"), authors]
    author.properties = [
      ModelPart.attribute("name"), books, home,
      derived("bookCount", .integer64AttributeType, "books.@count"),
      derived("words", .integer64AttributeType, "books.words.@sum"),
      derived("price", .doubleAttributeType, "books.price.@sum"),
      derived("search", .stringAttributeType, "canonical:(name)"),
      derived("saved", .dateAttributeType, "now()"),
    ]
    book.properties = [
      ModelPart.attribute("title"),
      ModelPart.attribute("words", .integer64AttributeType),
      ModelPart.attribute("price", .doubleAttributeType), bookAuthor, readers,
      derived("copy", .stringAttributeType, "title"),
      derived("authorName", .stringAttributeType, "author.name"),
      derived("shouted", .stringAttributeType, "uppercase:(author.name)"),
      derived("land", .stringAttributeType, "author.home.name"),
      derived("readerCount", .integer32AttributeType, "readers.@count"),
    ]
    novel.properties = [derived("small", .stringAttributeType, "lowercase:(title)")]
    book.subentities = [novel]
    reader.properties = [
      read, derived("wordsRead", .integer64AttributeType, "read.words.@sum"),
    ]
    addKin(author, book, reader)
    let model = NSManagedObjectModel()
    model.entities = [author, book, novel, reader, country]
    return model
  }

  /// Relationships of an entity with itself, one-sided ones and ordered ones; sums of other types.
  private static func addKin(
    _ author: NSEntityDescription, _ book: NSEntityDescription, _ reader: NSEntityDescription
  ) {
    let favorites = ModelPart.relationship("favorites", to: book, maxCount: 0)
    let sequel = ModelPart.relationship("sequel", to: book, maxCount: 1)
    let prequels = ModelPart.relationship("prequels", to: book, maxCount: 0)
    ModelPart.connect(sequel, prequels)
    let rival = ModelPart.relationship("rival", to: author, maxCount: 1)
    let shelf = ModelPart.relationship("shelf", to: book, maxCount: 0)
    let shelved = ModelPart.relationship("shelved", to: reader, maxCount: 0)
    shelf.isOrdered = true
    ModelPart.connect(shelf, shelved)
    author.properties += [
      favorites, rival, derived("favoriteCount", .integer64AttributeType, "favorites.@count"),
      derived("favoriteWords", .integer64AttributeType, "favorites.words.@sum"),
      derived("rivalName", .stringAttributeType, "rival.name"),
      derived("sold", .integer64AttributeType, "books.isSold.@sum"),
    ]
    book.properties += [
      sequel, prequels, shelved, ModelPart.attribute("isSold", .booleanAttributeType),
      derived("prequelCount", .integer64AttributeType, "prequels.@count"),
      derived("prequelWords", .integer64AttributeType, "prequels.words.@sum"),
      derived("shelvedCount", .integer64AttributeType, "shelved.@count"),
    ]
    reader.properties += [
      derived("readCount", .integer64AttributeType, "read.@count"), shelf,
      derived("shelfCount", .integer64AttributeType, "shelf.@count"),
    ]
  }

  private static func derived(
    _ name: String, _ type: NSAttributeType, _ expression: String
  ) -> NSDerivedAttributeDescription {
    let attribute = NSDerivedAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = true
    attribute.derivationExpression = NSExpression(format: expression)
    return attribute
  }

  private func insert(
    _ entity: String, _ values: [String: Any], _ context: NSManagedObjectContext
  ) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  private func save(_ context: NSManagedObjectContext) throws {
    try context.save()
    context.refreshAllObjects()
  }

  @Test(arguments: StoreKind.withDerivedAttributes)
  func everyDerivationFollowsWhatItIsMadeOf(_ kind: StoreKind) throws {
    let stack = try TestStack(kind, model: Self.model())
    try stack.withContext { context in
      let home = insert("Country", ["name": "Ísland"], context)
      let author = insert("Author", ["name": "Héllo Wörld", "home": home], context)
      let book = insert(
        "Book", ["title": "One", "words": 100, "price": 1.5, "author": author], context)
      let novel = insert(
        "Novel", ["title": "TWO ÄÖ", "words": 20, "price": 2.25, "author": author], context)
      #expect(author.value(forKey: "bookCount") == nil, "nothing before the first save")
      try save(context)
      #expect(author.value(forKey: "bookCount") as? Int == 2)
      #expect(author.value(forKey: "words") as? Int == 120)
      #expect(author.value(forKey: "price") as? Double == 3.75)
      #expect(author.value(forKey: "search") as? String == "hello world")
      #expect(book.value(forKey: "copy") as? String == "One")
      #expect(book.value(forKey: "authorName") as? String == "Héllo Wörld")
      #expect(book.value(forKey: "shouted") as? String == "HÉLLO WÖRLD")
      #expect(book.value(forKey: "land") as? String == "Ísland")
      #expect(novel.value(forKey: "small") as? String == "two äö")
      #expect(novel.value(forKey: "land") as? String == "Ísland")

      let other = insert("Author", ["name": "Šu"], context)
      book.setValue(other, forKey: "author")
      book.setValue(7, forKey: "words")
      novel.setValue("Žádný", forKey: "title")
      home.setValue("Iceland", forKey: "name")
      try save(context)
      #expect(author.value(forKey: "bookCount") as? Int == 1)
      #expect(author.value(forKey: "words") as? Int == 20)
      #expect(other.value(forKey: "bookCount") as? Int == 1)
      #expect(other.value(forKey: "words") as? Int == 7)
      #expect(other.value(forKey: "search") as? String == "su")
      #expect(book.value(forKey: "authorName") as? String == "Šu")
      #expect(book.value(forKey: "land") as? String == nil)
      #expect(novel.value(forKey: "small") as? String == "žádný")
      #expect(novel.value(forKey: "land") as? String == "Iceland")

      context.delete(book)
      author.setValue(nil, forKey: "name")
      try save(context)
      #expect(other.value(forKey: "bookCount") as? Int == 0)
      #expect(other.value(forKey: "words") as? Int == 0)
      #expect(author.value(forKey: "search") as? String == nil)
      #expect(novel.value(forKey: "shouted") as? String == nil)
    }
  }

  @Test(arguments: StoreKind.withDerivedAttributes)
  func countsAndSumsOfManyToManyRelationshipsFollow(_ kind: StoreKind) throws {
    let stack = try TestStack(kind, model: Self.model())
    try stack.withContext { context in
      let books = (1...3).map { insert("Book", ["title": "\($0)", "words": $0], context) }
      let reader = insert("Reader", ["read": NSSet(array: books)], context)
      try save(context)
      #expect(books[0].value(forKey: "readerCount") as? Int == 1)
      #expect(reader.value(forKey: "wordsRead") as? Int == 6)
      books[0].setValue(10, forKey: "words")
      reader.setValue(NSSet(array: [books[0], books[1]]), forKey: "read")
      try save(context)
      #expect(books[2].value(forKey: "readerCount") as? Int == 0)
      #expect(reader.value(forKey: "wordsRead") as? Int == 12)
      context.delete(books[1])
      try save(context)
      #expect(reader.value(forKey: "wordsRead") as? Int == 10)
    }
  }

  @Test(arguments: StoreKind.withDerivedAttributes)
  func theTimeOfTheLastSaveMovesOn(_ kind: StoreKind) throws {
    let stack = try TestStack(kind, model: Self.model())
    try stack.withContext { context in
      let start = Date()
      let author = insert("Author", [:], context)
      try save(context)
      let first = try #require(author.value(forKey: "saved") as? Date)
      #expect(first >= start.addingTimeInterval(-0.001) && first <= Date())
      author.setValue("a", forKey: "name")
      // However coarse the store's clock is.
      try Patience.wait(for: "a later moment") { Date().timeIntervalSince(first) > 0.002 }
      try save(context)
      #expect(try #require(author.value(forKey: "saved") as? Date) > first)
    }
  }

  @Test(arguments: StoreKind.withDerivedAttributes)
  func derivedValuesCanBeFetchedBy(_ kind: StoreKind) throws {
    let stack = try TestStack(kind, model: Self.model())
    try stack.withContext { context in
      _ = insert("Author", ["name": "Ünal"], context)
      _ = insert("Author", ["name": "Anna"], context)
      try context.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
      request.predicate = NSPredicate(format: "search BEGINSWITH 'un' AND bookCount == 0")
      #expect(try context.fetch(request).map { $0.value(forKey: "name") as? String } == ["Ünal"])
    }
  }

  @Test(arguments: StoreKind.withDerivedAttributes)
  func batchesKeepDerivedValues(_ kind: StoreKind) throws {
    let stack = try TestStack(kind, model: Self.model())
    try stack.withContext { context in
      let rows: [[String: Any]] = [["name": "Éva"], ["name": "Zoë"]]
      _ = try context.execute(NSBatchInsertRequest(entityName: "Author", objects: rows))
      let update = NSBatchUpdateRequest(entityName: "Author")
      update.predicate = NSPredicate(format: "search == 'eva'")
      update.propertiesToUpdate = ["name": "Ève"]
      _ = try context.execute(update)
      let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      let found = try context.fetch(request).map { $0.value(forKey: "search") as? String }
      #expect(Set(found) == ["eve", "zoe"])
    }
  }

  /// A writer with the functions that Apple's frameworks have, and none of ours, can still write the file.
  @Test func aFileCallsNoFunctionOfOurs() throws {
    let fixture = try StoreFixture(Self.model())
    let plain = PlainSQL(url: fixture.url)
    let triggers = try plain.rows("SELECT sql FROM sqlite_master WHERE type = 'trigger'")
    #expect(triggers.count > 20)
    for trigger in triggers {
      let names = trigger.matches(of: /\w*CoreData\w*(?=\()/).map { String($0.output) }
      #expect(
        Set(names).isSubset(of: [
          "NSCoreDataDATriggerUpdatedAffectedObjectValue", "NSCoreDataNow",
          "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
        ]))
    }
  }

  @Test func functionsOfAnotherFrameworksTriggersAreThere() throws {
    let fixture = try StoreFixture(Self.model())
    try fixture.close()
    try PlainSQL(url: fixture.url).execute(
      "CREATE TRIGGER Z_DA_ZAUTHOR_Author_search_SOURCE_INSERT AFTER INSERT ON ZAUTHOR "
        + "FOR EACH ROW BEGIN UPDATE ZAUTHOR SET ZSEARCH = NSCoreDataCanonicalText(ZNAME) || '!' "
        + "WHERE Z_PK = NEW.Z_PK; END")
    let again = try StoreFixture(Self.model(), in: fixture.folder)
    try again.insert("Author", [["name": .text("Ä")]])
    #expect(try PlainSQL(url: fixture.url).rows("SELECT ZSEARCH FROM ZAUTHOR") == ["a!"])
  }

  @Test(arguments: [
    "books.@sum.words", "books.@avg", "books.name", "length:(name)", "missing", "home.@count",
    "1 + 1", "canonical:(books.@count)",
  ])
  func whatCannotBeDerivedIsRefusedWithAReason(_ expression: String) throws {
    let model = Self.model()
    let author = try #require(model.entitiesByName["Author"])
    author.properties += [Self.derived("wrong", .stringAttributeType, expression)]
    let error = #expect(throws: NSError.self) { try StoreFixture(model) }
    let reason = try #require(error?.userInfo["reason"] as? String)
    #expect(reason.contains("wrong") && reason.contains("Author"), "\(reason)")
  }
}
