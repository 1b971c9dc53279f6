/// A bar that shows how much of a task is done, from 0 to 1.
///
/// Source: UIKit, `UIProgressView`. Observing a `Progress` needs key-value observing, which
/// Foundation lacks here: set `progress`.
open class UIProgressView: UIView {
  /// The appearance of the bar. Both are drawn alike.
  public enum Style: Int, Sendable {
    case `default`, bar
  }

  /// The appearance of the bar.
  open var progressViewStyle = Style.default
  private var storedProgress: Float = 0

  /// Makes a bar without progress.
  public convenience init(progressViewStyle style: Style) {
    self.init(frame: .zero)
    progressViewStyle = style
  }

  /// The completed share, from 0 to 1. Values outside are clamped.
  open var progress: Float {
    get { storedProgress }
    set {
      let bounded = min(max(newValue, 0), 1)
      guard bounded != storedProgress else { return }
      storedProgress = bounded
      setNeedsDisplay()
    }
  }

  /// Sets `progress`; nothing is animated.
  open func setProgress(_ progress: Float, animated: Bool) { self.progress = progress }
}
