/// The background of a row, by value.
///
/// Source: UIKit, `UIBackgroundConfiguration`. Corners, strokes and effects are chosen by the
/// renderer.
public struct UIBackgroundConfiguration: Hashable, Sendable {
  /// The colour; `nil` is that of the list's style.
  public var backgroundColor: UIColor?

  private init() {}

  /// A transparent background.
  public static func clear() -> Self {
    var background = Self()
    background.backgroundColor = .clear
    return background
  }
  /// The background of a list's cell. All but `clear()` are equal here.
  public static func listCell() -> Self { Self() }
  /// The background of a cell in a plain list.
  public static func listPlainCell() -> Self { Self() }
  /// The background of a cell in a grouped list.
  public static func listGroupedCell() -> Self { Self() }
  /// The background of a list's header.
  public static func listHeader() -> Self { Self() }
  /// The background of a list's footer.
  public static func listFooter() -> Self { Self() }

  /// Returns the receiver: backgrounds do not depend on the state.
  public func updated(for state: any UIConfigurationState) -> Self { self }
}
