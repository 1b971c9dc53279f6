import CoreData

// Isolation: the controller of a main-queue context calls its delegate on the main queue, which is
// the main actor's.
extension FetchedResultsControllerDataSource: @preconcurrency NSFetchedResultsControllerDelegate {
  /// Starts a batch of updates.
  public func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>
  ) {
    beginBatch()
  }

  /// Adds an inserted or deleted section to the batch.
  public func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    didChange sectionInfo: NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {
    switch type {
    case .insert: insertedSections.insert(sectionIndex)
    case .delete: deletedSections.insert(sectionIndex)
    default: break
    }
  }

  /// Adds an inserted, deleted, updated or moved object to the batch.
  public func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    switch (type, indexPath, newIndexPath) {
    case (.insert, _, let new?): batch.inserts.append(new)
    case (.delete, let old?, _): batch.deletes.append(old)
    case (.update, let old?, _): batch.updates.append(old)
    case (.move, let old?, let new?): batch.moves.append((old, new))
    default: break
    }
  }

  /// Applies the batch to the list, or adds it to the pending changes while the data source is
  /// paused.
  public func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>
  ) {
    endBatch()
  }
}
