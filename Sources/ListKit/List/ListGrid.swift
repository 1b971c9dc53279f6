import Foundation

/// How the items of a section stand in place of one below the other, for a renderer that knows its
/// own width.
///
/// A pattern of items is repeated: from top to bottom, or from left to right in a section that
/// scrolls sideways.
package struct ListGrid: Equatable, Sendable {
  /// A length that follows what is seen: a share of its width, one of its height, and points.
  package struct Length: Equatable, Sendable {
    package var width = 0.0
    package var height = 0.0
    package var points = 0.0

    package static let zero = Length()
    package static func points(_ points: Double) -> Self { Self(points: points) }
    package static func widthShare(_ share: Double) -> Self { Self(width: share) }
    package static func heightShare(_ share: Double) -> Self { Self(height: share) }

    package init(width: Double = 0, height: Double = 0, points: Double = 0) {
      self.width = width
      self.height = height
      self.points = points
    }

    package func value(width: Double, height: Double) -> Double {
      self.width * width + self.height * height + points
    }

    static func + (left: Self, right: Self) -> Self {
      Self(
        width: left.width + right.width, height: left.height + right.height,
        points: left.points + right.points)
    }

    static func - (left: Self, points: Double) -> Self { left + .points(-points) }

    static func * (left: Self, factor: Double) -> Self {
      Self(
        width: left.width * factor, height: left.height * factor, points: left.points * factor)
    }
  }

  package struct Frame: Equatable, Sendable {
    package var x = Length.zero
    package var y = Length.zero
    package var width: Length
    package var height: Length
  }

  /// Points between what contains something and that.
  package struct Insets: Equatable, Sendable {
    package var top = 0.0
    package var leading = 0.0
    package var bottom = 0.0
    package var trailing = 0.0

    package static let zero = Insets()
  }

  package enum Pattern: Equatable, Sendable {
    /// Items at their places in a group of this size.
    case group([Frame], width: Length, height: Length)
    /// As many items of one size side by side as fit, each so many points wide or more.
    case columns(least: Double, height: Length, spacing: Double, insets: Insets)
  }

  /// What becomes of a section that scrolls sideways when it is let go.
  package enum Sideways: String, Equatable, Sendable {
    case free, toGroup, byPage, byGroup, byCenteredGroup
  }

  package var pattern: Pattern
  /// Between one group or line and the next.
  package var spacing = 0.0
  /// Around all items; the width that the pattern has shares of is what they leave.
  package var insets = Insets.zero
  /// `nil` for a section that stands still.
  package var sideways: Sideways?

  package init(
    pattern: Pattern, spacing: Double = 0, insets: Insets = .zero, sideways: Sideways? = nil
  ) {
    self.pattern = pattern
    self.spacing = spacing
    self.insets = insets
    self.sideways = sideways
  }

  /// The pattern where so much is seen, in points.
  package func pattern(in seen: CGSize) -> (frames: [CGRect], size: CGSize) {
    let width = max(1, Double(seen.width) - insets.leading - insets.trailing)
    func value(_ length: Length) -> Double {
      length.value(width: width, height: Double(seen.height))
    }
    switch pattern {
    case .group(let frames, let groupWidth, let height):
      let places = frames.map {
        CGRect(x: value($0.x), y: value($0.y), width: value($0.width), height: value($0.height))
      }
      return (places, CGSize(width: value(groupWidth), height: value(height)))
    case .columns(let least, let height, let spacing, let insets):
      let count = max(1, Int((width + spacing) / (max(1, least) + spacing)))
      let each = (width - spacing * Double(count - 1)) / Double(count)
      let places = (0..<count).map { column in
        CGRect(
          x: Double(column) * (each + spacing) + insets.leading, y: insets.top,
          width: each - insets.leading - insets.trailing,
          height: value(height) - insets.top - insets.bottom)
      }
      return (places, CGSize(width: width, height: value(height)))
    }
  }
}
