import Foundation

/// Changes of a table's rows since a starting point, as runs of rows instead of single rows.
///
///     start:  │ 0 … 4     │ 5   │ 6 … 9      │   a section of ten rows
///     now:    │ old 0..<5 │ new │ old 6..<10 │   row 5 was deleted, another one inserted
///
/// Each section is a list of pieces. A batch of changes costs time in the number of pieces, not of
/// rows.
struct RowPieces {
  enum Piece: Equatable {
    /// A run of rows that are still neighbours, by their row numbers at the start.
    case old(Range<Int>)
    /// A row that was elsewhere at the start.
    case moved(from: IndexPath)
    case new

    var count: Int {
      if case .old(let rows) = self { rows.count } else { 1 }
    }
  }

  private var sections: [[Piece]]
  private let counts: [Int]
  /// Rows whose content has changed, by their paths at the start.
  private var updated: Set<IndexPath> = []

  init(counts: [Int]) {
    self.counts = counts
    sections = counts.map { $0 == 0 ? [] : [.old(0..<$0)] }
  }

  /// A batch in the terms of a fetched results controller: deletes, updates and sources of moves
  /// are paths before the batch, inserts and targets of moves are paths after it.
  struct Batch {
    var deletes: [IndexPath] = []
    var inserts: [IndexPath] = []
    var moves: [(from: IndexPath, to: IndexPath)] = []
    var updates: [IndexPath] = []
  }

  mutating func apply(_ batch: Batch) {
    for path in batch.updates {
      if let then = origin(of: path) { updated.insert(then) }
    }
    var arriving = batch.inserts.map { (path: $0, piece: Piece.new) }
    for move in batch.moves {
      let then = origin(of: move.from)
      if let then { updated.insert(then) }
      arriving.append((move.to, then.map { .moved(from: $0) } ?? .new))
    }
    for path in (batch.deletes + batch.moves.map(\.from)).sorted(by: >) { remove(path) }
    for (path, piece) in arriving.sorted(by: { $0.path < $1.path }) { insert(piece, path) }
  }

  // MARK: - The sum of all batches

  var batch: Batch { Batch(deletes: deletes, inserts: inserts, moves: moves, updates: updates) }

  /// The deleted rows, by their paths at the start.
  var deletes: [IndexPath] {
    var kept: [[Range<Int>]] = counts.map { _ in [] }
    for (section, pieces) in sections.enumerated() {
      for piece in pieces {
        switch piece {
        case .old(let rows): kept[section].append(rows)
        case .moved(let path): kept[path.section].append(path.row..<path.row + 1)
        case .new: break
        }
      }
    }
    return kept.enumerated().flatMap { section, ranges in
      gaps(in: ranges, of: counts[section]).map { IndexPath(row: $0, section: section) }
    }
  }

  private func gaps(in ranges: [Range<Int>], of count: Int) -> [Int] {
    var gaps: [Int] = []
    var next = 0
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      gaps += next..<max(next, range.lowerBound)
      next = max(next, range.upperBound)
    }
    return gaps + (next..<max(next, count))
  }

  /// The inserted rows, by their current paths.
  var inserts: [IndexPath] { arrivals.filter { $0.piece == .new }.map(\.path) }

  /// The moved rows, from their paths at the start to their current ones.
  var moves: [(from: IndexPath, to: IndexPath)] {
    arrivals.compactMap { path, piece in
      if case .moved(let from) = piece { (from, path) } else { nil }
    }
  }

  /// The rows with changed content that have not moved, by their paths at the start. Moved rows are
  /// not included: the list updates them at their new paths.
  var updates: [IndexPath] {
    let gone = Set(deletes).union(moves.map(\.from))
    return updated.subtracting(gone).sorted()
  }

  private var arrivals: [(path: IndexPath, piece: Piece)] {
    var arrivals: [(IndexPath, Piece)] = []
    for (section, pieces) in sections.enumerated() {
      var row = 0
      for piece in pieces {
        if case .old = piece {
        } else {
          arrivals.append((IndexPath(row: row, section: section), piece))
        }
        row += piece.count
      }
    }
    return arrivals
  }

  // MARK: - Pieces

  /// The path at the start of a row; nil for an inserted one.
  private func origin(of path: IndexPath) -> IndexPath? {
    let (index, offset) = find(path)
    guard sections[path.section].indices.contains(index) else { return nil }
    switch sections[path.section][index] {
    case .old(let rows): return IndexPath(row: rows.lowerBound + offset, section: path.section)
    case .moved(let from): return from
    case .new: return nil
    }
  }

  /// The piece that contains a row, and the row's offset in it; the end for a row after the last
  /// one.
  private func find(_ path: IndexPath) -> (index: Int, offset: Int) {
    var rest = path.row
    for (index, piece) in sections[path.section].enumerated() {
      if rest < piece.count { return (index, rest) }
      rest -= piece.count
    }
    return (sections[path.section].count, rest)
  }

  private mutating func remove(_ path: IndexPath) {
    let (index, offset) = find(path)
    var replacement: [Piece] = []
    if case .old(let rows) = sections[path.section][index] {
      let row = rows.lowerBound + offset
      replacement = [rows.lowerBound..<row, row + 1..<rows.upperBound]
        .filter { !$0.isEmpty }.map(Piece.old)
    }
    sections[path.section].replaceSubrange(index...index, with: replacement)
  }

  private mutating func insert(_ piece: Piece, _ path: IndexPath) {
    let (index, offset) = find(path)
    guard offset > 0, case .old(let rows) = sections[path.section][index] else {
      return sections[path.section].insert(piece, at: index)
    }
    let row = rows.lowerBound + offset
    sections[path.section].replaceSubrange(
      index...index,
      with: [.old(rows.lowerBound..<row), piece, .old(row..<rows.upperBound)])
  }
}
