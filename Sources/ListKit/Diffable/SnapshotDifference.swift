import Foundation
import ListSnapshots

/// What leads a list from one snapshot to another, as one batch of updates, and what is to be said
/// anew afterwards.
///
/// Sections that changed their order among those that stay are deleted and inserted, except for a
/// longest run that needs no change; so are rows within a section, as moves. A row whose section
/// goes, or comes, goes and comes with it: a list moves no row out of a section that is deleted or
/// into one that is inserted. O(items · log items).
@MainActor
struct SnapshotDifference<Section: Hashable & Sendable, Item: Hashable & Sendable> {
  typealias Snapshot = NSDiffableDataSourceSnapshot<Section, Item>

  private(set) var deletedSections = IndexSet()
  private(set) var insertedSections = IndexSet()
  private(set) var reloadedSections = IndexSet()
  private(set) var deleted: [IndexPath] = []
  private(set) var inserted: [IndexPath] = []
  private(set) var moved: [(from: IndexPath, to: IndexPath)] = []
  /// Rows that stay where they are, as before the batch.
  private(set) var reloaded: [IndexPath] = []
  private(set) var reconfigured: [IndexPath] = []
  /// Rows that move and are to be said anew, as after the batch: a batch moves a row or reloads it.
  private(set) var reconfiguredLater: [IndexPath] = []

  private let old: Snapshot
  private let new: Snapshot
  private var oldPaths: [Item: IndexPath] = [:]
  private var movedItems: Set<Item> = []

  init(from old: Snapshot, to new: Snapshot) {
    self.old = old
    self.new = new
    compareSections()
    for (section, identifier) in old.sectionIdentifiers.enumerated() {
      for (row, item) in old.itemIdentifiers(inSection: identifier).enumerated() {
        oldPaths[item] = IndexPath(row: row, section: section)
      }
    }
    compareRows()
    collectReloads()
  }

  private mutating func compareSections() {
    let before = old.sectionIdentifiers
    let after = new.sectionIdentifiers
    let places = Dictionary(uniqueKeysWithValues: before.enumerated().map { ($1, $0) })
    let common = after.compactMap { places[$0] }
    let kept = Set(LongestIncreasingRun.members(of: common))
    deletedSections = IndexSet(before.indices.filter { !kept.contains($0) })
    insertedSections = IndexSet(
      after.indices.filter { index in places[after[index]].map { !kept.contains($0) } ?? true })
    let reloaded = Set(new.reloadedSectionIdentifiers)
    reloadedSections = IndexSet(
      before.indices.filter { kept.contains($0) && reloaded.contains(before[$0]) })
  }

  /// Sections all rows of which the list asks for anew, or drops.
  private func isWholeOld(_ section: Int) -> Bool {
    deletedSections.contains(section) || reloadedSections.contains(section)
  }

  private mutating func compareRows() {
    var seen: Set<Item> = []
    for (section, identifier) in new.sectionIdentifiers.enumerated() {
      let items = new.itemIdentifiers(inSection: identifier)
      let oldSection = old.indexOfSection(identifier)
      guard !insertedSections.contains(section), oldSection.map(isWholeOld) != true else {
        continue
      }
      let stay = items.compactMap { oldPaths[$0] }.filter { $0.section == oldSection }.map(\.row)
      let kept = Set(LongestIncreasingRun.members(of: stay))
      for (row, item) in items.enumerated() {
        let path = IndexPath(row: row, section: section)
        guard let before = oldPaths[item], !isWholeOld(before.section) else {
          inserted.append(path)
          continue
        }
        seen.insert(item)
        if before.section == oldSection, kept.contains(before.row) { continue }
        moved.append((before, path))
        movedItems.insert(item)
      }
    }
    let gone = oldPaths.filter { !isWholeOld($1.section) && !seen.contains($0) }
    deleted = gone.map(\.value).sorted()
  }

  private mutating func collectReloads() {
    let gone = Set(deleted)
    let renewed = new.reloadedItemIdentifiers.map { ($0, true) }
    let again = new.reconfiguredItemIdentifiers.map { ($0, false) }
    for (item, isReload) in renewed + again {
      guard let before = oldPaths[item], !isWholeOld(before.section) else { continue }
      if movedItems.contains(item) {
        guard let section = new.sectionIdentifier(containingItem: item),
          let sectionIndex = new.indexOfSection(section),
          let row = new.itemIdentifiers(inSection: section).firstIndex(of: item)
        else { continue }
        reconfiguredLater.append(IndexPath(row: row, section: sectionIndex))
      } else if !gone.contains(before) {
        if isReload { reloaded.append(before) } else { reconfigured.append(before) }
      }
    }
  }

  /// Carries it out. The data source must say what the new snapshot says by now.
  func apply(to list: ListView) {
    list.add { batch in
      batch.deletedSections += deletedSections
      batch.insertedSections += insertedSections
      batch.reloadedSections += reloadedSections
      batch.deletedRows += deleted
      batch.insertedRows += inserted
      batch.movedRows += moved.map { .init(from: $0.from, to: $0.to) }
      batch.reloadedRows += reloaded + reconfigured
      batch.reconfiguredRows.formUnion(reconfigured)
    }
    guard !reconfiguredLater.isEmpty else { return }
    list.add { batch in
      batch.reloadedRows += reconfiguredLater
      batch.reconfiguredRows.formUnion(reconfiguredLater)
    }
  }
}

/// A longest run of rising numbers in a list of different ones, by patience sorting.
enum LongestIncreasingRun {
  static func members(of numbers: [Int]) -> [Int] {
    /// For each length, the place of the smallest number that ends a run of it.
    var ends: [Int] = []
    var before = [Int?](repeating: nil, count: numbers.count)
    for (place, number) in numbers.enumerated() {
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      before[place] = low > 0 ? ends[low - 1] : nil
      if low == ends.count { ends.append(place) } else { ends[low] = place }
    }
    var run: [Int] = []
    var next = ends.last
    while let place = next {
      run.append(numbers[place])
      next = before[place]
    }
    return run.reversed()
  }
}
