import Foundation

// Operators of `#Predicate` that Foundation lacks on this platform, with the names that the macro
// uses.

extension PredicateExpressions {
  /// The operator `text.localizedStandardContains(other)`.
  public struct StringLocalizedStandardContains<
    Root: PredicateExpression, Other: PredicateExpression
  >: PredicateExpression where Root.Output: StringProtocol, Other.Output: StringProtocol {
    public typealias Output = Bool
    /// The text that is searched.
    public let root: Root
    /// The text to find.
    public let other: Other

    /// Makes the operator.
    public init(root: Root, other: Other) {
      self.root = root
      self.other = other
    }

    /// Returns whether the text contains the other one, ignoring case and accents.
    public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
      let (text, other) = (try root.evaluate(bindings), try other.evaluate(bindings))
      let matcher = StringMatcher(
        .contains, pattern: String(other),
        options: [.caseInsensitive, .diacriticInsensitive, .localeSensitive])
      return try matcher.matches(String(text))
    }
  }

  /// Makes `root.localizedStandardContains(other)`; called by the code of `#Predicate`.
  public static func build_localizedStandardContains<Root, Other>(
    _ root: Root, _ other: Other
  ) -> StringLocalizedStandardContains<Root, Other> {
    StringLocalizedStandardContains(root: root, other: other)
  }

  /// The operator `text.caseInsensitiveCompare(other)`.
  public struct StringCaseInsensitiveCompare<Root: PredicateExpression, Other: PredicateExpression>:
    PredicateExpression
  where Root.Output: StringProtocol, Other.Output: StringProtocol {
    public typealias Output = ComparisonResult
    /// The left string.
    public let root: Root
    /// The right string.
    public let other: Other

    /// Makes the operator.
    public init(root: Root, other: Other) {
      self.root = root
      self.other = other
    }

    /// The order of the strings, ignoring case.
    public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
      try order(bindings)
    }
  }

  /// Makes `root.caseInsensitiveCompare(other)`; called by the code of `#Predicate`.
  public static func build_caseInsensitiveCompare<Root, Other>(
    _ root: Root, _ other: Other
  ) -> StringCaseInsensitiveCompare<Root, Other> {
    StringCaseInsensitiveCompare(root: root, other: other)
  }

  /// The operator `text.localizedCompare(other)`.
  public struct StringLocalizedCompare<Root: PredicateExpression, Other: PredicateExpression>:
    PredicateExpression
  where Root.Output: StringProtocol, Other.Output: StringProtocol {
    public typealias Output = ComparisonResult
    /// The left string.
    public let root: Root
    /// The right string.
    public let other: Other

    /// Makes the operator.
    public init(root: Root, other: Other) {
      self.root = root
      self.other = other
    }

    /// The order of the strings in the user's locale.
    public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
      try order(bindings)
    }
  }

  /// Makes `root.localizedCompare(other)`; called by the code of `#Predicate`.
  public static func build_localizedCompare<Root, Other>(
    _ root: Root, _ other: Other
  ) -> StringLocalizedCompare<Root, Other> {
    StringLocalizedCompare(root: root, other: other)
  }
}

extension PredicateExpressions.StringLocalizedStandardContains: Sendable
where Root: Sendable, Other: Sendable {}

extension PredicateExpressions.StringLocalizedStandardContains: Codable
where Root: Codable, Other: Codable {}

extension PredicateExpressions.StringLocalizedStandardContains: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringCaseInsensitiveCompare: Sendable
where Root: Sendable, Other: Sendable {}

extension PredicateExpressions.StringCaseInsensitiveCompare: Codable
where Root: Codable, Other: Codable {}

extension PredicateExpressions.StringCaseInsensitiveCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringLocalizedCompare: Sendable
where Root: Sendable, Other: Sendable {}

extension PredicateExpressions.StringLocalizedCompare: Codable where Root: Codable, Other: Codable {
}

extension PredicateExpressions.StringLocalizedCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringLocalizedStandardContains: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    .predicate(
      ConvertedExpression.comparison(
        try conversion.convert(root).expression, type: .contains,
        right: try conversion.convert(other).expression,
        options: [.caseInsensitive, .diacriticInsensitive, .localeSensitive]))
  }
}

/// An order of two strings that a predicate compares with a `ComparisonResult`.
package protocol OrderOfStrings {
  associatedtype Root: PredicateExpression where Root.Output: StringProtocol
  associatedtype Other: PredicateExpression where Other.Output: StringProtocol
  var root: Root { get }
  var other: Other { get }
  var options: NSComparisonPredicate.Options { get }
}

extension OrderOfStrings {
  fileprivate func order(_ bindings: PredicateBindings) throws -> ComparisonResult {
    let (text, other) = (try root.evaluate(bindings), try other.evaluate(bindings))
    return StringFolding(options).order(String(text), String(other))
  }

  func compared(
    _ type: NSComparisonPredicate.Operator, by conversion: inout PredicateConversion
  ) throws -> NSPredicate {
    ConvertedExpression.comparison(
      try conversion.convert(root).expression, type: type,
      right: try conversion.convert(other).expression,
      options: options)
  }
}

extension PredicateExpressions.StringCaseInsensitiveCompare: OrderOfStrings {
  package var options: NSComparisonPredicate.Options { .caseInsensitive }
}

extension PredicateExpressions.StringLocalizedCompare: OrderOfStrings {
  package var options: NSComparisonPredicate.Options { .localeSensitive }
}
