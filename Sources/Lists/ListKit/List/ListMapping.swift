import Foundation
import ListSnapshots

/// The indexes of sections after a batch.
struct SectionMapping {
  /// For each section before the batch its index after it; `nil` for a deleted one.
  let newIndexes: [Int?]

  init(_ batch: ListBatch, before: Int, after: Int) {
    var newIndexes = [Int?](repeating: nil, count: before)
    for move in batch.movedSections { newIndexes[move.from] = move.to }
    let gone = Set(batch.deletedSections).union(batch.movedSections.map(\.from))
    let taken = Set(batch.insertedSections).union(batch.movedSections.map(\.to))
    var free = (0..<max(after, 0)).lazy.filter { !taken.contains($0) }.makeIterator()
    for old in 0..<before where !gone.contains(old) { newIndexes[old] = free.next() }
    self.newIndexes = newIndexes
  }
}

/// The paths of rows after a validated batch: O(operations) to make, O(log operations) for a row.
package struct ListMapping {
  private let sections: SectionMapping
  private let reloadedSections: Set<Int>
  private let movedRows: [IndexPath: IndexPath]
  /// Deleted rows and sources of moves, by old section, ascending.
  private let left: [Int: [Int]]
  private let deleted: Set<IndexPath>
  /// Inserted rows and targets of moves, by new section, ascending.
  private let came: [Int: [Int]]

  package init(_ batch: ListBatch, before: Int, after: Int) {
    sections = SectionMapping(batch, before: before, after: after)
    reloadedSections = Set(batch.reloadedSections)
    movedRows = Dictionary(
      batch.movedRows.map { ($0.from, $0.to) }, uniquingKeysWith: { first, _ in first })
    deleted = Set(batch.deletedRows)
    left = Self.bySection(batch.deletedRows + batch.movedRows.map(\.from))
    came = Self.bySection(batch.insertedRows + batch.movedRows.map(\.to))
  }

  private static func bySection(_ paths: [IndexPath]) -> [Int: [Int]] {
    Dictionary(grouping: paths, by: \.section).mapValues { $0.map(\.row).sorted() }
  }

  /// The row's path after the batch; `nil` for a row that was deleted, or whose section was deleted
  /// or reloaded.
  package func newPath(of old: IndexPath) -> IndexPath? {
    if let target = movedRows[old] { return target }
    guard !deleted.contains(old), !reloadedSections.contains(old.section) else { return nil }
    guard let section = sections.newIndexes[old.section] else { return nil }
    let rank = old.row - Self.count(left[old.section] ?? [], below: old.row)
    return IndexPath(row: Self.place(rank, skipping: came[section] ?? []), section: section)
  }

  private static func count(_ sorted: [Int], below limit: Int) -> Int {
    partition(sorted.count) { sorted[$0] < limit }
  }

  /// The index of the surviving row of a rank, among the indexes that no insert or move uses.
  private static func place(_ rank: Int, skipping taken: [Int]) -> Int {
    rank + partition(taken.count) { taken[$0] - $0 <= rank }
  }

  /// The length of the longest prefix of indexes that satisfy a condition. Binary search: the
  /// condition must hold for a prefix.
  private static func partition(_ count: Int, while holds: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
