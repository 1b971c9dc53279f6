/// The kinds of changes of an object or a section of a fetched results controller.
///
/// Source: developer.apple.com/documentation/coredata/nsfetchedresultschangetype
public enum NSFetchedResultsChangeType: UInt, Sendable {
  /// The object or section is new.
  case insert = 1
  /// The object or section is gone.
  case delete = 2
  /// The object has another index path.
  case move = 3
  /// The object has changed and keeps its place.
  case update = 4
}
