/// Stands for the state that a store had at one moment.
///
/// Source: developer.apple.com/documentation/coredata/nsquerygenerationtoken
///
/// Sendable: a generation guards itself, and may be read by several contexts.
open class NSQueryGenerationToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// nil for ``current``, which stands for whatever is there when a context reads next.
  final let generation: QueryGeneration?

  init(_ generation: QueryGeneration?) { self.generation = generation }

  /// The state at the next read of the context that it is given to.
  public class var current: NSQueryGenerationToken { shared }
  private static let shared = NSQueryGenerationToken(nil)

  /// Itself: a token never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  public static var supportsSecureCoding: Bool { true }

  /// Always nil: a generation ends with the process at the latest.
  public required init?(coder: NSCoder) { nil }

  /// Stores nothing: see ``init(coder:)``.
  open func encode(with coder: NSCoder) {}
}

extension NSManagedObjectContext {
  /// The generation that the context reads; nil when it reads whatever is there, and for a child context.
  public var queryGenerationToken: NSQueryGenerationToken? {
    parent == nil ? generation.map { NSQueryGenerationToken($0) } : nil
  }

  /// Lets the context read one state of its SQLite stores, whatever is saved meanwhile, until it saves,
  /// merges or is reset: then it goes on to what is there by then.
  ///
  /// - Parameter generation: nil: read whatever is there. ``NSQueryGenerationToken/current``: what is
  ///   there at the next read. Another context's token: what that one reads.
  ///
  /// Stores of other types, and SQLite stores without a write-ahead log, are not pinned. Objects that the
  /// context has already stay as they are: refresh them or fetch again. While a generation is read the log
  /// of the store grows.
  ///
  /// - Throws: for a child context, and for a token of another coordinator (134060).
  public func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
    assertConfined()
    guard parent == nil else {
      throw CoreDataError.make(
        .coreData, reason: "A child context reads what its parent does: pin the parent.")
    }
    guard let generation else { return self.generation = nil }
    guard let coordinator = rootCoordinator else {
      throw CoreDataError.make(
        .coreData, reason: "A context without a coordinator has no generation to read.")
    }
    guard let pinned = generation.generation else {
      return self.generation = QueryGeneration(coordinator)
    }
    guard pinned.coordinator === coordinator else {
      throw CoreDataError.make(
        .coreData,
        reason: "Invalid generation token: this persistent store coordinator does not have any of "
          + "the referenced stores")
    }
    self.generation = pinned
  }

  /// A pinned context goes on to what is there at its next read.
  final func advanceGeneration() {
    if let coordinator = generation?.coordinator { generation = QueryGeneration(coordinator) }
  }

  /// Whether the rows that contexts share are what this one would read.
  final var readsSharedRows: Bool { parent == nil && generation == nil }
}
