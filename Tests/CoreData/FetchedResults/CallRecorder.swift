import Foundation

@testable import CoreData
@testable import CoreDataSamples

/// A delegate with the classic methods that writes its calls down: "insert b - 0.1".
final class CallRecorder: NSObject, NSFetchedResultsControllerDelegate {
  private(set) var calls: [String] = []
  var isQuietAboutBounds = true
  var whenDone: ((NSFetchedResultsController<NSFetchRequestResult>) -> Void)?

  func take() -> [String] {
    defer { calls = [] }
    return calls
  }

  func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
    if !isQuietAboutBounds { calls.append("will") }
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
    if !isQuietAboutBounds { calls.append("did") }
    whenDone?(controller)
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {
    calls.append(
      "section \(type) \(sectionInfo.name) \(sectionIndex) (\(sectionInfo.numberOfObjects))")
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    let title = (anObject as? NSManagedObject)?.bookTitle ?? "?"
    calls.append("\(type) \(title) \(text(indexPath)) \(text(newIndexPath))")
  }

  private func text(_ path: IndexPath?) -> String {
    path.map { "\($0.section).\($0.row)" } ?? "-"
  }
}
