import KeyValueCoding

/// An object in a sorted list: its identity and the values that decide its rank.
///
/// Long lists are mostly sorted by one number or date. Entries of such lists hold the key as 64
/// bits that sort as the values do: copying and comparing them counts no references.
package struct ListEntry {
  fileprivate enum Form: UInt8 {
    /// The keys need their columns' comparison.
    case keys
    /// The first key is compared directly.
    case null, integer, real
  }

  /// The bits of its ``PackedIdentity``.
  package let word: UInt64
  private let form: Form
  /// The first key, as sortable bits; unused if the form is `keys`.
  private let order: UInt64
  /// All keys; nil if the first key is the only one.
  private let allKeys: [TypedValue]?
  /// nil in a list without sections, and if the name was not requested.
  package var sectionName: String?

  package var identity: PackedIdentity { PackedIdentity(bits: word) }

  /// - Parameter keys: one for each sort descriptor; empty for an object whose row is gone.
  package init(word: UInt64, keys: [TypedValue], sectionName: String? = nil) {
    self.word = word
    form = .keys
    order = 0
    allKeys = keys
    self.sectionName = sectionName
  }

  /// - Parameters:
  ///   - first: the first key, which is compared directly.
  ///   - keys: all keys, if there are several.
  init(word: UInt64, plain first: TypedValue, keys: [TypedValue]?) {
    self.word = word
    switch first {
    case .null: (form, order) = (.null, 0)
    case .integer(let value): (form, order) = (.integer, UInt64(bitPattern: value) ^ Self.sign)
    case .double(let value): (form, order) = Self.real(value)
    case .date(let value): (form, order) = Self.real(value.timeIntervalSinceReferenceDate)
    default: (form, order) = (.keys, 0)
    }
    allKeys = form == .keys ? keys ?? [first] : keys
  }

  /// The entry of an object whose only key is a number.
  init(word: UInt64, _ number: KeptNumber, isReal: Bool) {
    self.word = word
    form = isReal ? .real : .integer
    order = number.bits
    allKeys = nil
  }

  /// The key, if it is a number of this kind and the only key.
  func number(isReal: Bool) -> KeptNumber? {
    allKeys == nil && form == (isReal ? .real : .integer) ? KeptNumber(bits: order) : nil
  }

  fileprivate static let sign: UInt64 = 1 << 63

  fileprivate static func real(_ value: Double) -> (Form, UInt64) {
    // NaN has no order by its bits. Adding 0 makes -0 equal to 0.
    if value.isNaN { return (.keys, 0) }
    let bits = (value + 0).bitPattern
    return (.real, bits & sign == 0 ? bits | sign : ~bits)
  }

  package var keys: [TypedValue] {
    if let allKeys { return allKeys }
    return switch form {
    case .keys, .null: [.null]
    case .integer: [.integer(Int64(bitPattern: order ^ Self.sign))]
    case .real: [.double(measure)]
    }
  }

  /// Whether the sort keys are known; those of an object whose row is gone are not.
  var hasKeys: Bool { allKeys?.isEmpty != true }

  /// Whether the entry comes before another by the first key, and by identity if that is the only
  /// key. Returns nil if the columns must compare the keys.
  @inline(__always)
  func precedes(_ other: ListEntry, ascending: Bool) -> Bool? {
    if form == .keys || other.form == .keys { return nil }
    if form == other.form {
      if order != other.order { return (order < other.order) == ascending }
      if allKeys != nil || other.allKeys != nil { return nil }
      return identity.tieOrder < other.identity.tieOrder
    }
    return switch (form, other.form) {
    case (.null, _): ascending
    case (_, .null): !ascending
    default: nil
    }
  }

  private var measure: Double {
    if form == .integer { return Double(Int64(bitPattern: order ^ Self.sign)) }
    return Double(bitPattern: order & Self.sign == 0 ? ~order : order ^ Self.sign)
  }
}

extension ListEntry {
  /// The relative position of the entry between two others, by the first key in which these differ:
  /// about 0 to 1 if it is between them. Returns nil if no numeric key differs.
  func share(from low: ListEntry, to high: ListEntry) -> Double? {
    if isNumber, low.isNumber, high.isNumber, low.order != high.order {
      let (start, end) = (low.measure, high.measure)
      return (measure - start) / (end - start)
    }
    // The only keys are equal.
    if allKeys == nil || low.allKeys == nil || high.allKeys == nil { return nil }
    return share(ofKeysFrom: low.keys, to: high.keys)
  }

  private var isNumber: Bool { form == .integer || form == .real }

  private func share(ofKeysFrom lows: [TypedValue], to highs: [TypedValue]) -> Double? {
    let keys = keys
    for index in 0..<min(keys.count, lows.count, highs.count) {
      if case .string(let low) = lows[index], case .string(let high) = highs[index], low == high {
        continue
      }
      guard let low = lows[index].measure, let high = highs[index].measure,
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

/// The interface through which a list reads the order and the entries of its objects.
package protocol ListReader: AnyObject {
  /// The entries of objects of the list that are not part of the current batch, in the order of
  /// `words`. Reads them all at once.
  func entries(of words: [UInt64]) -> [ListEntry]
  /// Whether the first entry comes before the second; a strict total order.
  func isOrdered(_ first: ListEntry, _ second: ListEntry) -> Bool
}

/// A number as 64 bits that sort as numbers do. Zero means unknown; the one integer with these
/// bits, `Int64.min`, counts as unknown too.
struct KeptNumber {
  fileprivate let bits: UInt64

  static let unknown = KeptNumber(bits: 0)

  fileprivate init(bits: UInt64) { self.bits = bits }

  init(_ number: PlainNumber) {
    switch number {
    case .integer(let value): bits = UInt64(bitPattern: value) ^ ListEntry.sign
    case .real(let value):
      let (form, order) = ListEntry.real(value)
      bits = form == .real ? order : 0
    }
  }

  var isKnown: Bool { bits != 0 }
}
