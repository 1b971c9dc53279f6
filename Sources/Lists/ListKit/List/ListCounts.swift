import Foundation
import ListSnapshots

/// The numbers of rows per section as of the last update, with the conversion between an offset in
/// the whole list and an index path in O(log sections).
package struct ListCounts: Equatable, Sendable {
  package let rows: [Int]
  /// The offset of each section's first row, then the total.
  private let starts: [Int]

  package init(_ rows: [Int]) {
    self.rows = rows
    var sum = 0
    starts =
      rows.map { count in
        defer { sum += count }
        return sum
      } + [rows.reduce(0, +)]
  }

  package var sections: Int { rows.count }
  package var total: Int { starts[rows.count] }

  package func contains(_ path: IndexPath) -> Bool {
    rows.indices.contains(path.section) && (0..<rows[path.section]).contains(path.row)
  }

  package func place(of path: IndexPath) -> Int { starts[path.section] + path.row }

  package func indexPath(at place: Int) -> IndexPath {
    var low = 0
    var high = rows.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= place { low = middle } else { high = middle }
    }
    return IndexPath(row: place - starts[low], section: low)
  }
}
