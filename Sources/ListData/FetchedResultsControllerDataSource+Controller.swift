import CoreData

// The controller of a main-queue context calls on the main queue, which is the main actor's.
extension FetchedResultsControllerDataSource: @preconcurrency NSFetchedResultsControllerDelegate {
  public func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>
  ) {
    beginBatch()
  }

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

  public func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>
  ) {
    endBatch()
  }
}
