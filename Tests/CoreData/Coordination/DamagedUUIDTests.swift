import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// A file's UUID is whatever its bytes say. The objects of such a store have addresses like any other's.
@Suite struct DamagedUUIDTests {
  @Test(arguments: [
    "CAST(x'ED9FBFF48FBFBF' AS TEXT)", "x'62706C6973743030A6C2331A14DF'", "'a|b c'", "'a/b?c#d%41'",
    "'größe'", "'[::1]'", "'user@host:80'", "'x' || char(0) || 'y'", "4711", "' '",
  ])
  func objectsHaveAddresses(uuid: String) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("DamagedUUID-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("Books.sqlite")
    try inStore(url) { context in
      context.makeBook("a")
      try context.save()
    }
    try PlainSQL(url: url).execute("UPDATE Z_METADATA SET Z_UUID = \(uuid)")
    try inStore(url) { context in
      let book = try context.book("a")
      let uri = book.objectID.uriRepresentation()
      #expect(uri.path == "/Book/p1")
      let coordinator = try #require(context.persistentStoreCoordinator)
      #expect(coordinator.managedObjectID(forURIRepresentation: uri) == book.objectID)
      let read = try #require(URL(string: uri.absoluteString))
      #expect(coordinator.managedObjectID(forURIRepresentation: read) == book.objectID)
      #expect("\(book.objectID)".contains("/Book/p1"))
    }
  }

  private func inStore(_ url: URL, _ body: (NSManagedObjectContext) throws -> Void) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: BookModel.make())
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url)
    let context = coordinator.makeContext()
    try context.performAndWait { try body(context) }
    try coordinator.removeStores()
  }
}
