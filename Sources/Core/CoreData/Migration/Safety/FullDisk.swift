import Foundation

/// Runs a step of a migration. If it fails for lack of space, throws 640 with a message about it
/// and the original error underneath. Other POSIX errors are thrown under 134110.
func explainingFullDisk<Result>(_ store: URL, body: () throws -> Result) throws -> Result {
  do { return try body() } catch let error as NSError {
    if error.saysThatDiskIsFull {
      if error.isFullDisk { throw error }
      throw CoreDataError.file(
        .fileWriteOutOfSpace, url: store,
        reason:
          "The disk is full: the store at \(store.path) could not be migrated and was left as it "
          + "is. A migration needs up to twice the store's size; free some space and add the store "
          + "again.",
        underlying: error)
    }
    guard error.domain == NSPOSIXErrorDomain else { throw error }
    throw CoreDataError.file(
      .migration, url: store,
      reason: "A file of the store at \(store.path) could not be written: "
        + error.localizedDescription,
      underlying: error)
  }
}
