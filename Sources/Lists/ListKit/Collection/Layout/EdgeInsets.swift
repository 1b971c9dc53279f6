import Foundation

/// Distances in points from the edges of a container to its content, by reading direction.
///
/// Source: UIKit, `NSDirectionalEdgeInsets`.
public struct NSDirectionalEdgeInsets: Hashable, Sendable {
  /// The distance from the top edge.
  public var top: CGFloat
  /// The distance from the edge where a line begins.
  public var leading: CGFloat
  /// The distance from the bottom edge.
  public var bottom: CGFloat
  /// The distance from the edge where a line ends.
  public var trailing: CGFloat

  /// No distance from any edge.
  public static let zero = Self()

  /// No distance from any edge.
  public init() { self.init(top: 0, leading: 0, bottom: 0, trailing: 0) }

  /// Distances by edge, in points.
  public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) {
    self.top = top
    self.leading = leading
    self.bottom = bottom
    self.trailing = trailing
  }
}

/// Distances in points from the edges of a container to its content, by side of the screen.
///
/// Source: UIKit, `UIEdgeInsets`.
public struct UIEdgeInsets: Hashable, Sendable {
  /// The distance from the top edge.
  public var top: CGFloat
  /// The distance from the left edge.
  public var left: CGFloat
  /// The distance from the bottom edge.
  public var bottom: CGFloat
  /// The distance from the right edge.
  public var right: CGFloat

  /// No distance from any edge.
  public static let zero = Self()

  /// No distance from any edge.
  public init() { self.init(top: 0, left: 0, bottom: 0, right: 0) }

  /// Distances by edge, in points.
  public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }
}
