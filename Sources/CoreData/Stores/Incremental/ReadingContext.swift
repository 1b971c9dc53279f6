/// The context for which a store is being asked, for stores that want to know.
enum ReadingContext {
  @TaskLocal static var current: Box?

  /// Sendable: handed down to the calls that its own thread makes.
  final class Box: @unchecked Sendable {
    let context: NSManagedObjectContext
    /// Objects that a store has returned: alive until the context has taken them over.
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
  /// The context that asks, else the one whose queue runs the caller, else one that nobody else uses.
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

  /// Runs `body` with that context, on its queue if it has one.
  final func asking<Result>(_ body: (NSManagedObjectContext) throws -> Result) rethrows -> Result {
    let context = askingContext
    return try context.confinement.performAndWait { try body(context) }
  }
}
