/// A number that the user increments and decrements by steps.
///
/// Source: UIKit, `UIStepper`. A step beyond a bound ends at the bound, or at the other bound when
/// the control wraps.
open class UIStepper: UIControl, ValueControl {
  /// The lower bound of `value`; 0 by default.
  open var minimumValue = 0.0 { didSet { boundsChanged() } }
  /// The upper bound of `value`; 100 by default.
  open var maximumValue = 100.0 { didSet { boundsChanged() } }
  /// The size of a step; 1 by default. Traps unless it is greater than 0.
  open var stepValue = 1.0 {
    didSet { precondition(stepValue > 0, "A stepper's stepValue must be greater than 0") }
  }
  /// Whether a step beyond one bound leads to the other.
  open var wraps = false
  /// Whether a held button repeats its step. Stored and not used.
  open var autorepeat = true
  /// Whether actions are sent for each repeated step. Stored and not used.
  open var isContinuous = true

  private var storedValue = 0.0

  /// The value, clamped to the bounds. Setting it sends no actions.
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

  /// Accepts `1` for a step up and `-1` for a step down.
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
