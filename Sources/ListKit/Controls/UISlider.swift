/// A number between two others, chosen by its place between them.
///
/// Source: UIKit, `UISlider`.
open class UISlider: UIControl, ValueControl {
  open var minimumValue: Float = 0 { didSet { boundsChanged() } }
  open var maximumValue: Float = 1 { didSet { boundsChanged() } }
  /// Whether the value is told while it is being changed.
  open var isContinuous = true { didSet { setNeedsDisplay() } }

  private var storedValue: Float = 0
  /// True while a value from the user is taken over, which the renderer shows already.
  private var isReceiving = false

  /// Setting it tells nobody; beyond the bounds it becomes the bound.
  open var value: Float {
    get { storedValue }
    set {
      let bounded = min(max(newValue, minimumValue), maximumValue)
      guard bounded != storedValue else { return }
      storedValue = bounded
      if !isReceiving { setNeedsDisplay() }
    }
  }

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
