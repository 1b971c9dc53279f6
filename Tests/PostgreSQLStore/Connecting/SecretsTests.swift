import CoreData
import CoreDataSupport
import PostgreSQLServer
import Synchronization
import Testing
import TestSupport

@testable import PostgreSQLStore

/// A password in the address shows in nothing that a program may print.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct SecretsTests {
  /// The server asks for none, so any does.
  private func address(_ schema: String) throws -> URL {
    let text = try PostgreSQLServer.url(schema: schema).absoluteString
    return try #require(URL(string: "\(text)&password=hush%21hush&sslpassword=hush%21hush"))
  }

  private func expectNone(_ values: Any?...) {
    for value in values {
      var text = "\(value as Any) \(String(reflecting: value))"
      dump(value, to: &text)
      if let error = value as? NSError {
        text += "\(error.userInfo) \(error.localizedDescription)"
      }
      #expect(!text.contains("hush"), "\(text)")
    }
  }

  @Test func aStoreAndItsObjectsKeepIt() throws {
    let url = try address(TestName.make("secrets"))
    let coordinator = try ServerStack.open(
      url,
      [
        NSPersistentHistoryTrackingKey: true,
        NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
      ])
    let told = Mutex<[String]>([])
    let observer = NotificationCenter.default.addObserver(
      forName: nil, object: coordinator, queue: nil
    ) { note in told.withLock { $0.append("\(note) \(note.userInfo ?? [:])") } }
    defer { NotificationCenter.default.removeObserver(observer) }
    let store = coordinator.persistentStores[0]
    let context = coordinator.makeContext()
    try context.performAndWait { () throws in
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue("a", forKey: "title")
      try context.save()
      let other = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      other.setValue("a", forKey: "title")
      let error = #expect(throws: NSError.self) { try context.save() }
      let token = coordinator.currentPersistentHistoryToken(fromStores: nil)
      expectNone(
        store.url, store.metadata, "\(store)", "\(coordinator)", "\(context)", "\(book)",
        book.objectID.uriRepresentation(), error, token, "\(store.options ?? [:])",
        coordinator.url(for: store))
    }
    try Patience.wait(for: "a note of the save") {
      told.withLock { $0.contains { $0.contains("RemoteChange") } }
    }
    expectNone(told.withLock { $0 })
    try coordinator.remove(store)
    let closed = #expect(throws: NSError.self) {
      _ = try (store as? PostgreSQLStore)?.contents
    }
    expectNone(closed)
  }

  @Test func errorsOfEveryKindKeepIt() throws {
    let url = try address(TestName.make("errors"))
    _ = try ServerStack.open(url)
    let other = NSPersistentStoreCoordinator(managedObjectModel: ShelfModel.make())
    for type in [NSPersistentStore.StoreType.sqlite, .xml, .binary] {
      expectNone(
        #expect(throws: NSError.self) { try other.addPersistentStore(type: type, at: url) })
    }
    expectNone(
      #expect(throws: NSError.self) { try other.addPersistentStore(type: .postgreSQL, at: url) },
      #expect(throws: NSError.self) {
        try other.migratePersistentStore(
          ServerStack.open(address(TestName.make("there"))).persistentStores[0], to: url,
          type: .postgreSQL)
      },
      #expect(throws: NSError.self) {
        try ServerStack.open(
          #require(URL(string: url.absoluteString.replacing("/postgres?", with: "/none?"))))
      },
      #expect(throws: NSError.self) {
        try ServerStack.open(
          #require(URL(string: url.absoluteString.replacing("host=/", with: "host=/none/"))))
      },
      #expect(throws: NSError.self) {
        try ServerStack.open(#require(URL(string: "\(url.absoluteString)&nonsense=hush%21hush")))
      })
    let description = NSPersistentStoreDescription(url: url)
    description.type = NSPersistentStore.StoreType.postgreSQL.rawValue
    let container = NSPersistentContainer(name: "Other", managedObjectModel: ShelfModel.make())
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { description, error in
      expectNone("\(description)", error)
    }
  }
}
