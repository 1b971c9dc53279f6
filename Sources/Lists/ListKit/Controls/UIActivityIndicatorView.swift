/// An indicator of work of unknown length.
///
/// Source: UIKit, `UIActivityIndicatorView`.
open class UIActivityIndicatorView: UIView {
  /// The size of the indicator.
  public enum Style: Int, Sendable {
    case medium = 100
    case large = 101
  }

  /// The size of the indicator.
  open var style = Style.medium { didSet { if style != oldValue { setNeedsDisplay() } } }
  /// Whether the indicator is invisible while it does not animate.
  open var hidesWhenStopped = true {
    didSet { if hidesWhenStopped != oldValue { setNeedsDisplay() } }
  }
  /// Whether the indicator animates.
  open private(set) var isAnimating = false {
    didSet { if isAnimating != oldValue { setNeedsDisplay() } }
  }

  /// Makes an indicator that does not animate yet.
  public convenience init(style: Style) {
    self.init(frame: .zero)
    self.style = style
  }

  /// Starts the animation.
  open func startAnimating() { isAnimating = true }
  /// Stops the animation.
  open func stopAnimating() { isAnimating = false }
}
