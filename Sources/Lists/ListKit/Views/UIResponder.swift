import Foundation
import Undo

/// An object in the chain in which events, key commands and the undo manager are looked up: view →
/// its controller → superview → … → window.
///
/// Source: UIKit, `UIResponder`.
@MainActor
open class UIResponder: NSObject {
  /// Makes a responder.
  public override init() { super.init() }

  /// The next object in the chain; `nil` at its end.
  open var next: UIResponder? { nil }

  /// The nearest undo manager in the chain. A window has one of its own.
  open var undoManager: UndoManager? { next?.undoManager }

  /// The key commands that work while this object is in the chain of the visible controller.
  open var keyCommands: [UIKeyCommand]? { nil }

  /// Whether the object can have the keyboard: false unless overridden.
  open var canBecomeFirstResponder: Bool { false }

  /// Whether the object has the keyboard.
  public var isFirstResponder: Bool { responderWindow?.firstResponder === self }

  /// Gives the keyboard to this object. Returns false if it cannot have it, is in no window, or the
  /// current first responder refuses to resign.
  @discardableResult
  open func becomeFirstResponder() -> Bool {
    guard canBecomeFirstResponder, let window = responderWindow else { return false }
    if window.firstResponder === self { return true }
    guard window.firstResponder?.resignFirstResponder() ?? true else { return false }
    window.firstResponder = self
    window.record(.focused(self))
    return true
  }

  /// Gives up the keyboard. Returns false if the object refuses.
  @discardableResult
  open func resignFirstResponder() -> Bool {
    guard let window = responderWindow, window.firstResponder === self else { return true }
    window.firstResponder = nil
    window.record(.focused(nil))
    return true
  }

  /// The window at the end of the chain.
  package var responderWindow: UIWindow? {
    var responder: UIResponder? = self
    while let current = responder {
      if let window = current as? UIWindow { return window }
      responder = current.next
    }
    return nil
  }
}
