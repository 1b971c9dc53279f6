import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// What is at a store's place beforehand, and what is done there. A place that was emptied takes a
/// store; what could be lost is never overwritten but by `replace` and `destroy`.
@Suite struct PlaceTests {
  enum Place: CaseIterable {
    case nothing, withoutBytes, destroyed, destroyedWhileItIsRead, destroyedWithoutLog
    case openHere, openElsewhere, ofAnotherKind, text

    var isFree: Bool {
      switch self {
      case .nothing, .withoutBytes, .destroyed, .destroyedWhileItIsRead, .destroyedWithoutLog: true
      case .openHere, .openElsewhere, .ofAnotherKind, .text: false
      }
    }
  }

  private static let files = StoreKind.all.filter(\.isFile)

  /// A place, the coordinator that works there, and what has to stay meanwhile.
  private final class Prepared {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NestedModel.make())
    let source: URL
    let url: URL
    let type: NSPersistentStore.StoreType
    let other = NSPersistentStoreCoordinator(managedObjectModel: NestedModel.make())

    init(_ place: Place, _ kind: StoreKind) throws {
      let folder = try StoreFixture.makeFolder()
      source = folder.appendingPathComponent("Source")
      url = folder.appendingPathComponent("Place")
      type = .init(rawValue: kind.rawValue)
      try fill(source, type, "moved")
      switch place {
      case .nothing: break
      case .withoutBytes: try Data().write(to: url)
      case .text: try Data("No store, and nobody's to lose.".utf8).write(to: url)
      case .ofAnotherKind: try fill(url, kind == .xml ? .sqlite : .xml, "former")
      case .openHere:
        try fill(url, type, "former")
        try coordinator.addPersistentStore(type: type, at: url)
      case .openElsewhere:
        try fill(url, type, "former")
        try other.addPersistentStore(type: type, at: url)
      case .destroyed, .destroyedWithoutLog, .destroyedWhileItIsRead:
        try fill(url, type, "former")
        // A connection that is open keeps -wal and -shm.
        if place == .destroyedWhileItIsRead { try other.addPersistentStore(type: type, at: url) }
        let pragmas = [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]
        try coordinator.destroyPersistentStore(
          at: url, type: type, options: place == .destroyedWithoutLog ? pragmas : nil)
        if place == .destroyedWithoutLog {
          for suffix in ["-wal", "-shm"] { unlink(url.path + suffix) }
        }
      }
    }

    private func fill(_ url: URL, _ type: NSPersistentStore.StoreType, _ title: String) throws {
      let maker = NSPersistentStoreCoordinator(managedObjectModel: NestedModel.make())
      let store = try maker.addPersistentStore(type: type, at: url)
      let context = maker.makeContext()
      try context.performAndWait {
        context.makeItem(title)
        try context.save()
      }
      try maker.remove(store)
    }

    /// What is in the store at the place when it is opened anew; nil if it cannot be.
    func titles(_ url: URL? = nil, _ type: NSPersistentStore.StoreType? = nil) -> [String]? {
      let reader = NSPersistentStoreCoordinator(managedObjectModel: NestedModel.make())
      guard (try? reader.addPersistentStore(type: type ?? self.type, at: url ?? self.url)) != nil
      else { return nil }
      let context = reader.makeContext()
      return try? context.performAndWait { try context.titles() }
    }

