/// How much of something is done, from 0 to 1.
///
/// Source: UIKit, `UIProgressView`. Observing a `Progress` needs key-value observation, which the
/// platform does not have: set `progress`.
open class UIProgressView: UIView {
  public enum Style: Int, Sendable {
    case `default`, bar
  }

  open var progressViewStyle = Style.default
  private var storedProgress: Float = 0

  public convenience init(progressViewStyle style: Style) {
    self.init(frame: .zero)
    progressViewStyle = style
  }

  open var progress: Float {
    get { storedProgress }
    set {
      let bounded = min(max(newValue, 0), 1)
      guard bounded != storedProgress else { return }
      storedProgress = bounded
      setNeedsDisplay()
    }
  }

  open func setProgress(_ progress: Float, animated: Bool) { self.progress = progress }
}
