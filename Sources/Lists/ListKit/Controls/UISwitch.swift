/// A control that is on or off.
///
/// Source: UIKit, `UISwitch`. In the style `.checkbox`, which UIKit has for Macs, it is drawn as a
/// checkbox with its title beside it.
open class UISwitch: UIControl, ValueControl {
  /// The appearance of the switch.
  public enum Style: Int, Sendable {
    case automatic, checkbox, sliding
  }

  /// The requested style. `.automatic` is drawn as `.sliding`.
  open var preferredStyle = Style.automatic {
    didSet { if preferredStyle != oldValue { setNeedsDisplay() } }
  }
  /// The style that is drawn.
  open var style: Style { preferredStyle == .checkbox ? .checkbox : .sliding }
  /// The text beside a checkbox.
  open var title: String? { didSet { if title != oldValue { setNeedsDisplay() } } }

  /// Whether the switch is on. Setting it sends no actions.
  open var isOn = false {
    didSet { if isOn != oldValue, !isReceiving { setNeedsDisplay() } }
  }

  /// True while a value from the user is set, which the renderer shows already.
  private var isReceiving = false

  /// Sets `isOn`; nothing is animated.
  open func setOn(_ on: Bool, animated: Bool) { isOn = on }

  package var valueText: String { String(isOn) }

  @discardableResult
  package func receive(value: String) -> Bool {
    guard let on = Bool(value) else { return false }
    guard on != isOn else { return true }
    isReceiving = true
    isOn = on
    isReceiving = false
    sendValue()
    return true
  }
}
