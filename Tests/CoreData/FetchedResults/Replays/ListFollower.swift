import Foundation

@testable import CoreData

/// A delegate that keeps a list of its own up to date from what it is told. Rows are the books'
/// places, which are unique.
protocol ListFollower: NSFetchedResultsControllerDelegate {
  /// What the delegate shows.
  var shown: [ShownSection] { get }
  /// How many batches came.
  var batches: Int { get }
  /// What was wrong with them.
  var complaints: [String] { get }

  /// Takes the list as it is.
  func reload(_ controller: BookController)
  /// What the next batch is about: a fetch may move any row, an event those that it changed.
  func expectBatch(ofFetch isOfFetch: Bool)
}

struct ShownSection: Equatable {
  var name: String
  var places: [Int]
}

extension BookController {
  var shown: [ShownSection] {
    (sections ?? []).map { section in
      let books = (section.objects ?? []).compactMap { $0 as? NSManagedObject }
      return ShownSection(name: section.name, places: books.map(\.bookPlace))
    }
  }
}

extension NSManagedObject {
  var bookPlace: Int { value(forKey: "place") as? Int ?? -1 }
}
