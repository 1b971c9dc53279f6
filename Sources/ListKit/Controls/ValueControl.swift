import Foundation

/// A control with a value that the user sets as a whole: on or off, a number, one of several.
///
/// A renderer reads `valueText` and hands back what the user chose as text of the same form.
@MainActor
package protocol ValueControl: UIControl {
  /// `true` and `false`, a number, or an index.
  var valueText: String { get }

  /// Takes over what the user chose, and tells those who listen. False for what is no value of this
  /// control.
  @discardableResult
  func receive(value: String) -> Bool
}

extension ValueControl {
  /// Tells that the user has set the value.
  func sendValue() { sendActions(for: [.valueChanged, .primaryActionTriggered]) }
}

extension UIControl {
  /// Makes a control and adds an action for its main event.
  public convenience init(frame: CGRect, primaryAction: UIAction?) {
    self.init(frame: frame)
    if let primaryAction { addAction(primaryAction, for: .primaryActionTriggered) }
  }
}
