import Foundation

/// A line of text that the user edits.
///
/// Source: UIKit, `UITextField`.
open class UITextField: UIControl {
  /// The text; setting `nil` sets an empty one. Setting it sends no actions.
  open var text: String? = "" {
    didSet {
      if text == nil { text = "" }
      if text != oldValue, !isReceiving { setNeedsDisplay() }
    }
  }
  /// The text that an empty field shows.
  open var placeholder: String? { didSet { setNeedsDisplay() } }
  /// The colour of the text.
  open var textColor: UIColor? = .label {
    didSet { if textColor != oldValue { setNeedsDisplay() } }
  }
  /// A view after the text, such as a label with a unit. Only labels are drawn.
  open var rightView: UIView? { didSet { if rightView !== oldValue { setNeedsDisplay() } } }
  /// When the right view is shown.
  open var rightViewMode = ViewMode.never
  /// Whether the text is hidden, as for a password.
  open var isSecureTextEntry = false
  /// The keyboard that a phone shows.
  open var keyboardType: UIKeyboardType = .default
  /// The meaning of Return, shown on a phone's keyboard.
  open var returnKeyType: UIReturnKeyType = .default
  /// Decides about and hears of editing.
  open weak var delegate: (any UITextFieldDelegate)?
  /// Whether the user is editing the text.
  public package(set) var isEditing = false

  /// The times at which a view in the field is shown. A renderer shows it always, or never.
  public enum ViewMode: Int, Sendable {
    case never, whileEditing, unlessEditing, always
  }

  /// The text of the label after the field's own, if one is shown.
  package var unit: String? { rightViewMode == .never ? nil : (rightView as? UILabel)?.text }

  /// True while text from the user is set, which the renderer shows already.
  private var isReceiving = false

  @discardableResult
  open override func resignFirstResponder() -> Bool {
    guard endEditing() else { return false }
    return super.resignFirstResponder()
  }
}

// User events, for renderers.
extension UITextField {
  /// Begins editing. Returns false if the delegate refuses or the field is disabled.
  @discardableResult
  package func beginEditing() -> Bool {
    if isEditing { return true }
    guard isEnabled, delegate?.textFieldShouldBeginEditing(self) ?? true else { return false }
    isEditing = true
    window?.firstResponder = self
    delegate?.textFieldDidBeginEditing(self)
    sendActions(for: .editingDidBegin)
    return true
  }

  /// Sets the text that the user has typed, which the field shows already.
  package func receive(_ newText: String) {
    guard newText != text else { return }
    isReceiving = true
    text = newText
    isReceiving = false
    sendActions(for: .editingChanged)
  }

  /// Presses Return for the user.
  package func pressReturn() {
    guard delegate?.textFieldShouldReturn(self) ?? true else { return }
    sendActions(for: [.editingDidEndOnExit, .primaryActionTriggered])
  }

  /// Ends editing. Returns false if the delegate refuses.
  @discardableResult
  package func endEditing() -> Bool {
    guard isEditing else { return true }
    guard delegate?.textFieldShouldEndEditing(self) ?? true else { return false }
    isEditing = false
    if window?.firstResponder === self { window?.firstResponder = nil }
    delegate?.textFieldDidEndEditing(self)
    sendActions(for: .editingDidEnd)
    return true
  }
}

/// The keyboard that a phone shows for a field.
///
/// Source: UIKit, `UIKeyboardType`.
public enum UIKeyboardType: Int, Sendable {
  case `default`
  case numberPad
  case decimalPad
  case emailAddress
}

/// The meaning of Return in a field.
///
/// Source: UIKit, `UIReturnKeyType`.
public enum UIReturnKeyType: Int, Sendable {
  case `default`
  case go
  case done
  case search
  /// Sends the text; the page then empties the field for the next one.
  case send
}

/// Decides about and hears of editing in a text field. Every method has a default.
///
/// Source: UIKit, `UITextFieldDelegate`.
@MainActor
public protocol UITextFieldDelegate: AnyObject {
  /// Whether editing may begin; true by default.
  func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool
  /// Called when editing has begun.
  func textFieldDidBeginEditing(_ textField: UITextField)
  /// Whether editing may end; true by default.
  func textFieldShouldEndEditing(_ textField: UITextField) -> Bool
  /// Called when editing has ended.
  func textFieldDidEndEditing(_ textField: UITextField)
  /// Whether Return sends the field's actions; true by default.
  func textFieldShouldReturn(_ textField: UITextField) -> Bool
}

extension UITextFieldDelegate {
  /// Returns true.
  public func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool { true }
  /// Does nothing.
  public func textFieldDidBeginEditing(_ textField: UITextField) {}
  /// Returns true.
  public func textFieldShouldEndEditing(_ textField: UITextField) -> Bool { true }
  /// Does nothing.
  public func textFieldDidEndEditing(_ textField: UITextField) {}
  /// Returns true.
  public func textFieldShouldReturn(_ textField: UITextField) -> Bool { true }
}
