import CoreData

/// A coordinator with one store for one test; a file is removed with it.
final class TestStack {
  let coordinator: NSPersistentStoreCoordinator
  private let folder: URL?

  init(
    _ kind: StoreKind, model: NSManagedObjectModel = NestedModel.make(),
    options: [AnyHashable: Any]? = nil
  ) throws {
    StoreKind.registerClients()
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    folder = kind == .inMemory ? nil : try Self.makeFolder()
    try coordinator.addPersistentStore(
      ofType: kind.rawValue, configurationName: nil,
      at: kind.url(folder?.appendingPathComponent("Test.sqlite")), options: options)
  }

  deinit {
    // A file that is left behind harms nobody.
    if let folder { try? FileManager.default.removeItem(at: folder) }
  }

  private static func makeFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("CoreDataTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  func makeContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  /// Runs `body` on a new context's queue.
  func withContext<Result>(_ body: (NSManagedObjectContext) throws -> Result) rethrows -> Result {
    let context = makeContext()
    return try context.performAndWait { try body(context) }
  }
}
