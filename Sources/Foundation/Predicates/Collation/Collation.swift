import Foundation
internal import _FoundationICU

/// An order of strings for users of a language: ICU's collation for the current locale.
///
/// Compares two strings directly, or by the bytes of their keys, which is far cheaper when a string
/// is compared more than once, as in a sort. Both give the same order, in memory and in SQL.
///
/// The order is that of Foundation's methods with the same names, with one exception: strings that
/// no collation level distinguishes (`1` and `01` in a numeric collation, composed and decomposed
/// letters, invisible characters) are equal here, so that the next sort descriptor decides.
package final class Collation: Sendable {
  /// Sound to share between threads: configured in `init` and only read afterwards, which ICU
  /// allows on any number of threads.
  nonisolated(unsafe) private let collator: OpaquePointer

  /// `localizedCompare:`, and the comparison option `[l]`.
  package static let localized = Collation(.localized)
  /// `localizedCaseInsensitiveCompare:`, and `[cl]`.
  package static let localizedCaseInsensitive = Collation(.caseless)
  /// `localizedStandardCompare:`: numbers inside of strings are ordered by their value.
  package static let localizedStandard = Collation(.standard)
  private static let accentless = Collation(.accentless)
  private static let lettersAlone = Collation(.lettersAlone)

  /// The collation of `[l]` together with `[c]` and `[d]`.
  static func localized(ignoringCase: Bool, ignoringDiacritics: Bool) -> Collation {
    switch (ignoringCase, ignoringDiacritics) {
    case (false, false): localized
    case (true, false): localizedCaseInsensitive
    case (false, true): accentless
    case (true, true): lettersAlone
    }
  }

  private enum Kind { case localized, caseless, standard, accentless, lettersAlone }

  private init(_ kind: Kind) {
    collator = Self.open(Locale.current.identifier)
    switch kind {
    case .localized: break
    case .caseless: set(UCOL_STRENGTH, value: UCOL_SECONDARY)
    case .standard: set(UCOL_NUMERIC_COLLATION, value: UCOL_ON)
    case .accentless:
      set(UCOL_STRENGTH, value: UCOL_PRIMARY)
      set(UCOL_CASE_LEVEL, value: UCOL_ON)
    case .lettersAlone: set(UCOL_STRENGTH, value: UCOL_PRIMARY)
    }
  }

  deinit { swift_ucol_close(collator) }

  /// Opens the collator of a locale, or the root collator if the locale has no rules.
  private static func open(_ locale: String) -> OpaquePointer {
    for name in [locale, "root"] {
      var status = U_ZERO_ERROR
      if let collator = swift_ucol_open(name, &status), status.rawValue <= U_ZERO_ERROR.rawValue {
        return collator
      }
    }
    fatalError("ICU has no collation data: strings cannot be ordered by language")
  }

  private func set(_ attribute: UColAttribute, value: UColAttributeValue) {
    var status = U_ZERO_ERROR
    swift_ucol_setAttribute(collator, attribute, value, &status)
  }

  /// The order of two strings.
  package func order(_ first: String, _ second: String) -> ComparisonResult {
    var (first, second) = (first, second)
    let result = first.withUTF8 { first in
      second.withUTF8 { second in compare(first, second) }
    }
    return ComparisonResult(rawValue: Int(result.rawValue)) ?? .orderedSame
  }

  private func compare(
    _ first: UnsafeBufferPointer<UInt8>, _ second: UnsafeBufferPointer<UInt8>
  ) -> UCollationResult {
    first.withMemoryRebound(to: CChar.self) { first in
      second.withMemoryRebound(to: CChar.self) { second in
        var status = U_ZERO_ERROR
        return swift_ucol_strcollUTF8(
          collator, first.baseAddress, Int32(first.count), second.baseAddress, Int32(second.count),
          &status)
      }
    }
  }

  /// The sort key: bytes whose order is the order of the strings.
  package func key(for text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { utf8 in
      // A character has at most as many UTF-16 units as UTF-8 bytes.
      withUnsafeTemporaryAllocation(of: UInt16.self, capacity: max(utf8.count, 1)) { units in
        key(for: units, count: Self.convert(utf8, to: units))
      }
    }
  }

  private static func convert(
    _ utf8: UnsafeBufferPointer<UInt8>, to units: UnsafeMutableBufferPointer<UInt16>
  ) -> Int32 {
    var bits: UInt8 = 0
    for index in utf8.indices {
      bits |= utf8[index]
      units[index] = UInt16(utf8[index])
    }
    if bits < 0x80 { return Int32(utf8.count) }
    var count: Int32 = 0
    var status = U_ZERO_ERROR
    utf8.withMemoryRebound(to: CChar.self) { utf8 in
      _ = swift_u_strFromUTF8WithSub(
        units.baseAddress, Int32(units.count), &count, utf8.baseAddress, Int32(utf8.count), 0xFFFD,
        nil, &status)
    }
    return count
  }

  /// The sort key of UTF-16 text. Calls ICU a second time if the first buffer is too small.
  private func key(for units: UnsafeMutableBufferPointer<UInt16>, count: Int32) -> [UInt8] {
    var capacity = Int(count) * 3 + 16
    while true {
      var needed = 0
      let key = [UInt8](unsafeUninitializedCapacity: capacity) { bytes, length in
        needed = Int(
          swift_ucol_getSortKey(
            collator, units.baseAddress, count, bytes.baseAddress, Int32(capacity)))
        // ICU ends keys with a zero byte, which is not part of the order.
        length = needed <= capacity ? max(needed - 1, 0) : 0
      }
      if needed <= capacity { return key }
      capacity = needed
    }
  }
}
