extension NSIncrementalStore {
  /// The context on whose behalf the store is read; else the one whose queue runs the caller; else
  /// a new one.
  final var askingContext: NSManagedObjectContext {
    if let context = ReadingContext.current?.context { return context }
    if let context = EnteredContexts.current,
      context.persistentStoreCoordinator === persistentStoreCoordinator
    {
      return context
    }
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    return context
  }

  /// Runs `body` with `askingContext`, on its queue if it has one.
  final func asking<Result>(_ body: (NSManagedObjectContext) throws -> Result) rethrows -> Result {
    let context = askingContext
    return try context.confinement.performAndWait { try body(context) }
  }
}
