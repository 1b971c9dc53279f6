/// A token for the state that stores had at one moment.
///
/// Source: developer.apple.com/documentation/coredata/nsquerygenerationtoken
///
/// Sendable: immutable; the generation guards itself and may be read by several contexts.
open class NSQueryGenerationToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// nil for ``current``, the state at the next read.
  final let generation: QueryGeneration?

  init(_ generation: QueryGeneration?) { self.generation = generation }

  /// A token for the state at the next read of the context that it is set on.
  public class var current: NSQueryGenerationToken { shared }
  private static let shared = NSQueryGenerationToken(nil)

  /// The token itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// True: the class adopts `NSSecureCoding`, as Apple's does.
  public static var supportsSecureCoding: Bool { true }

  /// Always nil: a generation does not outlive the process.
  public required init?(coder: NSCoder) { nil }

  /// Encodes nothing; see ``init(coder:)``.
  open func encode(with coder: NSCoder) {}
}

extension NSManagedObjectContext {
  final var pinnedGeneration: NSQueryGenerationToken? {
    parent == nil ? generation.map { NSQueryGenerationToken($0) } : nil
  }

  final func pin(to generation: NSQueryGenerationToken?) throws {
    try checkConfined()
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
    guard pinned.owner === coordinator else {
      throw CoreDataError.make(
        .coreData,
        reason: "Invalid generation token: this persistent store coordinator does not have any of "
          + "the referenced stores")
    }
    self.generation = pinned
  }

  /// Moves a pinned context to the state at its next read.
  final func advanceGeneration() {
    if let owner = generation?.owner { generation = QueryGeneration(owner) }
  }

  /// Whether the rows cached by the coordinator's contexts are the ones that this context would
  /// read.
  final var readsSharedRows: Bool { parent == nil && generation == nil }
}
