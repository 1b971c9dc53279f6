import CoreData
import CoreDataSupport
import PostgreSQLServer
import Testing
import TestSupport

@testable import PostgreSQLStore

/// From a file to a server and back: 1,500 books, or `MOVING_ROWS`.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct MovingTests {
  @Test func aStoreInAFileMovesToAServerAndBack() throws {
    let stack = try ServerStack()
    let model = stack.coordinator.managedObjectModel
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let folder = try TestFolder()
    var store = try coordinator.addPersistentStore(type: .sqlite, at: folder.file("a.sqlite"))
    let context = stack.context(coordinator)
    let count = ProcessInfo.processInfo.environment["MOVING_ROWS"].flatMap(Int.init) ?? 1500
    let titles = (0..<count).map { "Book \($0)" }
    try context.performAndWait {
      for (number, title) in titles.enumerated() {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue(title, forKey: "title")
        book.setValue(Int64(number), forKey: "pages")
        book.setValue(Date(timeIntervalSinceReferenceDate: Double(number) + 0.25), forKey: "date")
      }
      try context.save()
    }
    let before = try contents(of: coordinator)
    let place = try PostgreSQLServer.url(insteadOf: folder.url)
    let time = try ContinuousClock().measure {
      store = try coordinator.migratePersistentStore(store, to: place, type: .postgreSQL)
    }
    print("\(count) rows moved to the server in \(time)")
    #expect(try contents(of: coordinator) == before)
    store = try coordinator.migratePersistentStore(
      store, to: folder.file("b.sqlite"), type: .sqlite)
    #expect(try contents(of: coordinator) == before)
    // What is on the server is never taken for free room.
    let error = #expect(throws: NSError.self) {
      try coordinator.migratePersistentStore(store, to: place, type: .postgreSQL)
    }
    #expect(error?.code == CocoaError.Code.fileWriteFileExists.rawValue)
    #expect(try ClosedStore(place).exists(StoreOptions(nil)))
  }

  private func contents(of coordinator: NSPersistentStoreCoordinator) throws -> [String] {
    let context = coordinator.makeContext()
    return try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
      return try context.fetch(request).map { book in
        "\(book.value(forKey: "title") ?? "") \(book.value(forKey: "pages") ?? "") "
          + "\((book.value(forKey: "date") as? Date)?.timeIntervalSinceReferenceDate ?? 0)"
      }
    }
  }
}
