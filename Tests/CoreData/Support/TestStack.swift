import CoreData
import CoreDataSupport
import TestSupport

/// A coordinator with one store for one test; a file is removed with it.
final class TestStack {
  let coordinator: NSPersistentStoreCoordinator
  private let folder: TestFolder?

  init(
    _ kind: StoreKind, model: NSManagedObjectModel = NestedModel.make(),
    options: [AnyHashable: Any]? = nil
  ) throws {
    StoreKind.registerClients()
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    folder = kind == .inMemory ? nil : try TestFolder()
    try coordinator.addPersistentStore(
      ofType: kind.rawValue, configurationName: nil,
      at: kind.url(folder?.file("Test.sqlite")), options: options)
  }

  func makeContext() -> NSManagedObjectContext { coordinator.makeContext() }

  /// Runs `body` on a new context's queue.
  func withContext<Result>(_ body: (NSManagedObjectContext) throws -> Result) rethrows -> Result {
    let context = makeContext()
    return try context.performAndWait { try body(context) }
  }
}
