import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// A file that is opened is read with the connection that opened it; another one is made when something is
/// written, and must be one to the same file.
@Suite struct FirstConnectionTests {
  private static func connections(_ stack: FirstStack) throws -> Int {
    let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    let paths = names.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
    return paths.filter { $0 == stack.url.path }.count
  }

  @Test func oneConnectionOpensAndReadsAndAnotherOneWrites() throws {
    let stack = try FirstStack()
    try stack.open()
    #expect(try stack.titles() == ["a", "b"])
    #expect(try Self.connections(stack) == 1)
    try stack.insert("c")
    #expect(try stack.titles() == ["a", "b", "c"])
    #expect(try Self.connections(stack) == 2)
    try stack.close()
    #expect(try Self.connections(stack) == 0)
    #expect(!FileManager.default.fileExists(atPath: stack.url.path + "-wal"))
  }

  /// Functions are registered when a statement calls one.
  @Test(arguments: ["title MATCHES '[ab]'", "title LIKE[cd] 'A*'", "title ==[c] 'B'"])
  func theFirstConnectionKnowsTheFunctions(format: String) throws {
    let stack = try FirstStack()
    try stack.open()
    let count = try stack.context.performAndWait {
      let request = NSFetchRequest<Item>(entityName: "Item")
      request.predicate = NSPredicate(format: format)
      request.sortDescriptors = [
        NSSortDescriptor(
          key: "title", ascending: true, selector: Selector("localizedStandardCompare:"))
      ]
      return try stack.context.fetch(request).count
    }
    #expect(count > 0)
  }

  enum Loss: CaseIterable { case removed, replaced, renamed }
  enum Writing: CaseIterable { case save, insertion, update, deletion }

  /// What was read belongs to a file that is no longer there: nothing may be written to the one in its place.
  @Test(arguments: Loss.allCases, Writing.allCases)
  func nothingIsWrittenToAnotherFile(loss: Loss, writing: Writing) throws {
    for journal in ["WAL", "DELETE"] {
      let stack = try FirstStack(journal)
      let other = try FirstStack(journal)
      try stack.open()
      #expect(try stack.titles() == ["a", "b"])
      switch loss {
      case .removed: try FileManager.default.removeItem(at: stack.url)
      case .renamed:
        try FileManager.default.moveItem(at: stack.url, to: stack.url.appendingPathExtension("old"))
      case .replaced:
        guard rename(other.url.path, stack.url.path) == 0 else { throw POSIXError(.EIO) }
      }
      let before = try? Data(contentsOf: stack.url)
      let error = #expect(throws: NSError.self, "\(journal)") { try stack.write(writing) }
      #expect(error?.domain == NSCocoaErrorDomain, "\(journal)")
      let reason = "\(error?.userInfo["reason"] ?? "")"
      #expect(reason.contains(stack.url.path), "\(journal): \(reason)")
      #expect((try? Data(contentsOf: stack.url)) == before, "\(journal)")
      // What is open can still be read.
      #expect(try stack.titles() == ["a", "b"], "\(journal)")
    }
  }

  /// The keys that two files give would be those of different objects.
  @Test func anotherReaderDoesNotReadAnotherFile() throws {
    let (stack, other) = (try FirstStack(), try FirstStack())
    try stack.open()
    let store = try #require(stack.coordinator.persistentStores[0] as? SQLiteStore)
    try store.contents.database.read { _ in
      guard rename(other.url.path, stack.url.path) == 0 else { throw POSIXError(.EIO) }
      let error = #expect(throws: SQLiteError.self) {
        try store.contents.database.read { try $0.integer("SELECT COUNT(*) FROM ZITEM") }
      }
      #expect(error?.hasLostFile == true)
    }
  }

  /// The first save of several threads makes one connection.
  @Test func manyThreadsWriteForTheFirstTimeAtOnce() throws {
    let stack = try FirstStack()
    try stack.open()
    let coordinator = stack.coordinator
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      let context = coordinator.makeContext()
      context.performAndWait {
        context.makeItem("t\(number)")
        do { try context.save() } catch { Issue.record(error) }
      }
    }
    #expect(try stack.titles().count == 10)
    let store = try #require(stack.coordinator.persistentStores[0] as? SQLiteStore)
    let writers = (0..<2).map { _ in try? store.contents.database.write { ObjectIdentifier($0) } }
    #expect(writers[0] != nil && writers[0] == writers[1])
  }
}

/// A file with two items, not yet opened.
private final class FirstStack {
  let url: URL
  let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NestedModel.make())
  let context = NSManagedObjectContext(.privateQueue)
  private let options: [AnyHashable: Any]

  init(_ journal: String = "WAL") throws {
    url = try StoreFixture.makeFolder().appendingPathComponent("Store.sqlite")
    options = [NSSQLitePragmasOption: ["journal_mode": journal]]
    context.persistentStoreCoordinator = coordinator
    try open()
    try insert("a")
    try insert("b")
    try close()
  }

  func open() throws {
    try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
  }

  func close() throws {
    context.performAndWait { context.reset() }
    try coordinator.removeStores()
  }

  func titles() throws -> [String] {
    try context.performAndWait {
      context.reset()
      return try context.items().compactMap(\.title).sorted()
    }
  }

  func insert(_ title: String) throws {
    try context.performAndWait {
      context.makeItem(title)
      try context.save()
    }
  }

  func write(_ kind: FirstConnectionTests.Writing) throws {
    try context.performAndWait {
      switch kind {
      case .save:
        try context.items()[0].title = "changed"
        do { try context.save() } catch {
          context.rollback()
          throw error
        }
      case .insertion:
        try context.execute(NSBatchInsertRequest(entityName: "Item", objects: [["title": "c"]]))
      case .update:
        let request = NSBatchUpdateRequest(entityName: "Item")
        request.propertiesToUpdate = ["title": "changed"]
        try context.execute(request)
      case .deletion:
        let all = NSFetchRequest<NSFetchRequestResult>(entityName: "Item")
        try context.execute(NSBatchDeleteRequest(fetchRequest: all))
      }
    }
  }
}
