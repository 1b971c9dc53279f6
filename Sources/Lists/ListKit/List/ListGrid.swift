import Foundation

/// A layout of a section's items side by side, for a renderer that knows its width.
///
/// A pattern of items is repeated: from top to bottom, or from left to right in a section that
/// scrolls sideways.
package struct ListGrid: Equatable, Sendable {
  /// A length relative to the visible area: a share of its width, a share of its height, and
  /// points.
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

  /// Distances in points from the edges of a container to its content.
  package struct Insets: Equatable, Sendable {
    package var top = 0.0
    package var leading = 0.0
    package var bottom = 0.0
    package var trailing = 0.0

    package static let zero = Insets()
  }

  package enum Pattern: Equatable, Sendable {
    /// Items at these frames in a group of this size.
    case group([Frame], width: Length, height: Length)
    /// As many items of one size side by side as fit, each at least `least` points wide.
    case columns(least: Double, height: Length, spacing: Double, insets: Insets)
  }

  /// The resting position of a section that scrolls sideways.
  package enum Sideways: String, Equatable, Sendable {
    case free, toGroup, byPage, byGroup, byCenteredGroup
  }

  package var pattern: Pattern
  /// The space between groups or lines, in points.
  package var spacing = 0.0
  /// Distances around all items. Shares of the width refer to the width that these leave.
  package var insets = Insets.zero
  /// The sideways scrolling; `nil` for a section without it.
  package var sideways: Sideways?

  package init(
    pattern: Pattern, spacing: Double = 0, insets: Insets = .zero, sideways: Sideways? = nil
  ) {
    self.pattern = pattern
    self.spacing = spacing
    self.insets = insets
    self.sideways = sideways
  }

  /// The frames and the size of one repetition, in points, in a visible area of `seen` points.
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
