public import Foundation

/// Stand-in for Foundation's `String.StandardComparator`, which is missing on this platform:
/// `SortDescriptor(\.name, comparator: .localizedStandard)`.
///
/// Equal to the order of a sort descriptor without a comparator. `.lexical` is Foundation's own.
public struct LocalizedStringOrder: Sendable {
  /// The order of names in file managers: by the user's language, with numbers by their value.
  public static let localizedStandard = LocalizedStringOrder()
}

extension SortDescriptor {
  /// Sorts by a string property in the order of the user's language.
  public init(
    _ keyPath: any KeyPath<Compared, String> & Sendable, comparator: LocalizedStringOrder,
    order: SortOrder = .forward
  ) {
    self.init(keyPath, order: order)
  }

  /// Sorts by an optional string property in the order of the user's language; nil comes first.
  public init(
    _ keyPath: any KeyPath<Compared, String?> & Sendable, comparator: LocalizedStringOrder,
    order: SortOrder = .forward
  ) {
    self.init(keyPath, order: order)
  }
}
