import Foundation

@testable import CoreData

/// A delegate that does to a list of its own what a table view does: it collects the calls of one
/// batch and applies them in a table view's order. Its rows are the books' places, which are unique.
final class TableReplay: NSObject, NSFetchedResultsControllerDelegate {
  struct Section: Equatable {
    var name: String
    var places: [Int]
  }

  private(set) var sections: [Section] = []
  private(set) var moves = 0
  private var leaving: [IndexPath] = []
  private var arriving: [(path: IndexPath, place: Int)] = []
  private var deletedSections: [Int] = []
  private var insertedSections: [(index: Int, name: String)] = []
  /// What was wrong with the calls.
  private(set) var complaints: [String] = []

  /// Takes the list as it is.
  func reload(_ controller: NSFetchedResultsController<NSManagedObject>) {
    sections = Self.state(of: controller)
  }

  static func state(of controller: NSFetchedResultsController<NSManagedObject>) -> [Section] {
    (controller.sections ?? []).enumerated().map { index, section in
      let rows = 0..<section.numberOfObjects
      return Section(
        name: section.name,
        places: rows.map { controller.object(at: IndexPath(row: $0, section: index)).bookPlace })
    }
  }

  func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
    (leaving, arriving, deletedSections, insertedSections) = ([], [], [], [])
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {
    if type == .delete {
      deletedSections.append(sectionIndex)
      if sectionInfo.numberOfObjects != 0 { complaints.append("A deleted section has objects") }
    } else {
      insertedSections.append((sectionIndex, sectionInfo.name))
    }
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    let place = (anObject as? NSManagedObject)?.value(forKey: "place") as? Int ?? -1
    if type != .insert, let indexPath {
      let shown = sections[indexPath.section].places[indexPath.row]
      if type != .delete, shown != place { complaints.append("\(type): \(shown) is not \(place)") }
      if type != .update { leaving.append(indexPath) }
    }
    if let newIndexPath { arriving.append((newIndexPath, place)) }
    if type == .move { moves += 1 }
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
    for path in leaving.sorted(by: >) { sections[path.section].places.remove(at: path.row) }
    for index in deletedSections.sorted(by: >) {
      if !sections[index].places.isEmpty { complaints.append("A section goes with its rows") }
      sections.remove(at: index)
    }
    for (index, name) in insertedSections.sorted(by: { $0.index < $1.index }) {
      sections.insert(Section(name: name, places: []), at: index)
    }
    for (path, place) in arriving.sorted(by: { $0.path < $1.path }) {
      sections[path.section].places.insert(place, at: path.row)
    }
  }
}

extension NSManagedObject {
  var bookPlace: Int { value(forKey: "place") as? Int ?? -1 }
}
