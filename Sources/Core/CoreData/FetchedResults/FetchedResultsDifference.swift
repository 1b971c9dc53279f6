/// One batch of changes of a fetched results controller's list, as yielded by
/// ``NSFetchedResultsController/differences()``.
///
/// As in a batch update of a table view, deletions, move sources and updates are in index paths
/// before the batch; insertions and move destinations are in index paths after it.
public struct FetchedResultsDifference: Sendable, Hashable {
  /// A deleted or inserted section.
  public struct Section: Sendable, Hashable {
    /// The index before the batch if the section was deleted, after it if it was inserted.
    public let index: Int
    /// The section's name.
    public let name: String
  }

  /// A deleted, inserted or updated row.
  public struct Row: Sendable, Hashable {
    /// The ID of the row's object.
    public let objectID: NSManagedObjectID
    /// The index path after the batch for an insertion, before it otherwise.
    public let indexPath: IndexPath
  }

  /// A moved row.
  public struct Move: Sendable, Hashable {
    /// The ID of the row's object.
    public let objectID: NSManagedObjectID
    /// The index path before the batch.
    public let source: IndexPath
    /// The index path after the batch.
    public let destination: IndexPath
  }

  /// Deleted sections, by descending index.
  public internal(set) var deletedSections: [Section] = []
  /// Inserted sections, by ascending index.
  public internal(set) var insertedSections: [Section] = []
  /// Deleted rows, by descending index path.
  public internal(set) var deletions: [Row] = []
  /// Inserted rows, by ascending index path.
  public internal(set) var insertions: [Row] = []
  /// The smallest set of moves that explains the new order, by destination.
  public internal(set) var moves: [Move] = []
  /// The other changed objects, by index path.
  public internal(set) var updates: [Row] = []
}
