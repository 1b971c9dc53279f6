import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Random changes to a graph, by saves and by batches; after each, every derived attribute is what the objects
/// themselves say.
@Suite struct GeneratedDerivationTests {
  private static let seed =
    UInt64(ProcessInfo.processInfo.environment["DERIVATION_SEED"] ?? "") ?? 1
  private static let rounds =
    UInt64(ProcessInfo.processInfo.environment["DERIVATION_ROUNDS"] ?? "") ?? 6

  @Test(arguments: StoreKind.withDerivedAttributes)
  func derivedAttributesSayWhatTheirObjectsDo(_ kind: StoreKind) throws {
    for seed in Self.seed..<Self.seed + Self.rounds {
      let stack = try TestStack(kind, model: DerivedAttributeTests.model())
      try stack.withContext { context in
        var history = RandomDerivations(context: context, seed: seed)
        for step in 1...40 {
          try history.change()
          let wrong = try history.differences()
          #expect(wrong == [], "seed \(seed), step \(step): \(history.last)")
          if !wrong.isEmpty { return }
        }
      }
    }
  }

  /// Several contexts add members to one object, take some away and rename it, all at once.
  @Test(arguments: StoreKind.withDerivedAttributes)
  func derivedAttributesAreRightWhereManySaveAtOnce(_ kind: StoreKind) async throws {
    let stack = try TestStack(kind, model: DerivedAttributeTests.model())
    let author = try stack.withContext { context in
      let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
      try context.save()
      return author.objectID
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 1...4 {
        let context = stack.makeContext()
        group.addTask {
          try await context.perform {
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            for round in 1...12 {
              let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
              book.setValue(round, forKey: "words")
              book.setValue(context.object(with: author), forKey: "author")
              if worker == 1 {
                context.object(with: author).setValue("Name \(round)", forKey: "name")
              }
              try context.save()
              if round % 3 == 0 {
                context.delete(book)
                try context.save()
              }
              context.reset()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    try stack.withContext { context in
      var history = RandomDerivations(context: context, seed: 0)
      let wrong = try history.differences()
      #expect(wrong == [])
      #expect(context.object(with: author).value(forKey: "bookCount") as? Int == 32)
      #expect(context.object(with: author).value(forKey: "words") as? Int == 4 * (78 - 30))
    }
  }
}

/// Changes to the graph of ``DerivedAttributeTests/model()``, and the plain way to compute what it derives.
private struct RandomDerivations {
  let context: NSManagedObjectContext
  private var random: SplitMix64
  private(set) var last = ""

  init(context: NSManagedObjectContext, seed: UInt64) {
    self.context = context
    random = SplitMix64(seed: seed)
  }

  private static let texts = ["Ísland", "straße", "ÉTÉ", "plain", "Žádný", "日本", ""]

  private mutating func text() -> String? {
    Int.random(in: 0..<6, using: &random) == 0 ? nil : Self.texts.randomElement(using: &random)
  }

  private mutating func number() -> Int? {
    Int.random(in: 0..<6, using: &random) == 0 ? nil : Int.random(in: -5...50, using: &random)
  }

  private func all(_ entity: String) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    return try context.fetch(request)
      .sorted { $0.objectID.uriRepresentation().path < $1.objectID.uriRepresentation().path }
  }

  private mutating func any(_ entity: String) throws -> NSManagedObject? {
    try all(entity).randomElement(using: &random)
  }

  /// Several changes and a save, or a batch.
  mutating func change() throws {
    if Int.random(in: 0..<5, using: &random) == 0 {
      try batch()
      context.reset()
      return
    }
    last = ""
    for _ in 0..<Int.random(in: 1...4, using: &random) { try edit() }
    do { try context.save() } catch {
      // A reader of the same book twice, say: what cannot be saved is no matter here.
      context.rollback()
      throw error
    }
    context.refreshAllObjects()
  }

  private mutating func edit() throws {
    let kind = Int.random(in: 0..<14, using: &random)
    last += "\(kind) "
    switch kind {
    case 0, 1, 2:
      let names = ["Author", "Book", "Novel", "Reader", "Country"]
      let name = names.randomElement(using: &random)!
      let object = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
      for key in ["name", "title"] where object.entity.attributesByName[key] != nil {
        object.setValue(text(), forKey: key)
      }
      if object.entity.attributesByName["words"]?.isDerivedHere == false {
        object.setValue(number(), forKey: "words")
        object.setValue(number().map { Double($0) / 4 }, forKey: "price")
      }
      if object.entity.relationshipsByName["author"] != nil {
        object.setValue(try any("Author"), forKey: "author")
      }
      if name == "Author" { object.setValue(try any("Country"), forKey: "home") }
    case 3: try any("Author")?.setValue(text(), forKey: "name")
    case 4: try any("Country")?.setValue(text(), forKey: "name")
    case 5:
      guard let book = try any("Book") else { return }
      book.setValue(number(), forKey: "words")
      book.setValue(text(), forKey: "title")
    case 6: try any("Book")?.setValue(try any("Author"), forKey: "author")
    case 7: try any("Author")?.setValue(try any("Country"), forKey: "home")
    case 8:
      let (owner, key) = Bool.random(using: &random) ? ("Reader", "read") : ("Book", "readers")
      let other = owner == "Reader" ? "Book" : "Reader"
      var members: [NSManagedObject] = []
      for object in try all(other) where Bool.random(using: &random) { members.append(object) }
      try any(owner)?.setValue(NSSet(array: members), forKey: key)
    case 9: try any("Book")?.setValue(try any("Book"), forKey: "sequel")
    case 10: try any("Author")?.setValue(try any("Author"), forKey: "rival")
    case 11: try any("Book")?.setValue(Bool.random(using: &random), forKey: "isSold")
    case 12:
      var members: [NSManagedObject] = []
      for object in try all("Book") where Bool.random(using: &random) { members.append(object) }
      if Bool.random(using: &random) {
        try any("Author")?.setValue(NSSet(array: members), forKey: "favorites")
      } else {
        try any("Reader")?.setValue(
          NSOrderedSet(array: members.shuffled(using: &random)), forKey: "shelf")
      }
    default:
      let name = ["Author", "Book", "Reader", "Country"].randomElement(using: &random)!
      if let object = try any(name) { context.delete(object) }
    }
  }

  private mutating func batch() throws {
    let kind = Int.random(in: 0..<5, using: &random)
    last = "batch \(kind)"
    switch kind {
    case 0:
      let rows: [[String: Any]] = (0..<3).map { _ in ["name": text() ?? "x"] }
      try context.execute(NSBatchInsertRequest(entityName: "Author", objects: rows))
    case 1:
      let update = NSBatchUpdateRequest(entityName: "Book")
      update.predicate = NSPredicate(format: "words < 20")
      update.propertiesToUpdate = ["words": number() ?? 3, "title": text() ?? "t"]
      try context.execute(update)
    case 2:
      let update = NSBatchUpdateRequest(entityName: "Author")
      update.propertiesToUpdate = ["name": text() ?? "n"]
      try context.execute(update)
    case 3:
      let update = NSBatchUpdateRequest(entityName: "Book")
      update.propertiesToUpdate = ["words": NSExpression(format: "words + 1")]
      try context.execute(update)
    default:
      let name = ["Book", "Author", "Reader"].randomElement(using: &random)!
      guard let object = try any(name) else { return }
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: name)
      request.predicate = NSPredicate(format: "SELF == %@", object)
      try context.execute(NSBatchDeleteRequest(fetchRequest: request))
    }
  }

  // MARK: - What it has to be

  mutating func differences() throws -> [String] {
    var wrong: [String] = []
    func compare(_ object: NSManagedObject, _ key: String, _ wanted: Any?) {
      let found = object.value(forKey: key)
      let isSame: Bool
      switch (found, wanted) {
      case (nil, nil): isSame = true
      case (let found as NSNumber, let wanted as NSNumber): isSame = found == wanted
      case (let found as String, let wanted as String): isSame = found == wanted
      default: isSame = false
      }
      if !isSame {
        wrong.append(
          "\(object.entity.name ?? "").\(key): \(found ?? "nil"), not \(wanted ?? "nil")")
      }
    }
    for author in try all("Author") {
      let books = author.value(forKey: "books") as? Set<NSManagedObject> ?? []
      compare(author, "bookCount", books.count)
      compare(author, "words", Self.sum(books, "words"))
      compare(author, "price", Self.sum(books, "price"))
      compare(author, "search", Self.canonical(author.value(forKey: "name")))
      let favorites = author.value(forKey: "favorites") as? Set<NSManagedObject> ?? []
      compare(author, "favoriteCount", favorites.count)
      compare(author, "favoriteWords", Self.sum(favorites, "words"))
      let rival = author.value(forKey: "rival") as? NSManagedObject
      let isThere = rival.map { (try? context.existingObject(with: $0.objectID)) != nil } ?? false
      compare(author, "rivalName", isThere ? rival?.value(forKey: "name") : nil)
      compare(author, "sold", Self.sum(books, "isSold"))
      if author.value(forKey: "saved") == nil { wrong.append("Author.saved: nil") }
    }
    for book in try all("Book") {
      let author = book.value(forKey: "author") as? NSManagedObject
      let name = author?.value(forKey: "name") as? String
      compare(book, "copy", book.value(forKey: "title"))
      compare(book, "authorName", name)
      compare(book, "shouted", name?.uppercased())
      let home = author?.value(forKey: "home") as? NSManagedObject
      compare(book, "land", home?.value(forKey: "name"))
      compare(book, "readerCount", (book.value(forKey: "readers") as? Set<NSManagedObject>)?.count)
      let prequels = book.value(forKey: "prequels") as? Set<NSManagedObject> ?? []
      compare(book, "prequelCount", prequels.count)
      compare(book, "prequelWords", Self.sum(prequels, "words"))
      compare(book, "shelvedCount", (book.value(forKey: "shelved") as? Set<NSManagedObject>)?.count)
      if book.entity.name == "Novel" {
        compare(book, "small", (book.value(forKey: "title") as? String)?.lowercased())
      }
    }
    for reader in try all("Reader") {
      let read = reader.value(forKey: "read") as? Set<NSManagedObject> ?? []
      compare(reader, "readCount", read.count)
      compare(reader, "wordsRead", Self.sum(read, "words"))
      compare(reader, "shelfCount", (reader.value(forKey: "shelf") as? NSOrderedSet)?.count)
    }
    return wrong
  }

  private static func sum(_ objects: Set<NSManagedObject>, _ key: String) -> NSNumber {
    objects.reduce(0.0) { $0 + ($1.value(forKey: key) as? NSNumber ?? 0).doubleValue } as NSNumber
  }

  private static func canonical(_ text: Any?) -> Any? {
    (text as? String)?.folding(
      options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }
}

extension NSAttributeDescription {
  fileprivate var isDerivedHere: Bool { self is NSDerivedAttributeDescription }
}
