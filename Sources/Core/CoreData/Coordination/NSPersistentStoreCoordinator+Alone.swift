extension NSPersistentStoreCoordinator {
  /// Runs `body`, in which one context reads and then saves once, as a critical section: no other
  /// caller of this method on the same store, in this process or another, runs at the same time.
  /// Objects that `body` finds missing and makes are so made once, however many processes start
  /// together. A SQLite file has no other writer at all meanwhile.
  ///
  /// Waits for its turn up to the store's timeout. Runs `body` without a lock for a read-only store
  /// and for one that no other process can write to.
  package final func alone<Result>(_ body: () throws -> Result) throws -> Result {
    guard persistentStores.count == 1, let store = persistentStores[0] as? any SharedStore,
      !store.isReadOnly
    else { return try body() }
    return try store.alone(body)
  }

  /// Returns once no other process writes to the stores; throws 134090 if that takes longer than a
  /// store's timeout. Not for the main queue of a program with windows.
  package final func waitUntilWritable() throws {
    for case let store as any SharedStore in persistentStores where !store.isReadOnly {
      try store.waitUntilWritable()
    }
  }
}
