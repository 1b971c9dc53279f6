import Foundation

/// A control with one value that the user sets: on or off, a number, or one of several segments.
///
/// A renderer reads `valueText`, and passes the user's choice to `receive(value:)` in the form of
/// that text.
@MainActor
package protocol ValueControl: UIControl {
  /// The value: `true` or `false`, a number, or an index.
  var valueText: String { get }

  /// Sets the user's value and sends actions for a changed one. Returns false for a text that is no
  /// value of this control.
  @discardableResult
  func receive(value: String) -> Bool
}

extension ValueControl {
  /// Sends the actions for a value that the user has set.
  func sendValue() { sendActions(for: [.valueChanged, .primaryActionTriggered]) }
}

extension UIControl {
  /// Makes a control with an action for its primary event.
  public convenience init(frame: CGRect, primaryAction: UIAction?) {
    self.init(frame: frame)
    if let primaryAction { addAction(primaryAction, for: .primaryActionTriggered) }
  }
}
