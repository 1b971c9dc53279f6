/// A number that the user makes larger or smaller by steps.
///
/// Source: UIKit, `UIStepper`. Values beyond the bounds become the bound, or the other one when it
/// wraps.
open class UIStepper: UIControl, ValueControl {
  open var minimumValue = 0.0 { didSet { boundsChanged() } }
  open var maximumValue = 100.0 { didSet { boundsChanged() } }
  open var stepValue = 1.0 {
    didSet { precondition(stepValue > 0, "A stepper's stepValue must be greater than 0") }
  }
  open var wraps = false
  open var autorepeat = true
  open var isContinuous = true

  private var storedValue = 0.0

  /// Setting it tells nobody.
  open var value: Double {
    get { storedValue }
    set {
      let bounded = min(max(newValue, minimumValue), maximumValue)
      guard bounded != storedValue else { return }
      storedValue = bounded
      setNeedsDisplay()
    }
  }

  private func boundsChanged() {
    value = storedValue
    setNeedsDisplay()
  }

  package var canIncrement: Bool { isEnabled && (wraps || value < maximumValue) }
  package var canDecrement: Bool { isEnabled && (wraps || value > minimumValue) }

  package var valueText: String { String(storedValue) }

  /// `1` and `-1` are a step up and down.
  @discardableResult
  package func receive(value text: String) -> Bool {
    guard let steps = Double(text), abs(steps) == 1 else { return false }
    var next = value + steps * stepValue
    if wraps, next > maximumValue { next = minimumValue }
    if wraps, next < minimumValue { next = maximumValue }
    let before = value
    value = next
    if value != before { sendValue() }
    return true
  }
}
