/// A number in a range, chosen by its position on a track.
///
/// Source: UIKit, `UISlider`.
open class UISlider: UIControl, ValueControl {
  /// The lower bound of `value`; 0 by default.
  open var minimumValue: Float = 0 { didSet { boundsChanged() } }
  /// The upper bound of `value`; 1 by default.
  open var maximumValue: Float = 1 { didSet { boundsChanged() } }
  /// Whether actions are sent while the user moves the slider, rather than at the end only.
  open var isContinuous = true { didSet { setNeedsDisplay() } }

  private var storedValue: Float = 0
  /// True while a value from the user is set, which the renderer shows already.
  private var isReceiving = false

  /// The value, clamped to the bounds. Setting it sends no actions.
  open var value: Float {
    get { storedValue }
    set {
      let bounded = min(max(newValue, minimumValue), maximumValue)
      guard bounded != storedValue else { return }
      storedValue = bounded
      if !isReceiving { setNeedsDisplay() }
    }
  }

  /// Sets `value`; nothing is animated.
  open func setValue(_ value: Float, animated: Bool) { self.value = value }

  private func boundsChanged() {
    value = storedValue
    setNeedsDisplay()
  }

  package var valueText: String { String(storedValue) }

  @discardableResult
  package func receive(value text: String) -> Bool {
    guard let number = Float(text), number.isFinite else { return false }
    let before = storedValue
    isReceiving = (minimumValue...max(minimumValue, maximumValue)).contains(number)
    value = number
    isReceiving = false
    if storedValue != before { sendValue() }
    return true
  }
}
