/// A row's text by value.
///
/// Source: UIKit, `UIListContentConfiguration`.
public struct UIListContentConfiguration: Hashable, Sendable {
  public var text: String?
  public var secondaryText: String?
  let isValue: Bool

  init(isValue: Bool) { self.isValue = isValue }

  public static func cell() -> Self { Self(isValue: false) }
  public static func subtitleCell() -> Self { Self(isValue: false) }
  /// The secondary text stands at the row's end.
  public static func valueCell() -> Self { Self(isValue: true) }
}
