#if canImport(UIKit)
  import CoreData

  // What Apple's Core Data has not. There an application is the only one that writes to its store, and its extensions
  // wait for each other for moments.
  extension NSPersistentStoreCoordinator {
    func alone<Result>(_ body: () throws -> Result) throws -> Result { try body() }
    func waitUntilWritable() throws {}
  }

  extension NSManagedObjectContext {
    func mergeRemoteChanges(_ data: [AnyHashable: Any]) throws {
      Self.mergeChanges(fromRemoteContextSave: data, into: [self])
    }
  }

  let OpenCoreDataMainQueueTimeoutOption = "OpenCoreDataMainQueueTimeout"
#endif
