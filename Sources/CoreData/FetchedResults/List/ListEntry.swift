import KeyValueCoding

/// An object as a sorted list sees it: its identity and the values that decide its place.
package struct ListEntry {
  /// The bits of its ``PackedIdentity``.
  package let word: UInt64
  /// One for each sort descriptor.
  package let keys: [TypedValue]
  /// nil in a list without sections, and where nobody asked.
  package var sectionName: String?

  package var identity: PackedIdentity { PackedIdentity(bits: word) }

  package init(word: UInt64, keys: [TypedValue], sectionName: String? = nil) {
    self.word = word
    self.keys = keys
    self.sectionName = sectionName
  }
}

extension ListEntry {
  /// How far the entry is on the way from one to another, by the first key in which these differ: about 0 to
  /// 1 if it is between them. nil where no numbers tell.
  func share(from low: ListEntry, to high: ListEntry) -> Double? {
    for index in 0..<min(keys.count, low.keys.count, high.keys.count) {
      if case .string(let low) = low.keys[index], case .string(let high) = high.keys[index],
        low == high
      {
        continue
      }
      guard let low = low.keys[index].measure, let high = high.keys[index].measure,
        let own = keys[index].measure
      else { return nil }
      if low != high { return (own - low) / (high - low) }
    }
    return nil
  }
}

extension TypedValue {
  fileprivate var measure: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    case .date(let value): value.timeIntervalSinceReferenceDate
    default: nil
    }
  }
}

/// What a list asks of its owner: the order, and the entries of objects that it meets on its way.
package protocol ListReader: AnyObject {
  /// The entries of objects of the list that are not part of the batch at hand, in the order of the
  /// words: one read for all.
  func entries(of words: [UInt64]) -> [ListEntry]
  /// Whether the first entry belongs before the second; a strict total order.
  func isOrdered(_ first: ListEntry, _ second: ListEntry) -> Bool
}

extension PackedIdentity {
  /// The order of objects whose sort keys are equal: saved ones by store and primary key, as a fetch
  /// orders them, then unsaved ones in the order in which they were made.
  package var tieOrder: UInt64 { bits & ~(0xFFFF << 40) }
}
