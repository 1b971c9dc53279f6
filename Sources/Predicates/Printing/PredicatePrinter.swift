import Foundation

/// Prints predicates as Apple's `predicateFormat` does.
enum PredicatePrinter {
  static func text(of predicate: NSPredicate) -> String {
    switch predicate {
    case let comparison as NSComparisonPredicate: text(of: comparison)
    case let compound as Foundation.NSCompoundPredicate: text(of: compound)
    default: predicate.printedFormat
    }
  }

  private static func text(of comparison: NSComparisonPredicate) -> String {
    let left = ExpressionPrinter.text(of: comparison.leftExpression)
    let right = ExpressionPrinter.text(of: comparison.rightExpression)
    let name = comparison.customSelectorName ?? spelling(of: comparison.predicateOperatorType)
    let modifier = modifiers[comparison.comparisonPredicateModifier] ?? ""
    return "\(modifier)\(left) \(name)\(letters(of: comparison.options)) \(right)"
  }

  private static let modifiers: [NSComparisonPredicate.Modifier: String] = [
    .any: "ANY ", .all: "ALL ",
  ]

  private static func spelling(of type: NSComparisonPredicate.Operator) -> String {
    ComparisonSpelling.spellingsByOperator[type] ?? "\(type)"
  }

  private static func letters(of options: NSComparisonPredicate.Options) -> String {
    let letters = ComparisonSpelling.options.filter { options.contains($0.option) }.map(\.letter)
    return letters.isEmpty ? "" : "[\(String(letters))]"
  }

  private static func text(of compound: Foundation.NSCompoundPredicate) -> String {
    let parts = compound.subpredicates.map(nestedText)
    switch compound.compoundPredicateType {
    case .not: return "NOT " + parts.joined()
    // A compound of one prints as its part alone.
    case _ where parts.count == 1: return text(of: compound.subpredicates[0])
    case .and where parts.isEmpty: return "TRUEPREDICATE"
    case .or where parts.isEmpty: return "FALSEPREDICATE"
    case .and: return parts.joined(separator: " AND ")
    case .or: return parts.joined(separator: " OR ")
    }
  }

  private static func nestedText(_ predicate: NSPredicate) -> String {
    let text = text(of: predicate)
    guard let compound = predicate as? Foundation.NSCompoundPredicate else { return text }
    return compound.subpredicates.isEmpty ? text : "(\(text))"
  }
}

/// Reaches `predicateFormat`, which Foundation marks as deprecated on Linux because its own
/// predicates have none worth keeping; ours do.
private protocol PrintedPredicate {
  var predicateFormat: String { get }
}

extension NSPredicate: PrintedPredicate {
  /// `predicateFormat` of any predicate, Apple's text for those that Foundation makes and ours.
  package var printedFormat: String { (self as any PrintedPredicate).predicateFormat }
}
