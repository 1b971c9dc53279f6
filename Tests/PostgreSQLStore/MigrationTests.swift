import CoreData
import CoreDataSupport
import PostgreSQLServer
import Synchronization
import Testing

@testable import PostgreSQLStore

/// Stores of an older version of the model: what is kept, what is refused, and who migrates.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct MigrationTests {
  private static var options: [AnyHashable: Any] {
    [
      NSMigratePersistentStoresAutomaticallyOption: true, OpenCoreDataRemovesEntitiesOption: true,
      NSInferMappingModelAutomaticallyOption: true, NSPersistentHistoryTrackingKey: true,
    ]
  }

  /// Authors with one book each.
  private static func first() -> NSManagedObjectModel {
    let (author, book) = (ModelPart.entity("Author"), ModelPart.entity("Book"))
    let (own, inverse) = ModelPart.relate(author, "book", 1, book, "author", 1)
    author.properties = [ModelPart.attribute("name"), own]
    book.properties = [
      ModelPart.attribute("title"), ModelPart.attribute("pages", .integer64AttributeType),
      inverse,
    ]
    book.attributesByName["title"]?.preservesValueInHistoryOnDeletion = true
    return ModelPart.model([author, book])
  }

  /// Writers, each with several works, which are unique by name; pages and an index are new and gone.
  private static func second(
    _ change: (NSEntityDescription) -> Void = { _ in }
  ) -> NSManagedObjectModel {
    let model = first()
    guard let author = model.entitiesByName["Author"], let book = model.entitiesByName["Book"]
    else { return model }
    (author.name, author.renamingIdentifier) = ("Writer", "Author")
    (book.name, book.renamingIdentifier) = ("Work", "Book")
    if let works = author.relationshipsByName["book"] {
      (works.name, works.renamingIdentifier, works.maxCount) = ("works", "book", 0)
    }
    if let title = book.attributesByName["title"] {
      (title.name, title.renamingIdentifier) = ("heading", "title")
    }
    let stars = ModelPart.attribute("stars", .integer64AttributeType)
    (stars.isOptional, stars.defaultValue) = (false, 3)
    let sold = ModelPart.attribute("sold", .booleanAttributeType)
    (sold.isOptional, sold.defaultValue) = (false, true)
    book.properties = book.properties.filter { $0.name != "pages" } + [stars, sold]
    book.uniquenessConstraints = [["heading"]]
    book.indexes = [
      NSFetchIndexDescription(
        name: "byStars",
        elements: [NSFetchIndexElementDescription(property: stars, collationType: .binary)])
    ]
    change(book)
    return model
  }

  private func url() throws -> URL {
    try PostgreSQLServer.url(
      schema: "m" + UUID().uuidString.lowercased().filter { $0 != "-" })
  }

  private func open(
    _ model: NSManagedObjectModel, _ url: URL, _ options: [AnyHashable: Any]? = Self.options
  ) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .postgreSQL, at: url, options: options)
    let context = coordinator.makeContext()
    return context
  }

  /// Makes a store with these books, and one that was deleted. Returns the URIs of the books.
  @discardableResult
  private func fill(_ url: URL, _ titles: [String]) throws -> [URL] {
    let context = try open(Self.first(), url)
    return try context.performAndWait {
      let books = titles.map { title in
        let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
        author.setValue("of \(title)", forKey: "name")
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue("draft", forKey: "title")
        book.setValue(author, forKey: "author")
        return book
      }
      let gone = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      gone.setValue("gone", forKey: "title")
      try context.save()
      books.first?.setValue(Int64(7), forKey: "pages")
      for (book, title) in zip(books, titles) { book.setValue(title, forKey: "title") }
      context.delete(gone)
      try context.save()
      return books.map { $0.objectID.uriRepresentation() }
    }
  }

  private func rows(_ url: URL, _ sql: String) throws -> [String] {
    let connection = try PostgreSQLConnection(ServerAddress(url), timeout: nil)
    let result = try connection.query(sql)
    return (0..<result.count).map { result.text($0, column: 0) }
  }

  private func code(_ body: () throws -> Void) -> (code: Int, reason: String) {
    do {
      try body()
      return (0, "")
    } catch {
      let error = error as NSError
      return (error.code, error.localizedFailureReason ?? "")
    }
  }

  // MARK: - What is kept

  @Test func objectsKeysAndHistoryAreKept() throws {
    let url = try url()
    let uris = try fill(url, ["a", "b"])
    let uuid = try rows(url, "SELECT uuid FROM _coredata_store")
    let context = try open(Self.second(), url)
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Work")
      request.sortDescriptors = [NSSortDescriptor(key: "heading", ascending: true)]
      let works = try context.fetch(request)
      #expect(works.map { $0.value(forKey: "heading") as? String } == ["a", "b"])
      #expect(works.allSatisfy { $0.value(forKey: "stars") as? Int == 3 })
      #expect(works.allSatisfy { $0.value(forKey: "sold") as? Bool == true })
      #expect(works.map { $0.value(forKeyPath: "author.name") as? String } == ["of a", "of b"])
      let author = try #require(works[0].value(forKey: "author") as? NSManagedObject)
      #expect((author.value(forKey: "works") as? Set<NSManagedObject>) == [works[0]])
      // The key is the same, under the entity's new name.
      #expect(
        works.map { $0.objectID.uriRepresentation().lastPathComponent }
          == uris.map(\.lastPathComponent))
      let history = try #require(
        try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast))
          as? NSPersistentHistoryResult)
      let changes = (history.result as? [NSPersistentHistoryTransaction] ?? [])
        .flatMap { $0.changes ?? [] }
      #expect(changes.count == 8)
      let updates = changes.filter { $0.changeType == .update }
      #expect(
        updates.flatMap { ($0.updatedProperties ?? []).map(\.name) } == ["heading", "heading"])
      let gone = changes.first { $0.changeType == .delete }
      #expect(gone?.tombstone?["heading"] as? String == "gone")
      // What comes next has keys of its own.
      NSEntityDescription.insertNewObject(forEntityName: "Work", into: context)
        .setValue("c", forKey: "heading")
      try context.save()
    }
    #expect(try rows(url, "SELECT uuid FROM _coredata_store") == uuid)
    #expect(try rows(url, "SELECT count(*)::text FROM \"Work\"") == ["3"])
    #expect(try rows(url, "SELECT 'x' WHERE to_regclass('\"Book\"') IS NOT NULL") == [])
  }

  @Test func aColumnThatIsRenamedIsNotWrittenAnew() throws {
    let url = try url()
    try fill(url, ["a", "b"])
    let before = try rows(url, "SELECT pg_relation_filenode('\"Author\"')::text")
    _ = try open(Self.second(), url)
    #expect(try rows(url, "SELECT pg_relation_filenode('\"Writer\"')::text") == before)
  }

  @Test func theStoreKeepsItsModel() throws {
    let url = try url()
    try fill(url, ["a"])
    #expect(
      try PostgreSQLStore.storedModel(at: url).entityVersionHashesByName
        == Self.first().entityVersionHashesByName)
    _ = try open(Self.second(), url)
    #expect(
      try PostgreSQLStore.storedModel(at: url).entityVersionHashesByName
        == Self.second().entityVersionHashesByName)
  }

  @Test func manyThatOpenAtOnceMigrateOnce() throws {
    let url = try url()
    try fill(url, ["a", "b"])
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 6) { number in
      do {
        let context = try open(Self.second(), url)
        try context.performAndWait {
          NSEntityDescription.insertNewObject(forEntityName: "Work", into: context)
            .setValue("new \(number)", forKey: "heading")
          try context.save()
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try rows(url, "SELECT count(*)::text FROM \"Work\"") == ["8"])
  }

  // MARK: - What is refused

  @Test func withoutTheOptionsTheStoreIsOfAnotherVersion() throws {
    let url = try url()
    try fill(url, ["a"])
    #expect(
      code { _ = try open(Self.second(), url, nil) }.code
        == NSPersistentStoreIncompatibleVersionHashError)
    let inferring: [AnyHashable: Any] = [
      NSMigratePersistentStoresAutomaticallyOption: true, NSPersistentHistoryTrackingKey: true,
    ]
    #expect(
      code { _ = try open(Self.second(), url, inferring) }.code
        == NSMigrationMissingMappingModelError)
    #expect(try rows(url, "SELECT title FROM \"Book\"") == ["a"])
  }

  @Test func whatTheNewModelForbidsLeavesEverythingAsItWas() throws {
    let url = try url()
    try fill(url, ["same", "same"])
    let twice = code { _ = try open(Self.second(), url) }
    #expect(twice.code == NSMigrationConstraintViolationError)
    #expect(twice.reason.contains("uniqueness"))
    let mandatory = code {
      _ = try open(
        Self.second { book in
          book.uniquenessConstraints = []
          book.properties.append(ModelPart.attribute("needed", isOptional: false))
        }, url)
    }
    #expect(mandatory.code == NSMigrationError)
    #expect(mandatory.reason.contains("needed"))
    let context = try open(Self.first(), url)
    let counts = try context.performAndWait {
      try ["Book", "Author"].map {
        try context.count(for: NSFetchRequest<NSManagedObject>(entityName: $0))
      }
    }
    #expect(counts == [2, 2])
    let aside = "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()"
    #expect(try rows(url, aside).filter { $0.hasPrefix("_coredata_old") } == [])
  }

  @Test func anErrorOfAMigrationShowsNoPassword() throws {
    let url = try url()
    try fill(url, ["same", "same"])
    let secret = try #require(URL(string: url.absoluteString + "&password=hush"))
    do {
      _ = try open(Self.second(), secret)
      Issue.record("The migration was to fail.")
    } catch {
      #expect(!"\(error) \((error as NSError).userInfo)".contains("hush"))
    }
  }
}
