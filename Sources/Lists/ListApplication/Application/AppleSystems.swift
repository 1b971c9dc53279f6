#if canImport(UIKit)
  import CoreData

  // Stand-ins for functions that Apple's Core Data lacks. There an application is the only writer
  // of its store; its extensions wait for each other for moments only.
  extension NSPersistentStoreCoordinator {
    func alone<Result>(_ body: () throws -> Result) throws -> Result { try body() }
    func waitUntilWritable() throws {}
  }

  extension NSManagedObjectContext {
    func mergeRemoteChanges(_ data: [AnyHashable: Any]) throws {
      Self.mergeChanges(fromRemoteContextSave: data, into: [self])
    }
    /// Merges happen by themselves.
    func mergeOnRequest(_ request: @escaping @Sendable () -> Void) {}
    func mergeWaitingSaves() {}
  }

  let OpenCoreDataMainQueueTimeoutOption = "OpenCoreDataMainQueueTimeout"
#endif
