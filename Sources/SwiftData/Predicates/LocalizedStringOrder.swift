public import Foundation

/// The order of strings that Foundation's `String.StandardComparator` has on Apple's systems and not on this one:
/// `SortDescriptor(\.name, comparator: .localizedStandard)`.
///
/// It is that of a descriptor without a comparator; `.lexical` is Foundation's own.
public struct LocalizedStringOrder: Sendable {
  /// As file managers order names: by the user's language, with numbers by their value.
  public static let localizedStandard = LocalizedStringOrder()
}

extension SortDescriptor {
  /// Sorts by a string in the order of the user's language.
  public init(
    _ keyPath: any KeyPath<Compared, String> & Sendable, comparator: LocalizedStringOrder,
    order: SortOrder = .forward
  ) {
    self.init(keyPath, order: order)
  }

  /// Sorts by a string in the order of the user's language; nil comes first.
  public init(
    _ keyPath: any KeyPath<Compared, String?> & Sendable, comparator: LocalizedStringOrder,
    order: SortOrder = .forward
  ) {
    self.init(keyPath, order: order)
  }
}
