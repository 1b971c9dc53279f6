import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

// From the context to the page. The controller of a main-queue context calls its delegate on the
// main queue, which is that of the main actor.
extension EmployeesViewController: @preconcurrency NSFetchedResultsControllerDelegate {
  func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>
  ) {
    changeLine.begin()
    insertedSections = []
    deletedSections = []
    movedRows = []
    tableView.beginUpdates()
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {
    changeLine.add(type, section: sectionIndex)
    switch type {
    case .insert:
      insertedSections.insert(sectionIndex)
      tableView.insertSections([sectionIndex], with: .automatic)
    case .delete:
      deletedSections.insert(sectionIndex)
      tableView.deleteSections([sectionIndex], with: .automatic)
    default: break
    }
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    changeLine.add(type, from: indexPath, to: newIndexPath)
    switch (type, indexPath, newIndexPath) {
    case (.insert, _, let new?): tableView.insertRows(at: [new], with: .automatic)
    case (.delete, let old?, _): tableView.deleteRows(at: [old], with: .automatic)
    case (.move, let old?, let new?): move(from: old, to: new)
    case (.update, let old?, _):
      if let cell = tableView.cellForRow(at: old), let employee = anObject as? Employee {
        configure(cell, with: employee)
      }
    default: break
    }
  }

  /// Moves a row. A table view cannot move one out of a deleted or into an inserted section; such a
  /// move becomes a deletion and an insertion.
  private func move(from old: IndexPath, to new: IndexPath) {
    if deletedSections.contains(old.section) || insertedSections.contains(new.section) {
      tableView.deleteRows(at: [old], with: .automatic)
      tableView.insertRows(at: [new], with: .automatic)
    } else {
      tableView.moveRow(at: old, to: new)
      movedRows.append(new)
    }
  }

  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>
  ) {
    tableView.endUpdates()
    // A moved row keeps its old content until it is reconfigured.
    let shown = movedRows.filter { tableView.cellForRow(at: $0) != nil }
    if !shown.isEmpty { tableView.reconfigureRows(at: shown) }
    navigationItem.prompt = changeLine.text
  }

  /// "80" for the section 1980s: the default title, the first letter, is equal for nearly all.
  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String? {
    String(sectionName.dropLast().suffix(2))
  }
}
