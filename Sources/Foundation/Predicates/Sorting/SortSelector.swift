import Foundation
import KeyValueCoding

/// The selectors that sort descriptors can use; the raw value is the name.
package enum SortSelector: String, CaseIterable, Sendable {
  case compare = "compare:"
  case caseInsensitiveCompare = "caseInsensitiveCompare:"
  case localizedCompare = "localizedCompare:"
  case localizedCaseInsensitiveCompare = "localizedCaseInsensitiveCompare:"
  case localizedStandardCompare = "localizedStandardCompare:"

  /// The order of two values, nil first. Throws ``PredicateEvaluationError`` for values without an
  /// order.
  package func order(_ first: TypedValue, _ second: TypedValue) throws -> ComparisonResult {
    if self != .compare, case .string(let first) = first, case .string(let second) = second {
      return order(first, second)
    }
    if let order = first.order(to: second) { return order }
    throw PredicateEvaluationError(
      "NSSortDescriptor: \(first.kindName) cannot be ordered against \(second.kindName).")
  }

  /// The order of two strings.
  package func order(_ first: String, _ second: String) -> ComparisonResult {
    if let collation { return collation.order(first, second) }
    return self == .compare
      ? textOrder(first, second) : StringFolding(.caseInsensitive).order(first, second)
  }

  /// The sort key: bytes whose order is the order of the strings, for sorting many. Equal in memory
  /// and in SQL.
  package func key(for text: String) -> [UInt8] {
    if let collation { return collation.key(for: text) }
    return Array((self == .compare ? text : StringFolding(.caseInsensitive).fold(text)).utf8)
  }

  /// The collation of the selector; nil for selectors that do not depend on a language.
  private var collation: Collation? {
    switch self {
    case .compare, .caseInsensitiveCompare: nil
    case .localizedCompare: .localized
    case .localizedCaseInsensitiveCompare: .localizedCaseInsensitive
    case .localizedStandardCompare: .localizedStandard
    }
  }
}
