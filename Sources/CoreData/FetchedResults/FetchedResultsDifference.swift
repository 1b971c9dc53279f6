/// What one batch of changes did to the list of a fetched results controller, as
/// ``NSFetchedResultsController/differences()`` tells it.
///
/// As in a table view's batch of updates, what goes, moves or is updated is named by where it was
/// before the batch, what comes by where it is after it.
public struct FetchedResultsDifference: Sendable, Hashable {
  /// A section that went or came.
  public struct Section: Sendable, Hashable {
    public let index: Int
    public let name: String
  }

  /// A row that went, came or was updated.
  public struct Row: Sendable, Hashable {
    public let objectID: NSManagedObjectID
    public let indexPath: IndexPath
  }

  /// A row that went to another place.
  public struct Move: Sendable, Hashable {
    public let objectID: NSManagedObjectID
    public let source: IndexPath
    public let destination: IndexPath
  }

  /// The last one first.
  public internal(set) var deletedSections: [Section] = []
  /// The first one first.
  public internal(set) var insertedSections: [Section] = []
  /// The last one first.
  public internal(set) var deletions: [Row] = []
  /// The first one first.
  public internal(set) var insertions: [Row] = []
  /// The fewest that will do, by destination.
  public internal(set) var moves: [Move] = []
  /// The other objects that changed, by place.
  public internal(set) var updates: [Row] = []
}
