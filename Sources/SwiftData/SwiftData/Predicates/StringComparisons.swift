public import Foundation
public import Predicates

// Called by the expansion of `#Predicate` in a client's code, where only members of imported
// modules are visible. Disfavoured, so that Core Data's own overloads win if the client imports
// Core Data too.
extension PredicateExpressions {
  /// Builds the expression of `localizedStandardContains(_:)`.
  @_disfavoredOverload
  public static func build_localizedStandardContains<Root, Other>(
    _ root: Root, _ other: Other
  ) -> StringLocalizedStandardContains<Root, Other> {
    StringLocalizedStandardContains(root: root, other: other)
  }

  /// Builds the expression of `caseInsensitiveCompare(_:)`.
  @_disfavoredOverload
  public static func build_caseInsensitiveCompare<Root, Other>(
    _ root: Root, _ other: Other
  ) -> StringCaseInsensitiveCompare<Root, Other> {
    StringCaseInsensitiveCompare(root: root, other: other)
  }

  /// Builds the expression of `localizedCompare(_:)`.
  @_disfavoredOverload
  public static func build_localizedCompare<Root, Other>(
    _ root: Root, _ other: Other
  ) -> StringLocalizedCompare<Root, Other> {
    StringLocalizedCompare(root: root, other: other)
  }
}
