import Foundation

// Operators of `#Predicate` that Foundation does not have on this platform, by the names that the macro
// gives them.

extension PredicateExpressions {
  /// `text.localizedStandardContains(other)`
  public struct StringLocalizedStandardContains<
    Root: PredicateExpression, Other: PredicateExpression
  >: PredicateExpression where Root.Output: StringProtocol, Other.Output: StringProtocol {
    public typealias Output = Bool
    public let root: Root
    public let other: Other

    public init(root: Root, other: Other) {
      self.root = root
      self.other = other
    }

    /// Whether the text has the other one in it, case and accents aside.
    public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
      let (text, other) = (try root.evaluate(bindings), try other.evaluate(bindings))
      let matcher = StringMatcher(
        .contains, pattern: String(other),
        options: [.caseInsensitive, .diacriticInsensitive, .localeSensitive])
      return try matcher.matches(String(text))
    }
  }

  public static func build_localizedStandardContains<Root, Other>(
    _ root: Root, _ other: Other
  ) -> StringLocalizedStandardContains<Root, Other> {
    StringLocalizedStandardContains(root: root, other: other)
  }

  /// `text.caseInsensitiveCompare(other)` and `text.localizedCompare(other)`
  public struct StringComparison<Root: PredicateExpression, Other: PredicateExpression>:
    PredicateExpression
  where Root.Output: StringProtocol, Other.Output: StringProtocol {
    public typealias Output = ComparisonResult
    public let root: Root
    public let other: Other
    /// Whether the strings are ordered as the user's language orders, or case aside.
    public let isLocalized: Bool

    public init(root: Root, other: Other, isLocalized: Bool) {
      self.root = root
      self.other = other
      self.isLocalized = isLocalized
    }

    public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
      let (text, other) = (try root.evaluate(bindings), try other.evaluate(bindings))
      return StringFolding(options).order(String(text), String(other))
    }

    var options: NSComparisonPredicate.Options { isLocalized ? .localeSensitive : .caseInsensitive }
  }

  public static func build_caseInsensitiveCompare<Root, Other>(
    _ root: Root, _ other: Other
  ) -> StringComparison<Root, Other> {
    StringComparison(root: root, other: other, isLocalized: false)
  }

  public static func build_localizedCompare<Root, Other>(
    _ root: Root, _ other: Other
  ) -> StringComparison<Root, Other> {
    StringComparison(root: root, other: other, isLocalized: true)
  }
}

extension PredicateExpressions.StringLocalizedStandardContains: Sendable
where Root: Sendable, Other: Sendable {}

extension PredicateExpressions.StringLocalizedStandardContains: Codable
where Root: Codable, Other: Codable {}

extension PredicateExpressions.StringLocalizedStandardContains: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringComparison: Sendable where Root: Sendable, Other: Sendable {}

extension PredicateExpressions.StringComparison: Codable where Root: Codable, Other: Codable {}

extension PredicateExpressions.StringComparison: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringLocalizedStandardContains: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    .predicate(
      ConvertedExpression.comparison(
        try conversion.convert(root).expression, .contains,
        try conversion.convert(other).expression,
        options: [.caseInsensitive, .diacriticInsensitive, .localeSensitive]))
  }
}

/// An order of two strings, which a predicate compares with one of `ComparisonResult`.
protocol OrderOfStrings {
  func compared(
    _ type: NSComparisonPredicate.Operator, by conversion: inout PredicateConversion
  ) throws -> NSPredicate
}

extension PredicateExpressions.StringComparison: OrderOfStrings {
  func compared(
    _ type: NSComparisonPredicate.Operator, by conversion: inout PredicateConversion
  ) throws -> NSPredicate {
    ConvertedExpression.comparison(
      try conversion.convert(root).expression, type, try conversion.convert(other).expression,
      options: options)
  }
}
