/// A number of seconds: how long a save on the main queue waits for a store that another process is writing to,
/// before it fails with 134090. A program that shows windows there waits elsewhere, with
/// ``NSPersistentStoreCoordinator/waitUntilWritable()``, and saves again. SQLite's stores follow it.
package let OpenCoreDataMainQueueTimeoutOption = "OpenCoreDataMainQueueTimeout"

/// A store that other processes write to as well.
package protocol SharedStore: RowStore {
  /// Runs `body` while nobody else writes to the store, until its first save has been written.
  func alone<Result>(_ body: () throws -> Result) throws -> Result

  /// Returns once nobody else writes to the store. Throws 134090 after the store's timeout.
  func waitUntilWritable() throws
}

extension NSPersistentStoreCoordinator {
  /// Runs `body`, in which one context reads and then saves once, while nobody else is inside of such a body on the
  /// same store, in this process or another: what it finds missing and makes is made once, however many do so at the
  /// same time. A file of SQLite has no other writer at all meanwhile.
  ///
  /// Waits for its turn as long as the store's timeout says. A read-only store, and one that no other process can
  /// write to, has nobody to be guarded from.
  package final func alone<Result>(_ body: () throws -> Result) throws -> Result {
    guard persistentStores.count == 1, let store = persistentStores[0] as? any SharedStore,
      !store.isReadOnly
    else { return try body() }
    return try store.alone(body)
  }

  /// Returns once no other process writes to the stores, and throws 134090 when that takes longer than a store's
  /// timeout. Not for the main queue of a program that shows windows.
  package final func waitUntilWritable() throws {
    for case let store as any SharedStore in persistentStores where !store.isReadOnly {
      try store.waitUntilWritable()
    }
  }
}
