import Foundation

/// A width or a height of a part of a compositional layout.
///
/// Source: UIKit, `NSCollectionLayoutDimension`.
public struct NSCollectionLayoutDimension: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case fractionalWidth, fractionalHeight, absolute, estimated
  }

  let kind: Kind
  /// A share of the container, or points.
  public let dimension: CGFloat

  public static func fractionalWidth(_ share: CGFloat) -> Self {
    Self(kind: .fractionalWidth, dimension: share)
  }
  public static func fractionalHeight(_ share: CGFloat) -> Self {
    Self(kind: .fractionalHeight, dimension: share)
  }
  public static func absolute(_ points: CGFloat) -> Self {
    Self(kind: .absolute, dimension: points)
  }
  /// Taken as it is said: what is drawn has one height.
  public static func estimated(_ points: CGFloat) -> Self {
    Self(kind: .estimated, dimension: points)
  }

  public var isFractionalWidth: Bool { kind == .fractionalWidth }
  public var isFractionalHeight: Bool { kind == .fractionalHeight }
  public var isAbsolute: Bool { kind == .absolute }
  public var isEstimated: Bool { kind == .estimated }
}

/// Source: UIKit, `NSCollectionLayoutSize`.
public struct NSCollectionLayoutSize: Hashable, Sendable {
  public let widthDimension: NSCollectionLayoutDimension
  public let heightDimension: NSCollectionLayoutDimension

  public init(
    widthDimension: NSCollectionLayoutDimension, heightDimension: NSCollectionLayoutDimension
  ) {
    self.widthDimension = widthDimension
    self.heightDimension = heightDimension
  }
}

/// The space between neighbours.
///
/// Source: UIKit, `NSCollectionLayoutSpacing`. Flexible space is at least as large as it says, and
/// drawn so.
public struct NSCollectionLayoutSpacing: Hashable, Sendable {
  public let spacing: CGFloat
  public let isFlexibleSpacing: Bool

  public static func fixed(_ spacing: CGFloat) -> Self {
    Self(spacing: spacing, isFlexibleSpacing: false)
  }
  public static func flexible(_ spacing: CGFloat) -> Self {
    Self(spacing: spacing, isFlexibleSpacing: true)
  }
}
