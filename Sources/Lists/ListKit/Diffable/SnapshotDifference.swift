import Foundation
import ListSnapshots

/// The difference of two snapshots as one batch of updates, with the rows to reload.
///
/// Sections that stay but change their order are deleted and inserted, except for a longest
/// increasing run, which stays. Rows of a section that change their order are moved by the same
/// rule. A row of a deleted or inserted section is deleted or inserted with it: a list cannot move
/// a row out of a deleted section or into an inserted one. O(items · log items).
@MainActor
struct SnapshotDifference<Section: Hashable & Sendable, Item: Hashable & Sendable> {
  typealias Snapshot = NSDiffableDataSourceSnapshot<Section, Item>

  private(set) var deletedSections = IndexSet()
  private(set) var insertedSections = IndexSet()
  private(set) var reloadedSections = IndexSet()
  private(set) var deleted: [IndexPath] = []
  private(set) var inserted: [IndexPath] = []
  private(set) var moved: [(from: IndexPath, to: IndexPath)] = []
  /// Rows to reload that do not move, at their paths before the batch.
  private(set) var reloaded: [IndexPath] = []
  private(set) var reconfigured: [IndexPath] = []
  /// Rows to reload that also move, at their paths after the batch: one batch cannot move and
  /// reload a row.
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

  /// Whether all rows of an old section disappear or get new cells with it.
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

  /// Applies the difference to a list, whose data source must already supply the new snapshot.
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

/// A longest increasing subsequence of distinct numbers, by patience sorting.
enum LongestIncreasingRun {
  static func members(of numbers: [Int]) -> [Int] {
    /// For each length, the index of the smallest number that ends a run of this length.
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
