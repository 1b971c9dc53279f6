/// Folds in every value that a side read, so that no compiler drops the reading and a side that read
/// something else is found out.
///
/// Sums do not depend on the order of the rows, because a fetch without an order may give any.
struct Checksum: Equatable, Codable, CustomStringConvertible {
  private(set) var rows = 0
  private var integers: Int64 = 0
  private var fractions: UInt64 = 0
  private var textBytes = 0

  init() {}

  init(rows: Int, integers: Int64, fractions: UInt64, textBytes: Int) {
    (self.rows, self.integers) = (rows, integers)
    (self.fractions, self.textBytes) = (fractions, textBytes)
  }

  mutating func addRow() { rows += 1 }
  mutating func add(_ value: Int64) { integers &+= value }
  mutating func add(_ value: Int) { integers &+= Int64(value) }
  mutating func add(_ value: Double) { fractions &+= value.bitPattern }

  mutating func add(_ value: String?) {
    guard let value else { return }
    textBytes += value.utf8.count
    integers &+= Int64(value.utf8.last ?? 0)
  }

  mutating func add(_ other: Checksum) {
    rows += other.rows
    integers &+= other.integers
    fractions &+= other.fractions
    textBytes += other.textBytes
  }

  var description: String { "\(rows) rows, \(integers), \(fractions), \(textBytes) bytes" }
}
