import CoreData
import Foundation

extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    guard Base.Output.self is any StringProtocol.Type else { throw Untranslatable(self) }
    return Term(
      try translation.term(base).finds(.contains, pattern: try translation.term(other)))
  }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    guard Base.Output.self is any StringProtocol.Type else { throw Untranslatable(self) }
    return Term(
      try translation.term(base).finds(.beginsWith, pattern: try translation.term(prefix)))
  }
}

extension Term {
  /// Searches for a string. The store compares scalars where Swift compares characters, so it finds
  /// more: the base letter of an accented one, one scalar of a line break. The empty string is
  /// found everywhere.
  fileprivate func finds(
    _ type: NSComparisonPredicate.Operator, pattern: Term
  ) throws -> Condition {
    let found: Condition
    if case .constant(let value) = pattern.content {
      let text = try TextPattern(value)
      found =
        text.text.isEmpty
        ? .yes
        : .comparison(
          try self.value(), type: type, right: text.expression, options: text.searchOptions,
          isExact: false)
    } else {
      let text = try pattern.value()
      found =
        .comparison(text, type: .equalTo, right: NSExpression(forConstantValue: ""))
        || .comparison(
          try value(), type: type, right: text, options: .caseInsensitive, isExact: false)
    }
    return !isNil && !pattern.isNil && found
  }
}

extension PredicateExpressions.StringLocalizedStandardContains: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    let (text, other) = (try translation.term(root), try translation.term(other))
    let found = Condition.comparison(
      try text.value(), type: .contains, right: try other.value(),
      options: [.caseInsensitive, .diacriticInsensitive, .localeSensitive])
    return Term(!text.isNil && !other.isNil && found)
  }
}

extension OrderOfStrings {
  func compared(
    isEqual: Bool, to result: any PredicateExpression, by translation: inout PredicateTranslation
  ) throws -> Term {
    guard case .constant(let value) = try translation.term(result).content,
      let order = value as? ComparisonResult
    else { throw Untranslatable(result) }
    let type: NSComparisonPredicate.Operator =
      switch order {
      case .orderedSame: .equalTo
      case .orderedAscending: .lessThan
      case .orderedDescending: .greaterThan
      }
    let (text, other) = (try translation.term(root), try translation.term(other))
    let isSo = Condition.comparison(
      try text.value(), type: type, right: try other.value(), options: options)
    return Term(!text.isNil && !other.isNil && (isEqual ? isSo : !isSo))
  }
}
