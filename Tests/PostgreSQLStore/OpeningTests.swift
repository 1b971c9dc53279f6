import CoreData
import CoreDataSupport
import PostgreSQLServer
import Testing
import TestSupport

@testable import PostgreSQLStore

@Suite struct OpeningTests {
  private func makeCoordinator() -> NSPersistentStoreCoordinator {
    let entity = NSEntityDescription()
    entity.name = "Book"
    let title = NSAttributeDescription()
    title.name = "title"
    title.attributeType = .stringAttributeType
    entity.properties = [title]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return NSPersistentStoreCoordinator(managedObjectModel: model)
  }

  private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  @Test func passwordsShowNowhere() throws {
    let coordinator = makeCoordinator()
    let address = try url("postgresql://someone:hush%21@127.0.0.1:1/db?sslpassword=hush!")
    let error = #expect(throws: NSError.self) {
      try coordinator.addPersistentStore(type: .postgreSQL, at: address)
    }
    #expect(error?.code == CocoaError.Code.persistentStoreOpen.rawValue)
    let text = "\(String(describing: error)) \(String(describing: error?.userInfo))"
    #expect(!text.contains("hush"))
    #expect(text.contains("127.0.0.1"))
    #expect(
      ServerAddress.withoutPassword(address).absoluteString == "postgresql://someone@127.0.0.1:1/db"
    )
  }

  /// Servers of a fleet are started together, on a database that is new.
  @Test(.enabled(if: PostgreSQLServer.isAvailable), arguments: [false, true])
  func manyThatOpenANewStoreAtOnceHaveOne(tracksHistory: Bool) async throws {
    for _ in 0..<4 {
      let id = UUID().uuidString.lowercased().filter { $0 != "-" }
      let address = try PostgreSQLServer.url(schema: "s\(id)")
      let stores = try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<6 {
          group.addTask {
            let coordinator = makeCoordinator()
            let store = try coordinator.addPersistentStore(
              type: .postgreSQL, at: address,
              options: tracksHistory ? [NSPersistentHistoryTrackingKey: true] : nil)
            return store.identifier ?? "nil"
          }
        }
        return try await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
      #expect(stores.count == 1)
    }
  }

  @Test func otherSchemesAreRefused() throws {
    let coordinator = makeCoordinator()
    let error = #expect(throws: NSError.self) {
      try coordinator.addPersistentStore(type: .postgreSQL, at: URL(fileURLWithPath: "/tmp/x"))
    }
    #expect(error?.localizedFailureReason?.contains("postgresql://") == true)
  }

  @Test(.enabled(if: PostgreSQLServer.isAvailable))
  func aStoreIsMadeAndOpenedAgain() throws {
    let address = try PostgreSQLServer.url(schema: TestName.make("opened"))
    var identifiers: [String] = []
    for round in 1...2 {
      let coordinator = makeCoordinator()
      let store = try coordinator.addPersistentStore(type: .postgreSQL, at: address)
      identifiers.append(store.identifier)
      let context = coordinator.makeContext()
      try context.performAndWait {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue("Book \(round)", forKey: "title")
        try context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: "title CONTAINS[c] %@", "book")
        #expect(try context.fetch(request).count == round)
      }
    }
    #expect(identifiers[0] == identifiers[1])
  }

  @Test(.enabled(if: PostgreSQLServer.isAvailable))
  func aMissingDatabaseIsSaidToBeMissing() throws {
    let text = try PostgreSQLServer.url(schema: "x").absoluteString
    let address = try url(text.replacing("/postgres?", with: "/nowhere?"))
    let error = #expect(throws: NSError.self) {
      try makeCoordinator().addPersistentStore(type: .postgreSQL, at: address)
    }
    #expect(error?.localizedFailureReason?.contains("createdb") == true)
  }

  @Test(.enabled(if: PostgreSQLServer.isAvailable))
  func aDatabaseOfAnotherEncodingIsRefused() throws {
    let address = try PostgreSQLServer.url(schema: "x")
    let server = try PostgreSQLConnection(ServerAddress(address), timeout: nil)
    let name = TestName.make("latin")
    try server.execute(
      "CREATE DATABASE \(name) ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
    let other = try url(address.absoluteString.replacing("/postgres?", with: "/\(name)?"))
    let error = #expect(throws: NSError.self) {
      try makeCoordinator().addPersistentStore(type: .postgreSQL, at: other)
    }
    #expect(error?.localizedFailureReason?.contains("LATIN1") == true)
  }
}
