/// Is told what changes in the list of a fetched results controller. Every method is optional.
///
/// A delegate implements one of three forms. With the snapshot method no other one is called; with
/// the method for a difference and without a section key path no other one is called; else the
/// classic calls come, in this order: `controllerWillChangeContent`, section changes, object
/// changes, `controllerDidChangeContent`. When the first of them comes, the controller holds the
/// new arrangement already.
///
/// Source: developer.apple.com/documentation/coredata/nsfetchedresultscontrollerdelegate
public protocol NSFetchedResultsControllerDelegate: NSObjectProtocol {
  /// The list after a batch of changes, and after each fetch: section names (a generated identifier
  /// for the section of a list without names) and object IDs; those of changed objects are marked
  /// for reloading. The snapshot is built when it is first looked at, O(n).
  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference)

  /// What came and went; an object that moved did both. Objects that kept their place are not in it.
  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

  /// One object: `indexPath` is where it was before the batch (nil for an insertion), `newIndexPath`
  /// where it is after it (for an insertion and a move).
  ///
  /// Deletions come first, the last row first; then insertions, the first row first; then the
  /// smallest set of moves; then updates.
  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

  /// One section that went (with its index before the batch, the last first; it is empty by now) or
  /// came (with its index after the batch, the first first; it has its objects by now).
  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType)

  func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>)

  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>)

  /// The title of a section in the index; the first letter of its name as a capital by default.
  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String?
}

// The default implementations find out which methods a delegate has: each goes on to the next form.
extension NSFetchedResultsControllerDelegate {
  public func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
  ) {
    controller.engine.deliverDifference(self)
  }

  public func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  ) {
    controller.engine.deliverClassic(insteadOfDifference: self)
  }

  public func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {}

  public func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {}

  public func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>
  ) {}

  public func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>
  ) {}

  public func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String? {
    FetchedResultsEngine.usualIndexTitle(sectionName)
  }
}
