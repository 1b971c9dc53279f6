import Foundation

/// Views beside or below each other.
///
/// Source: UIKit, `UIStackView`. Spacing, alignment and distribution are stored; the renderer
/// chooses pixels.
open class UIStackView: UIView {
  /// The alignment of the views across the axis.
  public enum Alignment: Int, Sendable {
    case fill, leading, firstBaseline, center, trailing, lastBaseline
    /// The alignment at the top, of a horizontal stack.
    public static let top = Alignment.leading
    /// The alignment at the bottom, of a horizontal stack.
    public static let bottom = Alignment.trailing
  }

  /// The distribution of the views along the axis.
  public enum Distribution: Int, Sendable {
    case fill, fillEqually, fillProportionally, equalSpacing, equalCentering
  }

  /// The direction in which the views are arranged.
  open var axis = NSLayoutConstraint.Axis.horizontal {
    didSet { if axis != oldValue { setNeedsDisplay() } }
  }
  /// The space between views, in points. Stored and not used.
  open var spacing: CGFloat = 0
  /// The alignment across the axis. Stored and not used.
  open var alignment = Alignment.fill
  /// The distribution along the axis. Stored and not used.
  open var distribution = Distribution.fill
  /// The arranged views, in order.
  public private(set) var arrangedSubviews: [UIView] = []

  /// Makes a stack of these views.
  public convenience init(arrangedSubviews views: [UIView]) {
    self.init(frame: .zero)
    for view in views { addArrangedSubview(view) }
  }

  /// Adds a view at the end of the stack.
  open func addArrangedSubview(_ view: UIView) {
    insertArrangedSubview(view, at: arrangedSubviews.count)
  }

  /// Inserts a view, or moves one that is arranged already.
  open func insertArrangedSubview(_ view: UIView, at stackIndex: Int) {
    arrangedSubviews.removeAll { $0 === view }
    arrangedSubviews.insert(view, at: stackIndex)
    insertSubview(view, at: stackIndex)
  }

  /// Removes a view from the arrangement. It stays a subview.
  open func removeArrangedSubview(_ view: UIView) {
    arrangedSubviews.removeAll { $0 === view }
  }
}

/// A namespace for `Axis`. There is no layout by constraints.
///
/// Source: UIKit, `NSLayoutConstraint`.
public enum NSLayoutConstraint {
  /// A direction.
  public enum Axis: Int, Sendable {
    case horizontal, vertical
  }
}
