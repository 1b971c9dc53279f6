import Foundation
import KeyValueCoding

/// The selectors that sort descriptors may name; the raw value is the name.
package enum SortSelector: String, CaseIterable, Sendable {
  case compare = "compare:"
  case caseInsensitiveCompare = "caseInsensitiveCompare:"
  case localizedCompare = "localizedCompare:"
  case localizedCaseInsensitiveCompare = "localizedCaseInsensitiveCompare:"
  case localizedStandardCompare = "localizedStandardCompare:"

  /// The order of two values, nil first; throws for values without an order.
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
    switch self {
    case .compare: textOrder(first, second)
    case .caseInsensitiveCompare: StringFolding(.caseInsensitive).order(first, second)
    case .localizedCompare: first.localizedCompare(second)
    case .localizedCaseInsensitiveCompare: first.localizedCaseInsensitiveCompare(second)
    case .localizedStandardCompare: first.localizedStandardCompare(second)
    }
  }
}
