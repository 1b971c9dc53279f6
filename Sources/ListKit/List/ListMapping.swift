import Foundation
import ListSnapshots

/// Where each section stands after a batch.
struct SectionMapping {
  /// For each section before the batch its index after it; `nil` when it was deleted.
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

/// Where each row stands after a batch that has been validated: O(operations) to make, O(log
/// operations) to ask.
package struct ListMapping {
  private let sections: SectionMapping
  private let reloadedSections: Set<Int>
  private let movedRows: [IndexPath: IndexPath]
  /// Rows that left their place, by old section, ascending.
  private let left: [Int: [Int]]
  private let deleted: Set<IndexPath>
  /// Rows that came to a place, by new section, ascending.
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

  /// The row's place after the batch; `nil` when it was deleted or its section was deleted or
  /// reloaded.
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

  /// The place of the survivor of a rank among the places that nothing new took.
  private static func place(_ rank: Int, skipping taken: [Int]) -> Int {
    rank + partition(taken.count) { taken[$0] - $0 <= rank }
  }

  /// How many indexes from the start on satisfy a condition that holds for a prefix.
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
