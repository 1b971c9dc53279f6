/// Objects of a store, entity by entity: eight bytes each.
struct ObjectList {
  private struct Table {
    /// Which of the list's objects is the first.
    let first: Int
    let store: String
    let entity: String
    var numbers: [UInt64] = []
  }

  private var tables: [Table] = []
  /// Those that have no such parts, which are the last.
  private var others: [String] = []

  private var rows: Int { tables.last.map { $0.first + $0.numbers.count } ?? 0 }
  var count: Int { rows + others.count }

  mutating func append(_ uri: String) {
    guard let parts = ObjectParts(uri) else { return others.append(uri) }
    if tables.last?.entity != parts.entity || tables.last?.store != parts.store {
      tables.append(Table(first: rows, store: parts.store, entity: parts.entity))
    }
    tables[tables.count - 1].numbers.append(parts.number)
  }

  /// Which of some objects are not in the list.
  func missing(of known: Set<String>) -> Set<String> {
    var missing = known
    for first in stride(from: 0, to: known.isEmpty ? 0 : count, by: 1_000) {
      missing.subtract(self[first..<min(first + 1_000, count)])
    }
    return missing
  }

  /// The URIs of some of them.
  subscript(range: Range<Int>) -> [String] {
    var part: [String] = []
    part.reserveCapacity(range.count)
    for table in tables {
      let own = range.clamped(to: table.first..<table.first + table.numbers.count)
      for place in own {
        let number = table.numbers[place - table.first]
        part.append(ObjectParts(store: table.store, entity: table.entity, number: number).uri)
      }
    }
    return part + others[range.clamped(to: rows..<count).shifted(by: -rows)]
  }
}

extension Range<Int> {
  fileprivate func shifted(by distance: Int) -> Range {
    lowerBound + distance..<upperBound + distance
  }
}
