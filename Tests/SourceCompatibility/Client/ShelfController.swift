import CoreData
import Foundation

/// A controller of a list, as table view controllers have it.
class ShelfController: NSObject, NSFetchedResultsControllerDelegate {
  let managedObjectContext: NSManagedObjectContext
  var log: [String] = []

  init(managedObjectContext: NSManagedObjectContext) {
    self.managedObjectContext = managedObjectContext
  }

  lazy var fetchedResultsController: NSFetchedResultsController<Book> = {
    let fetchRequest: NSFetchRequest<Book> = Book.fetchRequest()
    fetchRequest.fetchBatchSize = 20
    fetchRequest.sortDescriptors = [
      NSSortDescriptor(key: #"author.name"#, ascending: true),
      NSSortDescriptor(keyPath: \Book.title, ascending: true),
    ]
    let controller = NSFetchedResultsController(
      fetchRequest: fetchRequest, managedObjectContext: managedObjectContext,
      sectionNameKeyPath: "author.name", cacheName: nil)
    controller.delegate = self
    return controller
  }()

  func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>
  ) {
    log.append("begin")
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    didChange sectionInfo: NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {
    switch type {
    case .insert: log.append("insert section \(sectionIndex)")
    case .delete: log.append("delete section \(sectionIndex)")
    default: return
    }
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    switch type {
    case .insert: log.append("insert \(newIndexPath!)")
    case .delete: log.append("delete \(indexPath!)")
    case .update: log.append("update \(indexPath!)")
    case .move: log.append("move \(indexPath!) to \(newIndexPath!)")
    @unknown default: break
    }
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
    log.append("end")
  }
}
