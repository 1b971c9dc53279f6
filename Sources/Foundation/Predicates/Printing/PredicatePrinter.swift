import Foundation

/// Prints predicates like Apple's `predicateFormat`.
enum PredicatePrinter {
  static func text(of predicate: NSPredicate) -> String {
    DeepStack.run(depth: predicate.nestingDepth) {
      var text = FormatText()
      write(predicate, to: &text)
      return text.format
    }
  }

  static func write(_ predicate: NSPredicate, to text: inout FormatText) {
    switch predicate {
    case let comparison as NSComparisonPredicate: write(comparison, to: &text)
    case let compound as Foundation.NSCompoundPredicate: write(compound, to: &text)
    default: text += predicate.printedFormat
    }
  }

  private static func write(_ comparison: NSComparisonPredicate, to text: inout FormatText) {
    text += modifiers[comparison.comparisonPredicateModifier] ?? ""
    ExpressionPrinter.write(comparison.leftExpression, to: &text)
    let name = comparison.customSelectorName ?? spelling(of: comparison.predicateOperatorType)
    text += " \(name)\(letters(of: comparison.options)) "
    ExpressionPrinter.write(comparison.rightExpression, to: &text)
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

  private static func write(_ compound: Foundation.NSCompoundPredicate, to text: inout FormatText) {
    let parts = compound.subpredicates
    switch compound.compoundPredicateType {
    case .not:
      text += "NOT "
      write(parts, separator: "", to: &text)
    // A compound with a single part prints as that part.
    case _ where parts.count == 1: write(parts[0], to: &text)
    case .and where parts.isEmpty: text += "TRUEPREDICATE"
    case .or where parts.isEmpty: text += "FALSEPREDICATE"
    case .and: write(parts, separator: " AND ", to: &text)
    case .or: write(parts, separator: " OR ", to: &text)
    }
  }

  private static func write(_ parts: [NSPredicate], separator: String, to text: inout FormatText) {
    for (index, part) in parts.enumerated() {
      if index > 0 { text += separator }
      let compound = part as? Foundation.NSCompoundPredicate
      let needsParentheses = compound?.subpredicates.isEmpty == false
      if needsParentheses { text += "(" }
      write(part, to: &text)
      if needsParentheses { text += ")" }
    }
  }
}

/// Gives access to `predicateFormat` without a warning: Foundation deprecates it on Linux, where
/// its own predicates have no useful format. Ours do.
private protocol PrintedPredicate {
  var predicateFormat: String { get }
}

extension NSPredicate: PrintedPredicate {
  /// The `predicateFormat` of any predicate, of Foundation's classes or ours.
  package var printedFormat: String { (self as any PrintedPredicate).predicateFormat }
}

extension NSPredicate {
  /// The format with `…` for every value: values stay out of messages.
  package var formatWithoutValues: String {
    DeepStack.run(depth: nestingDepth) {
      var text = FormatText(hidesValues: true)
      PredicatePrinter.write(self, to: &text)
      return text.format
    }
  }
}

extension NSExpression {
  /// The format with `…` for every value: values stay out of messages.
  package var formatWithoutValues: String {
    DeepStack.run(depth: depth) {
      var text = FormatText(hidesValues: true)
      ExpressionPrinter.write(self, to: &text)
      return text.format
    }
  }
}
