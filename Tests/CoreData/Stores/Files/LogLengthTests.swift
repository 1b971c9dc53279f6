import CoreDataSupport
import CSQLite
import Testing
import TestSupport

@testable import CoreData

/// The write-ahead log of a store that stays open after a large save.
struct LogLengthTests {
  private final class Store {
    let folder: TestFolder
    let context: NSManagedObjectContext

    init(_ pragmas: [String: String] = [:]) throws {
      folder = try TestFolder()
      let entity = NSEntityDescription()
      entity.name = "Note"
      let text = NSAttributeDescription()
      (text.name, text.attributeType) = ("text", .stringAttributeType)
      entity.properties = [text]
      let model = NSManagedObjectModel()
      model.entities = [entity]
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("Notes.sqlite"),
        options: [NSSQLitePragmasOption: pragmas])
      context = NSManagedObjectContext(.privateQueue)
      context.persistentStoreCoordinator = coordinator
    }

    /// Saves so many notes of a thousand characters.
    func save(_ count: Int) throws {
      try context.performAndWait {
        for index in 0..<count {
          NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
            .setValue(String(repeating: "\(index % 10)", count: 1000), forKey: "text")
        }
        try context.save()
        context.reset()
      }
    }

    var count: Int {
      get throws {
        try context.performAndWait {
          try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
        }
      }
    }

    var logSize: Int {
      get throws {
        let path = folder.file("Notes.sqlite-wal").path
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
        return size?.intValue ?? 0
      }
    }
  }

  private static let many = 12_000

  @Test func aLargeSaveLeavesNoLongLog() throws {
    let store = try Store()
    try store.save(Self.many)
    #expect(try store.logSize == 0)
    #expect(try store.count == Self.many)
    // A small one goes on with a log of its own length.
    try store.save(1)
    #expect(try 1..<1_000_000 ~= store.logSize)
    #expect(try store.count == Self.many + 1)
  }

  /// Who reads keeps what is read; the next save tries again.
  @Test func aReaderInTheWayIsNotWaitedFor() throws {
    let store = try Store()
    try store.save(1)
    var reader: OpaquePointer?
    sqlite3_open(store.folder.file("Notes.sqlite").path, &reader)
    defer { sqlite3_close(reader) }
    sqlite3_exec(reader, "BEGIN; SELECT COUNT(*) FROM ZNOTE", nil, nil, nil)
    try store.save(Self.many)
    #expect(try store.logSize > 8 << 20)
    sqlite3_exec(reader, "COMMIT", nil, nil, nil)
    try store.save(1)
    #expect(try store.logSize == 0)
    #expect(try store.count == Self.many + 2)
  }

  @Test(arguments: [
    ("journal_size_limit", "-1"), ("journal_size_limit", "100000000"), ("wal_autocheckpoint", "0"),
  ])
  func theStoresOptionsMayKeepIt(_ pragma: String, _ value: String) throws {
    let store = try Store([pragma: value])
    try store.save(Self.many)
    #expect(try store.logSize > 8 << 20)
    #expect(try store.count == Self.many)
  }

  /// A file that has been closed is whole without a log.
  @Test func removingTheStoreLeavesOneFile() throws {
    let store = try Store()
    try store.save(10)
    let coordinator = try #require(store.context.persistentStoreCoordinator)
    try coordinator.removeStores()
    let names = try FileManager.default.contentsOfDirectory(atPath: store.folder.url.path)
    #expect(names == ["Notes.sqlite"])
  }
}
