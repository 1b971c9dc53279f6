/// Seconds, a number: how long a save on the main queue waits for a store that another process is
/// writing to before it fails with 134090. A program with windows then waits in the background,
/// with ``NSPersistentStoreCoordinator/waitUntilWritable()``, and saves again. Observed by SQLite
/// stores.
package let OpenCoreDataMainQueueTimeoutOption = "OpenCoreDataMainQueueTimeout"

/// A store that other processes write to as well.
package protocol SharedStore: RowStore {
  /// Runs `body` while every other writer is kept out, until the first save of `body` is written.
  func alone<Result>(_ body: () throws -> Result) throws -> Result

  /// Returns once no other process writes to the store. Throws 134090 after the store's timeout.
  func waitUntilWritable() throws
}
