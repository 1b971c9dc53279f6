import Foundation
import Undo

/// An object that takes part in the chain along which events, key commands and the undo manager are
/// found: view → its controller → superview → … → window.
///
/// Source: UIKit, `UIResponder`.
@MainActor
open class UIResponder: NSObject {
  public override init() { super.init() }

  /// The next object in the chain; `nil` at its end.
  open var next: UIResponder? { nil }

  /// The nearest undo manager up the chain; a window has one of its own.
  open var undoManager: UndoManager? { next?.undoManager }

  /// What keys do while this object is in the chain of the visible controller.
  open var keyCommands: [UIKeyCommand]? { nil }

  open var canBecomeFirstResponder: Bool { false }

  public var isFirstResponder: Bool { responderWindow?.firstResponder === self }

  /// Gives this object the keyboard. False when it refuses or is in no window.
  @discardableResult
  open func becomeFirstResponder() -> Bool {
    guard canBecomeFirstResponder, let window = responderWindow else { return false }
    if window.firstResponder === self { return true }
    guard window.firstResponder?.resignFirstResponder() ?? true else { return false }
    window.firstResponder = self
    window.record(.focused(self))
    return true
  }

  /// Gives the keyboard up.
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