    func contents(of context: NSManagedObjectContext) throws -> [String] {
      context.persistentStoreCoordinator = coordinator
      return try context.performAndWait { try context.titles() }
    }
  }

  @Test(arguments: Sample.of(files, Place.allCases))
  func aStoreMovesWhereNothingWouldBeLost(_ kind: StoreKind, _ place: Place) throws {
    let prepared = try Prepared(place, kind)
    let coordinator = prepared.coordinator
    let bytes = place == .openElsewhere ? nil : try? Data(contentsOf: prepared.url)
    let store = try coordinator.addPersistentStore(type: prepared.type, at: prepared.source)
    let before = coordinator.persistentStores.count
    guard place.isFree else {
      let error = #expect(throws: NSError.self) {
        try coordinator.migratePersistentStore(store, to: prepared.url, type: prepared.type)
      }
      #expect(error?.code == CocoaError.Code.fileWriteFileExists.rawValue)
      #expect(coordinator.persistentStores.count == before)
      if let bytes { #expect(try Data(contentsOf: prepared.url) == bytes) }
      return
    }
    let moved = try coordinator.migratePersistentStore(
      store, to: prepared.url, type: prepared.type)
    #expect(coordinator.persistentStores.map { $0 === moved } == [true])
    #expect(try prepared.contents(of: NSManagedObjectContext(.privateQueue)) == ["moved"])
    #expect(prepared.titles() == ["moved"] && prepared.titles(prepared.source) == ["moved"])
    guard kind == .sqlite else { return }
    try coordinator.remove(moved)
    let result = try StoreChecker.checkRows(prepared.url)
    #expect(result.status == 0, "\(result.text)")
  }

  @Test(arguments: Sample.of(files, Place.allCases))
  func aStoreIsAddedWhereNothingWouldBeLost(_ kind: StoreKind, _ place: Place) throws {
    let prepared = try Prepared(place, kind)
    let before = prepared.coordinator.persistentStores
    let add = {
      try prepared.coordinator.addPersistentStore(type: prepared.type, at: prepared.url)
    }
    switch place {
    case .openElsewhere:
      _ = try add()
      #expect(prepared.titles() == ["former"])
    case .openHere, .ofAnotherKind, .text:
      let bytes = try Data(contentsOf: prepared.url)
      let error = #expect(throws: NSError.self) { try add() }
      #expect(error?.code != 516)
      #expect(try Data(contentsOf: prepared.url) == bytes)
      #expect(prepared.coordinator.persistentStores == before)
    default:
      _ = try add()
      #expect(prepared.titles() == [])
    }
  }

  @Test(arguments: Sample.of(files, Place.allCases))
  func aCopyReplacesAStoreAndEmptyPlaces(_ kind: StoreKind, _ place: Place) throws {
    let prepared = try Prepared(place, kind)
    let replace = {
      try prepared.coordinator.replacePersistentStore(
        at: prepared.url, withPersistentStoreFrom: prepared.source, type: prepared.type)
    }
    // SQLite asks the file whether it is a database; of the others a copy takes the file's place.
    if kind == .sqlite, place == .ofAnotherKind || place == .text {
      let bytes = try Data(contentsOf: prepared.url)
      #expect(throws: NSError.self) { try replace() }
      #expect(try Data(contentsOf: prepared.url) == bytes)
      return
    }
    try replace()
    #expect(prepared.titles() == ["moved"])
    guard place == .openHere else { return }
    #expect(try prepared.contents(of: NSManagedObjectContext(.privateQueue)) == ["moved"])
  }

  @Test(arguments: Sample.of(files, Place.allCases))
  func whatWasDestroyedIsAnEmptyPlace(_ kind: StoreKind, _ place: Place) throws {
    let prepared = try Prepared(place, kind)
    let destroy = {
      try prepared.coordinator.destroyPersistentStore(at: prepared.url, type: prepared.type)
    }
    if kind != .sqlite, place == .ofAnotherKind || place == .text {
      let bytes = try Data(contentsOf: prepared.url)
      #expect(throws: NSError.self) { try destroy() }
      #expect(try Data(contentsOf: prepared.url) == bytes)
      return
    }
    try destroy()
    #expect(prepared.coordinator.persistentStores.isEmpty)
    let store = try prepared.coordinator.addPersistentStore(
      type: prepared.type, at: prepared.source)
    try prepared.coordinator.migratePersistentStore(store, to: prepared.url, type: prepared.type)
    #expect(prepared.titles() == ["moved"])
  }

  /// A backup is led back: the open store is destroyed, and the backup moves to its place.
  @Test(arguments: Sample.of(files, files))
  func aBackupIsLedBack(_ kind: StoreKind, _ backup: StoreKind) throws {
    let prepared = try Prepared(.openHere, kind)
    let backupType = NSPersistentStore.StoreType(rawValue: backup.rawValue)
    let url = prepared.url.appendingPathExtension("backup")
    let saver = NSPersistentStoreCoordinator(managedObjectModel: NestedModel.make())
    let original = try saver.addPersistentStore(type: prepared.type, at: prepared.source)
    try saver.migratePersistentStore(original, to: url, type: backupType)
    try prepared.coordinator.destroyPersistentStore(at: prepared.url, type: prepared.type)
    let store = try prepared.coordinator.addPersistentStore(type: backupType, at: url)
    try prepared.coordinator.migratePersistentStore(store, to: prepared.url, type: prepared.type)
    #expect(prepared.titles() == ["moved"] && prepared.titles(url, backupType) == ["moved"])
  }

  /// A store in memory is at no place: a file that has the name stays as it is.
  @Test(arguments: Sample.of(Place.allCases))
  func aStoreMovesIntoMemory(_ place: Place) throws {
    let prepared = try Prepared(place, .sqlite)
    let coordinator = prepared.coordinator
    let store = try coordinator.addPersistentStore(type: prepared.type, at: prepared.source)
    if place == .openHere {
      let error = #expect(throws: NSError.self) {
        try coordinator.migratePersistentStore(store, to: prepared.url, type: .inMemory)
      }
      #expect(error?.code == NSPersistentStoreOpenError)
      return
    }
    let bytes = place == .openElsewhere ? nil : try? Data(contentsOf: prepared.url)
    try coordinator.destroyPersistentStore(at: prepared.url, type: .inMemory)
    try coordinator.migratePersistentStore(store, to: prepared.url, type: .inMemory)
    #expect(try prepared.contents(of: NSManagedObjectContext(.privateQueue)) == ["moved"])
    if let bytes { #expect(try Data(contentsOf: prepared.url) == bytes) }
  }
}
