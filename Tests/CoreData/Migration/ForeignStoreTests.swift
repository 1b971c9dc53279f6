import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// A store of a version that the program does not have may be another program's: none of its objects go because this
/// program's model lacks their entity.
struct ForeignStoreTests {
  private static let old = "Thing: name String; Invoice: number Integer 64"
  private static let new = "Thing: name String; Recipe: title String"

  private func makeStore(invoices: Int = 2) throws -> (url: URL, model: NSManagedObjectModel) {
    let model = try VersionFolder.model(Self.old)
    let url = try VersionFolder.makeStore(.sqlite, model, [["name": "a"]])
    try with(url, model, [:]) { context in
      for number in 0..<invoices {
        let invoice = NSEntityDescription.insertNewObject(forEntityName: "Invoice", into: context)
        invoice.setValue(number, forKey: "number")
      }
      try context.save()
    }
    return (url, model)
  }

  private func with<Result>(
    _ url: URL, _ model: NSManagedObjectModel, _ options: [AnyHashable: Any],
    _ body: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    let context = coordinator.makeContext()
    let result = try context.performAndWait { try body(context) }
    try coordinator.remove(store)
    return result
  }

  private func count(_ entity: String, _ context: NSManagedObjectContext) throws -> Int {
    try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
  }

  @Test func aVersionThatOnlyTheStoreKnowsLosesNoObjects() throws {
    let (url, model) = try makeStore()
    defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
    let new = try VersionFolder.model(Self.new)
    let error = #expect(throws: NSError.self) {
      try with(url, new, VersionFolder.migrating) { _ in }
    }
    #expect(error?.code == NSMigrationError)
    let reason = error?.localizedFailureReason ?? ""
    for text in ["“Invoice”", "“Recipe”, “Thing”", "OpenCoreDataRemovesEntitiesOption"] {
      #expect(reason.contains(text), "\(reason)")
    }
    #expect(try with(url, model, [:]) { try count("Invoice", $0) } == 2)
  }

  @Test func anOptionAVersionAndAStageMayRemoveThem() throws {
    let new = try VersionFolder.model(Self.new)
    let folder = try VersionFolder([Self.old, Self.new])
    defer { try? FileManager.default.removeItem(at: folder.folder) }
    let options: [[AnyHashable: Any]] = [
      VersionFolder.migrating.merging([OpenCoreDataRemovesEntitiesOption: true]) { $1 },
      folder.migrating,
    ]
    for options in options {
      let (url, _) = try makeStore()
      defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
      try with(url, new, options) { (context: NSManagedObjectContext) throws -> Void in
        #expect(try count("Thing", context) == 1)
        #expect(try count("Recipe", context) == 0)
      }
    }
  }

  @Test func anEntityWithoutObjectsGoes() throws {
    let (url, _) = try makeStore(invoices: 0)
    defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
    let new = try VersionFolder.model(Self.new)
    #expect(try with(url, new, VersionFolder.migrating) { try count("Thing", $0) } == 1)
  }
}
