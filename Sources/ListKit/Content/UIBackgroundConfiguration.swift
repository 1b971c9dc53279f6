/// What lies behind a row, by value.
///
/// Source: UIKit, `UIBackgroundConfiguration`. Corners, strokes and effects are the renderer's.
public struct UIBackgroundConfiguration: Hashable, Sendable {
  /// `nil` is the colour of the table's style.
  public var backgroundColor: UIColor?

  private init() {}

  public static func clear() -> Self {
    var background = Self()
    background.backgroundColor = .clear
    return background
  }
  public static func listCell() -> Self { Self() }
  public static func listPlainCell() -> Self { Self() }
  public static func listGroupedCell() -> Self { Self() }
  public static func listHeader() -> Self { Self() }
  public static func listFooter() -> Self { Self() }

  public func updated(for state: any UIConfigurationState) -> Self { self }
}
