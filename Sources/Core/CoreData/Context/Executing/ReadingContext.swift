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
    _ context: NSManagedObjectContext, body: () throws -> Result
  ) rethrows -> Result {
    if current?.context === context { return try body() }
    return try $current.withValue(Box(context), operation: body)
  }
}
