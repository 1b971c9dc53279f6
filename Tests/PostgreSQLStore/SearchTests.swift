import CoreData
import PostgreSQLServer
import TestSupport
import Testing

@testable import PostgreSQLStore

/// Searches in which case and accents do not count: 3,000 titles, or `SEARCH_ROWS`, whose times are printed.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct SearchTests {
  private static let count =
    ProcessInfo.processInfo.environment["SEARCH_ROWS"].flatMap(Int.init) ?? 3000

  /// Titles of two words and a number, each of them once.
  private func makeStack(accented: @escaping @Sendable (Int) -> Bool) throws -> ServerStack {
    let stack = try ServerStack()
    let words = ["Sea", "wolf", "Night", "RIVER", "garden", "Stone", "lamp", "Winter"]
    let context = stack.context()
    try context.performAndWait {
      var number = 0
      let request = NSBatchInsertRequest(
        entityName: "Book",
        dictionaryHandler: { row in
          guard number < Self.count else { return true }
          let word = words[number % 8] + (accented(number) ? "é" : "")
          row["title"] = "\(word) \(words[number / 8 % 8]) \(number)"
          row["pages"] = number
          number += 1
          return false
        })
      _ = try context.execute(request)
    }
    return stack
  }

  private static let searches = [
    "title CONTAINS[c] 'wolf lamp 1'", "title CONTAINS[cd] 'SEAE'", "title CONTAINS[cd] 'é w'",
    "title BEGINSWITH[cd] 'night r'", "title ENDSWITH[c] 'STONE 77'", "title LIKE[c] '*r*r*7?'",
    "title ==[c] 'sea sea 0'", "title <[c] 'b'", "title ENDSWITH 'e 7'", "title LIKE 'S?a w*'",
    "title CONTAINS[c] 'r' AND pages < 500", "title CONTAINS[c] 'zebra' OR pages == 3",
    "title CONTAINS[c] '100%' OR title LIKE[c] 'wolf_*'", "title !=[c] 'SEA sea 0' AND pages < 5",
    "NOT title CONTAINS[c] 'e'",
  ]

  /// What memory finds, and in which order: the search as it is, over all objects.
  private func check(_ stack: ServerStack, _ format: String) throws {
    let predicate = NSPredicate(format: format, argumentArray: nil)
    let context = stack.context()
    try context.performAndWait {
      let all = NSFetchRequest<NSManagedObject>(entityName: "Book")
      all.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
      let wanted = try context.fetch(all).filter { predicate.evaluate(with: $0) }
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      (request.predicate, request.sortDescriptors) = (predicate, all.sortDescriptors)
      #expect(try context.fetch(request).map(\.objectID) == wanted.map(\.objectID), "\(format)")
      #expect(try context.count(for: request) == wanted.count, "\(format)")
      let identities = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
      (identities.predicate, identities.sortDescriptors) = (predicate, all.sortDescriptors)
      identities.resultType = .managedObjectIDResultType
      #expect(try context.fetch(identities) == wanted.map(\.objectID), "\(format)")
      (request.fetchLimit, request.fetchOffset) = (7, 2)
      #expect(
        try context.fetch(request).map(\.objectID)
          == wanted.dropFirst(2).prefix(7).map(\.objectID), "\(format)")
    }
  }

  @Test(
    .enabled(if: count <= 10_000, "It is for a few rows"),
    arguments: [0, 1, 50], searches)
  func memoryFindsTheSame(accented: Int, _ format: String) throws {
    let stack = try makeStack { accented > 0 && $0 % accented == 0 }
    try check(stack, format)
  }

  /// Nil is neither equal nor different, but for who asks for the rule of memory; texts are plain, or one is not.
  @Test(
    arguments: [nil, "Élan"], [false, true])
  func nilIsWhatItIsInAFile(accented: String?, asInMemory: Bool) throws {
    let options: [AnyHashable: Any] = [OpenCoreDataComparesNilAsInMemoryOption: asInMemory]
    let stack = try ServerStack(options: options)
    let file = NSPersistentStoreCoordinator(
      managedObjectModel: stack.coordinator.managedObjectModel)
    let folder = try TestFolder()
    try file.addPersistentStore(type: .sqlite, at: folder.file("a.sqlite"), options: options)
    for coordinator in [stack.coordinator, file] {
      let context = stack.context(coordinator)
      try context.performAndWait {
        for title in ["Sea", "wolf", nil, nil, accented] {
          let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
          book.setValue(title, forKey: "title")
        }
        try context.save()
      }
    }
    for format in [
      "title CONTAINS[c] 'S'", "NOT title CONTAINS[c] 'S'", "NOT title CONTAINS[cd] 'e'",
      "NOT title CONTAINS[c] 'é'", "title !=[c] 'SEA'", "title ==[c] 'SEA'",
      "NOT title ==[c] 'SEA'", "NOT title !=[c] 'SEA'", "NOT title LIKE[c] 'w*'",
      "NOT title <[c] 'T'", "NOT NOT title ENDSWITH[c] 'A'",
      "NOT (title CONTAINS[c] 'z' OR title ==[c] 'sea')",
    ] {
      let counts = try [stack.coordinator, file].map { coordinator in
        let context = stack.context(coordinator)
        return try context.performAndWait {
          let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
          request.predicate = NSPredicate(format: format, argumentArray: nil)
          return try context.count(for: request)
        }
      }
      #expect(counts[0] == counts[1], "\(format)")
    }
  }

  @Test(.enabled(if: count > 10_000, "SEARCH_ROWS is not set"), arguments: [false, true])
  func times(accented: Bool) throws {
    let stack = try makeStack { accented && $0 % 50 == 0 }
    _ = try stack.connection().query("SELECT 1")
    try stack.connection().execute("ANALYZE")
    let context = stack.context()
    for format in Self.searches {
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
      request.resultType = .managedObjectIDResultType
      request.predicate = NSPredicate(format: format, argumentArray: nil)
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      var found = 0
      let all = try ContinuousClock().measure {
        found = try context.performAndWait { try context.fetch(request).count }
      }
      request.fetchLimit = 50
      let page = try ContinuousClock().measure {
        _ = try context.performAndWait { try context.fetch(request).count }
      }
      let count = try ContinuousClock().measure {
        _ = try context.performAndWait { try context.count(for: request) }
      }
      print("search: \(accented) \(format): \(found) in \(all), 50 in \(page), counted in \(count)")
    }
  }
}
