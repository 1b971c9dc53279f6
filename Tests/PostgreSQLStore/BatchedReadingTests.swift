import CoreData
import PostgreSQLServer
import Testing

@testable import PostgreSQLStore

/// Fetches of more rows than one batch, of as many, and of fewer; what becomes of a connection whose batches were not
/// read to the end.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct BatchedReadingTests {
  private static let size = PostgreSQLConnection.batchSize

  private func stack(_ count: Int) throws -> ServerStack {
    let stack = try ServerStack()
    let context = stack.context()
    try context.performAndWait {
      for number in 0..<count {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue("Book \(number)", forKey: "title")
        book.setValue(number * 7919 % 10_007, forKey: "pages")
      }
      try context.save()
    }
    return stack
  }

  private func request(
    _ predicate: NSPredicate? = nil, sorted: Bool = false
  ) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    request.predicate = predicate
    if sorted { request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: false)] }
    return request
  }

  @Test(arguments: [0, 1, size - 1, size, size + 1, 2 * size, 3 * size, 3 * size + 17])
  func everyRowComesOnce(_ count: Int) throws {
    let stack = try stack(count)
    // The second time what is known of the first is made use of.
    for _ in 0..<2 {
      let context = stack.context()
      try context.performAndWait {
        let books = try context.fetch(request(sorted: true))
        let pages = books.map { $0.value(forKey: "pages") as? Int ?? -1 }
        #expect(pages == (0..<count).map { $0 * 7919 % 10_007 }.sorted(by: >))
        let known = Set(books.compactMap { $0.value(forKey: "title") as? String })
        #expect(known.count == count)

        let identities = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
        identities.resultType = .managedObjectIDResultType
        let unsorted = try context.fetch(request()).map(\.objectID)
        #expect(try context.fetch(identities) == unsorted)
        // Finished in memory, inside of a transaction.
        let ending = NSPredicate(format: "title ENDSWITH '7'")
        #expect(try context.fetch(request(ending)).count == (count + 2) / 10)
        let window = request(sorted: true)
        (window.fetchOffset, window.fetchLimit) = (1, Self.size + 5)
        #expect(
          try context.fetch(window).map(\.objectID)
            == books.dropFirst().prefix(Self.size + 5).map(\.objectID))
      }
    }
  }

  @Test func aQueryThatFoundLittleFindsMuchLater() throws {
    let stack = try stack(10)
    let context = stack.context()
    try context.performAndWait {
      #expect(try context.fetch(request()).count == 10)
      #expect(try stack.contents.shortQueries.contains(of: "Book", in: stack.contents))
      for number in 0..<Self.size * 2 {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue("New \(number)", forKey: "title")
      }
      try context.save()
      #expect(try context.fetch(request()).count == 10 + Self.size * 2)
      #expect(try !stack.contents.shortQueries.contains(of: "Book", in: stack.contents))
      #expect(try context.fetch(request()).count == 10 + Self.size * 2)
    }
  }

  private struct Enough: Error {}

  @Test(arguments: [true, false], [1, 2, 3])
  func aConnectionAnswersAfterBatchesThatNobodyRead(_ isAlone: Bool, _ wanted: Int) throws {
    let stack = try stack(Self.size * 4)
    let connection = try stack.connection()
    var seen = 0
    func read() throws {
      try connection.batches(of: "SELECT title FROM \"Book\"", []) { _ in
        seen += 1
        if seen == wanted { throw Enough() }
      }
    }
    #expect(throws: Enough.self) {
      if isAlone { try read() } else { try connection.snapshot(read) }
    }
    #expect(seen == wanted)
    #expect(connection.isIdle)
    #expect(
      try connection.query("SELECT count(*) FROM \"Book\"").integer(0, column: 0)
        == Int64(Self.size * 4))
    try connection.batches(of: "SELECT title FROM \"Book\" WHERE pages = $1", [.integer(7919)]) {
      seen += $0.count
    }
    #expect(seen > wanted)
  }

  @Test(arguments: [true, false]) func aQueryThatIsWrongSaysSo(_ isAlone: Bool) throws {
    let stack = try stack(3)
    let connection = try stack.connection()
    func read(_ sql: String) throws { try connection.batches(of: sql, []) { _ in } }
    // Before any row, and in the midst of them.
    for (sql, state) in [
      ("SELECT nothing FROM \"Book\"", "42703"),
      ("SELECT 1 / (\(Self.size * 2) - n) FROM generate_series(1, 100000) n", "22012"),
    ] {
      let error = #expect(throws: PostgreSQLError.self) {
        if isAlone { try read(sql) } else { try connection.snapshot { try read(sql) } }
      }
      #expect(error?.state == state)
      #expect(connection.isIdle)
      #expect(try connection.query("SELECT count(*) FROM \"Book\"").integer(0, column: 0) == 3)
    }
  }

  /// Whatever has come of a fetch when its connection is cut, it is begun anew.
  @Test func aFetchIsWholeWhereverItsConnectionIsCut() throws {
    let stack = try stack(Self.size * 3 + 5)
    let (proxy, address) = try CuttingProxy.before(stack.url)
    defer { proxy.close() }
    let coordinator = try ServerStack.open(address)
    var rounds = 0
    while proxy.cuts == rounds {
      proxy.cut(after: rounds * 9001)
      let context = stack.context(coordinator)
      let found = try context.performAndWait { try context.fetch(request()).count }
      #expect(found == Self.size * 3 + 5)
      proxy.stopCutting()
      rounds += 1
    }
    #expect(rounds > 10)
  }
}

extension ShortQueries {
  fileprivate func contains(of entity: String, in contents: StoreContents) -> Bool {
    guard let mapping = contents.schema.mapping.allEntities.first(where: { $0.table == entity })
    else { return false }
    let sql = contents.selection(of: mapping).sql
    return contains { $0.hasPrefix(sql) }
  }
}
