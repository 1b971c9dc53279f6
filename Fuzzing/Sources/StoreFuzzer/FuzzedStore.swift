import CoreData
import Foundation

/// The place where one input after the other is a store.
struct FuzzedStore {
  static let shared = FuzzedStore()

  private let folder: URL
  private let url: URL

  private init() {
    let name = "StoreFuzzer-\(getpid())"
    let memory = URL(fileURLWithPath: "/dev/shm")
    let parent =
      FileManager.default.isWritableFile(atPath: memory.path)
      ? memory : FileManager.default.temporaryDirectory
    folder = parent.appendingPathComponent(name)
    url = folder.appendingPathComponent("Store.sqlite")
  }

  func use(_ data: Data) {
    attempt { try start(with: data) }
    attempt {
      _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    }
    attempt {
      let model = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
      for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
      try open(model, [NSReadOnlyPersistentStoreOption: true], readAll)
    }
    let options: [AnyHashable: Any] = [NSIgnorePersistentStoreVersioningOption: true]
    attempt { try open(SeedStores.model, options, change) }
    // What is left of the last one does not matter.
    try? FileManager.default.removeItem(at: folder)
  }

  /// An error is an answer like any other.
  private func attempt(_ body: () throws -> Void) { do { try body() } catch {} }

  private func start(with data: Data) throws {
    try? FileManager.default.removeItem(at: folder)  // It may not be there.
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try data.write(to: url)
  }

  private func open(
    _ model: NSManagedObjectModel, _ options: [AnyHashable: Any],
    _ body: (NSManagedObjectContext) throws -> Void
  ) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.performAndWait { attempt { try body(context) } }
    try coordinator.remove(store)
  }

  private func readAll(_ context: NSManagedObjectContext) throws {
    let entities = context.persistentStoreCoordinator?.managedObjectModel.entities ?? []
    for entity in entities {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
      request.returnsObjectsAsFaults = false
      request.fetchLimit = 1000
      attempt {
        for object in try context.fetch(request) {
          for key in entity.attributesByName.keys { _ = object.value(forKey: key) }
        }
      }
      attempt { _ = try context.count(for: request) }
    }
  }

  private func change(_ context: NSManagedObjectContext) throws {
    try readAll(context)
    let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
    item.setValue("new", forKey: "title")
    item.setValue(Data(count: 110_000), forKey: "bytes")
    attempt { try context.save() }
    context.rollback()
    let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Item")
    _ = try context.execute(NSBatchDeleteRequest(fetchRequest: request))
  }
}
