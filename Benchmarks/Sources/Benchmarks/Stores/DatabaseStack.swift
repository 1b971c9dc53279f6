import CoreData
import PostgreSQLStore

/// A stack on a PostgreSQL server.
struct DatabaseStack {
  let url: URL
  let context: NSManagedObjectContext

  init(_ url: URL) throws {
    self.url = url
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ItemModel.make())
    try coordinator.addPersistentStore(type: .postgreSQL, at: url)
    context = NSManagedObjectContext(.mainQueue)
    context.persistentStoreCoordinator = coordinator
    context.undoManager = nil
  }

  /// Of what is on the server.
  func checksum() throws -> Checksum {
    context.reset()
    let request = NSFetchRequest<Item>(entityName: "Item")
    request.sortDescriptors = [NSSortDescriptor(key: "order", ascending: true)]
    var checksum = Checksum()
    for item in try context.fetch(request) {
      checksum.addRow()
      checksum.add(item.title)
      checksum.add(item.order)
      checksum.add(item.value)
    }
    context.reset()
    return checksum
  }
}
