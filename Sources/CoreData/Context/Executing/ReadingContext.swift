/// The context on whose behalf a store is read, for stores that need one.
enum ReadingContext {
  @TaskLocal static var current: Box?

  /// Sendable: used only by the calls within `with`, which run one after the other while its caller
  /// waits.
  final class Box: @unchecked Sendable {
    let context: NSManagedObjectContext
    /// Objects that a store has returned, retained until the context has registered them.
    var answers: [NSManagedObject] = []

    init(_ context: NSManagedObjectContext) { self.context = context }
  }

  static func with<Result>(
    _ context: NSManagedObjectContext, _ body: () throws -> Result
  ) rethrows -> Result {
    if current?.context === context { return try body() }
    return try $current.withValue(Box(context), operation: body)
  }
}

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
