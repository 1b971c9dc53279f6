import Foundation

/// A width or a height in a compositional layout.
///
/// Source: UIKit, `NSCollectionLayoutDimension`.
public struct NSCollectionLayoutDimension: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case fractionalWidth, fractionalHeight, absolute, estimated
  }

  let kind: Kind
  /// A share of the container (0 to 1), or points.
  public let dimension: CGFloat

  /// A share of the container's width.
  public static func fractionalWidth(_ share: CGFloat) -> Self {
    Self(kind: .fractionalWidth, dimension: share)
  }
  /// A share of the container's height.
  public static func fractionalHeight(_ share: CGFloat) -> Self {
    Self(kind: .fractionalHeight, dimension: share)
  }
  /// A length in points.
  public static func absolute(_ points: CGFloat) -> Self {
    Self(kind: .absolute, dimension: points)
  }
  /// A length in points, used as it is: cells are not measured here.
  public static func estimated(_ points: CGFloat) -> Self {
    Self(kind: .estimated, dimension: points)
  }

  /// Whether this is a share of the container's width.
  public var isFractionalWidth: Bool { kind == .fractionalWidth }
  /// Whether this is a share of the container's height.
  public var isFractionalHeight: Bool { kind == .fractionalHeight }
  /// Whether this is an exact length in points.
  public var isAbsolute: Bool { kind == .absolute }
  /// Whether this is an estimated length in points.
  public var isEstimated: Bool { kind == .estimated }
}

/// The width and the height of a part of a compositional layout.
///
/// Source: UIKit, `NSCollectionLayoutSize`.
public struct NSCollectionLayoutSize: Hashable, Sendable {
  /// The width.
  public let widthDimension: NSCollectionLayoutDimension
  /// The height.
  public let heightDimension: NSCollectionLayoutDimension

  /// Makes a size of a width and a height.
  public init(
    widthDimension: NSCollectionLayoutDimension, heightDimension: NSCollectionLayoutDimension
  ) {
    self.widthDimension = widthDimension
    self.heightDimension = heightDimension
  }
}

/// The space between neighbours.
///
/// Source: UIKit, `NSCollectionLayoutSpacing`. Flexible space is drawn with its minimum.
public struct NSCollectionLayoutSpacing: Hashable, Sendable {
  /// The space in points.
  public let spacing: CGFloat
  /// Whether the space may grow in UIKit.
  public let isFlexibleSpacing: Bool

  /// Exactly this space, in points.
  public static func fixed(_ spacing: CGFloat) -> Self {
    Self(spacing: spacing, isFlexibleSpacing: false)
  }
  /// At least this space, in points; drawn as exactly this.
  public static func flexible(_ spacing: CGFloat) -> Self {
    Self(spacing: spacing, isFlexibleSpacing: true)
  }
}
