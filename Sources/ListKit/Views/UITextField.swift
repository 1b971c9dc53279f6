import Foundation

/// A line of text that the user edits.
///
/// Source: UIKit, `UITextField`.
open class UITextField: UIControl {
  open var text: String? = "" {
    didSet {
      if text == nil { text = "" }
      if text != oldValue, !isReceiving { setNeedsDisplay() }
    }
  }
  open var placeholder: String? { didSet { setNeedsDisplay() } }
  open var textColor: UIColor? = .label {
    didSet { if textColor != oldValue { setNeedsDisplay() } }
  }
  open var isSecureTextEntry = false
  open var keyboardType: UIKeyboardType = .default
  open var returnKeyType: UIReturnKeyType = .default
  open weak var delegate: (any UITextFieldDelegate)?
  public package(set) var isEditing = false

  /// True while text from the user is taken over, which the renderer shows already.
  private var isReceiving = false

  open override var canBecomeFirstResponder: Bool { isEnabled }

  @discardableResult
  open override func resignFirstResponder() -> Bool {
    guard endEditing() else { return false }
    return super.resignFirstResponder()
  }
}

// What a renderer calls for the user.
extension UITextField {
  /// The field gets the keyboard. False when the delegate refuses.
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

  /// The user typed: `newText` is what the field shows now.
  package func receive(_ newText: String) {
    guard newText != text else { return }
    isReceiving = true
    text = newText
    isReceiving = false
    sendActions(for: .editingChanged)
  }

  /// The user pressed Return.
  package func pressReturn() {
    guard delegate?.textFieldShouldReturn(self) ?? true else { return }
    sendActions(for: [.editingDidEndOnExit, .primaryActionTriggered])
  }

  /// The field loses the keyboard. False when the delegate refuses.
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

public enum UIKeyboardType: Int, Sendable {
  case `default`
  case numberPad
  case decimalPad
  case emailAddress
}

public enum UIReturnKeyType: Int, Sendable {
  case `default`
  case go
  case done
  case search
  /// What was typed is sent, and the field is empty for what comes next.
  case send
}

/// Told about editing in a text field; every method has a default.
///
/// Source: UIKit, `UITextFieldDelegate`.
@MainActor
public protocol UITextFieldDelegate: AnyObject {
  func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool
  func textFieldDidBeginEditing(_ textField: UITextField)
  func textFieldShouldEndEditing(_ textField: UITextField) -> Bool
  func textFieldDidEndEditing(_ textField: UITextField)
  func textFieldShouldReturn(_ textField: UITextField) -> Bool
}

extension UITextFieldDelegate {
  public func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool { true }
  public func textFieldDidBeginEditing(_ textField: UITextField) {}
  public func textFieldShouldEndEditing(_ textField: UITextField) -> Bool { true }
  public func textFieldDidEndEditing(_ textField: UITextField) {}
  public func textFieldShouldReturn(_ textField: UITextField) -> Bool { true }
}
