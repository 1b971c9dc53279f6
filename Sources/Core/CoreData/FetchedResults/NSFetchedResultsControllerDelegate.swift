/// Receives the changes of a fetched results controller's list. Every method is optional.
///
/// A delegate implements one of three forms. With the snapshot method, no other form is called.
/// With the difference method and no section key path, no other form is called. Otherwise the
/// classic methods are called, in this order: `controllerWillChangeContent`, section changes,
/// object changes, `controllerDidChangeContent`. The controller already holds the new list when the
/// first of them is called.
///
/// Source: developer.apple.com/documentation/coredata/nsfetchedresultscontrollerdelegate
public protocol NSFetchedResultsControllerDelegate: NSObjectProtocol {
  /// Receives the list as a snapshot after each batch of changes and each fetch.
  ///
  /// Sections are identified by name (by a generated string if the list has no section names),
  /// items by object ID. Changed objects are marked for reloading. The snapshot is built when first
  /// accessed, in O(n).
  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference)

  /// Receives a batch of changes as a difference. A move is a removal and an insertion. Objects
  /// that kept their place are not included.
  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

  /// Receives the change of one object: its `indexPath` before the batch (nil for an insertion) and
  /// its `newIndexPath` after the batch (for insertions and moves).
  ///
  /// Deletions come first, in descending order; then insertions, in ascending order; then the
  /// smallest set of moves; then updates.
  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

  /// Receives the change of one section. Deleted sections come with their index before the batch,
  /// in descending order, and are already empty. Inserted sections come with their index after the
  /// batch, in ascending order, and already have their objects.
  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType)

  /// Called before the classic change methods of a batch.
  func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>)

  /// Called after the classic change methods of a batch.
  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>)

  /// Returns the index title of a section; by default the capitalized first letter of its name.
  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String?
}

// The default implementations detect which methods a delegate has: each one calls the next form.
extension NSFetchedResultsControllerDelegate {
  /// Default: sends the batch as a difference.
  public func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
  ) {
    controller.engine.deliverDifference(self)
  }

  /// Default: sends the batch to the classic methods.
  public func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  ) {
    controller.engine.deliverClassic(insteadOfDifference: self)
  }

  /// Default: does nothing.
  public func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {}

  /// Default: does nothing.
  public func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {}

  /// Default: does nothing.
  public func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>
  ) {}

  /// Default: does nothing.
  public func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>
  ) {}

  /// Default: the capitalized first letter of the section's name.
  public func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String? {
    FetchedResultsEngine.usualIndexTitle(sectionName)
  }
}
