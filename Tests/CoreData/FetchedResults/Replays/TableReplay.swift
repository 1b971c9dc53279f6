import Foundation

@testable import CoreData
@testable import CoreDataSamples

/// Does to a list of its own what a table view does: it collects the calls of one batch and applies
/// them in a table view's order. Checks that they name the right rows and are the fewest.
final class TableReplay: NSObject, ListFollower {
  private(set) var shown: [ShownSection] = []
  private(set) var batches = 0
  private(set) var complaints: [String] = []
  private let isStrict: Bool
  private var isOfFetch = false
  private var batch = Batch()

  /// The calls of one batch.
  private struct Batch {
    var deletes: [IndexPath] = []
    var inserts: [(path: IndexPath, place: Int)] = []
    var moves: [(from: IndexPath, to: IndexPath, place: Int)] = []
    var updates: [IndexPath] = []
    var deletedSections: [Int] = []
    var insertedSections: [(index: Int, name: String)] = []
  }

  /// - Parameter isStrict: whether no row may move out of a section that goes or into one that comes.
  init(isStrict: Bool = false) { self.isStrict = isStrict }

  func reload(_ controller: BookController) { shown = controller.shown }

  func expectBatch(ofFetch isOfFetch: Bool) { self.isOfFetch = isOfFetch }

  // MARK: - Calls

  func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
    batch = Batch()
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {
    if type == .delete {
      batch.deletedSections.append(sectionIndex)
      if sectionInfo.numberOfObjects != 0 { complaints.append("A deleted section has objects") }
    } else {
      batch.insertedSections.append((sectionIndex, sectionInfo.name))
    }
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    let place = (anObject as? NSManagedObject)?.value(forKey: "place") as? Int ?? -1
    if type != .delete, let indexPath, self.place(indexPath) != place {
      complaints.append("\(type): \(self.place(indexPath)) is not \(place)")
    }
    switch (type, indexPath, newIndexPath) {
    case (.insert, nil, let new?): batch.inserts.append((new, place))
    case (.delete, let old?, nil): batch.deletes.append(old)
    case (.move, let old?, let new?): batch.moves.append((old, new, place))
    case (.update, let old?, nil): batch.updates.append(old)
    default: complaints.append("\(type) with a path too few or too many")
    }
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
    batches += 1
    let old = shown
    complain(ofPathsIn: old)
    apply()
    complain(ofMoreThanNeededFrom: old)
  }

  private func place(_ path: IndexPath) -> Int { shown[path.section].places[path.row] }

  // MARK: - As a table view does it

  private func apply() {
    let leaving = batch.deletes + batch.moves.map(\.from)
    let arriving = batch.inserts + batch.moves.map { ($0.to, $0.place) }
    for path in leaving.sorted(by: >) { shown[path.section].places.remove(at: path.row) }
    for index in batch.deletedSections.sorted(by: >) {
      if !shown[index].places.isEmpty { complaints.append("A section goes with its rows") }
      shown.remove(at: index)
    }
    for (index, name) in batch.insertedSections.sorted(by: { $0.index < $1.index }) {
      shown.insert(ShownSection(name: name, places: []), at: index)
    }
    for (path, place) in arriving.sorted(by: { $0.path < $1.path }) {
      shown[path.section].places.insert(place, at: path.row)
    }
  }

  // MARK: - Complaints

  private func complain(ofPathsIn old: [ShownSection]) {
    let named = batch.deletes + batch.moves.map(\.from) + batch.updates
    if Set(named).count < named.count { complaints.append("A row is told of twice") }
    guard isStrict else { return }
    let gone = Set(batch.deletedSections)
    let made = Set(batch.insertedSections.map(\.index))
    let isRefused = batch.moves.contains {
      gone.contains($0.from.section) || made.contains($0.to.section)
    }
    if isRefused { complaints.append("A table view cannot move such a row") }
  }

  private func complain(ofMoreThanNeededFrom old: [ShownSection]) {
    let before = Places(old)
    let after = Places(shown)
    if !isOfFetch {
      let gone = Set(batch.deletedSections.map { old[$0].name })
      let made = Set(batch.insertedSections.map(\.name))
      if gone != before.sections.subtracting(after.sections)
        || made != after.sections.subtracting(before.sections)
      {
        complaints.append("A section is told of that neither went nor came")
      }
    }
    let split = Set(batch.deletes.map { old[$0.section].places[$0.row] })
      .intersection(batch.inserts.map(\.place))
    let moved = batch.moves.map(\.place) + split
    let updated = batch.updates.map { old[$0.section].places[$0.row] }
    let changed = isOfFetch ? before.all.filter { after[$0] != nil } : moved + updated
    let least = after.fewestMoves(from: before, changed: Set(changed))
    // A section that stands elsewhere now takes all its rows along.
    let forced = isOfFetch ? batch.insertedSections.count : 0
    if forced == 0, moved.count != least {
      complaints.append("\(moved.count) moves where \(least) will do")
    }
  }
}

/// Where each row of a list is.
private struct Places {
  private var byPlace: [Int: (rank: Int, section: String)] = [:]
  private(set) var all: [Int] = []
  let sections: Set<String>

  init(_ list: [ShownSection]) {
    sections = Set(list.map(\.name))
    for section in list {
      for place in section.places {
        byPlace[place] = (all.count, section.name)
        all.append(place)
      }
    }
  }

  subscript(place: Int) -> (rank: Int, section: String)? { byPlace[place] }

  /// How many of the changed rows must move when no other row does: found by trying, for each, the
  /// longest chain of rows before it that can stay.
  func fewestMoves(from before: Places, changed: Set<Int>) -> Int {
    let fixedBefore = before.fixedBefore(changed) { self[$0] != nil }
    let fixedAfter = fixedBefore.isEmpty ? [:] : self.fixedBefore(changed) { before[$0] != nil }
    let surviving = before.all.filter { changed.contains($0) && self[$0] != nil }
    let candidates = surviving.filter {
      before[$0]?.section == self[$0]?.section && fixedBefore[$0] == fixedAfter[$0]
    }
    var lengths: [Int] = []
    for (index, place) in candidates.enumerated() {
      let shorter = candidates[..<index].indices.filter {
        byPlace[candidates[$0]]!.rank < byPlace[place]!.rank
      }
      lengths.append(1 + (shorter.map { lengths[$0] }.max() ?? 0))
    }
    return surviving.count - (lengths.max() ?? 0)
  }

  /// How many unchanged rows stand before each changed one.
  private func fixedBefore(_ changed: Set<Int>, _ isCommon: (Int) -> Bool) -> [Int: Int] {
    var count = 0
    var result: [Int: Int] = [:]
    for place in all where isCommon(place) {
      if changed.contains(place) { result[place] = count } else { count += 1 }
    }
    return result
  }
}
