import Foundation

@testable import CoreData

/// Shows the last snapshot.
final class SnapshotReplay: NSObject, ListFollower {
  private let context: NSManagedObjectContext
  private var snapshot = NSDiffableDataSourceSnapshot<String, NSManagedObjectID>()
  private(set) var batches = 0
  private(set) var complaints: [String] = []

  init(_ context: NSManagedObjectContext) { self.context = context }

  var shown: [ShownSection] {
    snapshot.sectionIdentifiers.map { name in
      ShownSection(
        name: UUID(uuidString: name) == nil ? name : "",
        places: snapshot.itemIdentifiers(inSection: name).map {
          context.object(with: $0).bookPlace
        })
    }
  }

  func reload(_ controller: BookController) {}
  func expectBatch(ofFetch isOfFetch: Bool) {}

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
  ) {
    batches += 1
    self.snapshot = NSDiffableDataSourceSnapshot(snapshot)
    let marked = Set(self.snapshot.reloadedItemIdentifiers)
    if !marked.isSubset(of: self.snapshot.itemIdentifiers) {
      complaints.append("A row is to be reloaded that is not there")
    }
  }
}

/// Applies differences to an array of object IDs.
final class DifferenceReplay: NSObject, ListFollower {
  private let context: NSManagedObjectContext
  private(set) var identities: [NSManagedObjectID] = []
  private(set) var batches = 0
  private(set) var complaints: [String] = []

  init(_ context: NSManagedObjectContext) { self.context = context }

  var shown: [ShownSection] {
    [ShownSection(name: "", places: identities.map { context.object(with: $0).bookPlace })]
  }

  func reload(_ controller: BookController) {
    identities = (controller.fetchedObjects ?? []).map(\.objectID)
  }

  func expectBatch(ofFetch isOfFetch: Bool) {}

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  ) {
    batches += 1
    for case .remove(let offset, let element, _) in diff.removals
    where identities[offset] != element {
      complaints.append("A row is removed that is another one")
    }
    guard let changed = identities.applying(diff) else {
      return complaints.append("A difference that does not fit")
    }
    identities = changed
    let current = (controller.fetchedObjects ?? []).compactMap {
      ($0 as? NSManagedObject)?.objectID
    }
    if identities != current { complaints.append("Other object IDs than the list has") }
  }
}
