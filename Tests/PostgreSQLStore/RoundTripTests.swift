import CoreData
import CoreDataSupport
import PostgreSQLServer
import Testing

@testable import PostgreSQLStore

/// How often a save and a fetch wait for the server, once its statements are prepared. By libpq a row takes three round
/// trips: BEGIN, INSERT, COMMIT.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct RoundTripTests {
  private func check(
    history: Bool, _ expected: Int, _ work: (NSManagedObjectContext, Int) throws -> Void
  ) throws {
    let (proxy, url) = try CuttingProxy.before(
      PostgreSQLServer.url(schema: "trips" + UUID().uuidString.lowercased().filter { $0 != "-" }))
    defer { proxy.close() }
    let coordinator = try ServerStack.open(url, [NSPersistentHistoryTrackingKey: history])
    let context = coordinator.makeContext()
    try context.performAndWait { () throws in
      for number in 0..<30 {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue("first \(number)", forKey: "title")
      }
      try context.save()
      // Held, so that work finds them among the registered ones.
      let books = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
      defer { withExtendedLifetime(books) {} }
      // Twice, so that statements are prepared and connections made.
      for round in 0..<2 { try work(context, round) }
      let trips = try proxy.roundTrips { try work(context, 2) }
      print("round trips: \(trips)")
      #expect(trips == expected)
    }
    try coordinator.removeStores()
  }

  private func insert(_ count: Int, _ context: NSManagedObjectContext, _ round: Int) throws {
    for number in 0..<count {
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue("book \(round) \(number)", forKey: "title")
    }
    try context.save()
  }

  @Test(arguments: [false, true]) func ofANewObject(history: Bool) throws {
    try check(history: history, history ? 2 : 1) { try insert(1, $0, $1) }
  }

  @Test(arguments: [false, true]) func ofTenNewObjects(history: Bool) throws {
    try check(history: history, history ? 2 : 1) { try insert(10, $0, $1) }
  }

  /// COPY begins, ends, the mark, COMMIT.
  @Test func ofManyNewObjects() throws {
    try check(history: false, 5) { try insert(500, $0, $1) }
  }

  @Test(arguments: [(1, 1), (10, 1), (20, 2)]) func ofChanges(count: Int, trips: Int) throws {
    try check(history: false, trips) { (context: NSManagedObjectContext, round: Int) throws in
      let books = context.registeredObjects.sorted {
        $0.objectID.uriRepresentation().path < $1.objectID.uriRepresentation().path
      }
      for book in books.prefix(count) { book.setValue(round + 1, forKey: "pages") }
      try context.save()
    }
  }

  @Test func ofADeletion() throws {
    try check(history: false, 1) { (context: NSManagedObjectContext, _: Int) throws in
      context.registeredObjects.first.map(context.delete)
      try context.save()
    }
  }

  @Test func ofAFetch() throws {
    try check(history: false, 1) { (context: NSManagedObjectContext, _: Int) throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.predicate = NSPredicate(format: "title BEGINSWITH 'first'")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      #expect(try context.fetch(request).count == 30)
    }
  }

  /// A search without case is a transaction: BEGIN, the first rows, COMMIT.
  @Test func ofTheFirstRowsOfASearch() throws {
    try check(history: false, 3) { (context: NSManagedObjectContext, _: Int) throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.predicate = NSPredicate(format: "title CONTAINS[cd] 'FIRST'")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      request.fetchLimit = 10
      #expect(try context.fetch(request).count == 10)
    }
  }
}
