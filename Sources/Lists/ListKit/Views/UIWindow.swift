import Foundation
import Undo

/// The root of a tree of views: one browser window, or one terminal.
///
/// Source: UIKit, `UIWindow`.
open class UIWindow: UIView {
  /// The renderer of this window, which sets itself.
  package weak var renderer: (any WindowRenderer)?
  package var firstResponder: UIResponder?
  /// The scene that the window was made for.
  public private(set) weak var windowScene: UIWindowScene?
  private let ownUndoManager = UndoManager()

  public override init(frame: CGRect) {
    super.init(frame: frame)
    isHidden = true
  }

  /// Makes a hidden window and adds it to the scene.
  public convenience init(windowScene: UIWindowScene) {
    self.init(frame: .zero)
    self.windowScene = windowScene
    windowScene.windows.append(self)
  }

  public required init?(coder: NSCoder) { nil }

  /// The controller that fills the window. Setting it in a visible window replaces the old one.
  open var rootViewController: UIViewController? {
    didSet {
      guard rootViewController !== oldValue else { return }
      if !isHidden { exchange(oldValue, for: rootViewController) }
    }
  }

  open override var window: UIWindow? { self }
  open override var undoManager: UndoManager? { ownUndoManager }

  open override var next: UIResponder? { nil }

  /// Shows the window: its root controller appears.
  open func makeKeyAndVisible() {
    guard isHidden else { return }
    isHidden = false
    exchange(nil, for: rootViewController)
  }

  private func exchange(_ old: UIViewController?, for new: UIViewController?) {
    new?.adapt(toWide: windowScene?.isWide ?? false, typing: nil)
    AppearanceTransition.exchange(old, for: new, in: self, animated: false)
    record(.screenChanged(.replace))
  }

  package func record(_ operation: WindowOperation) { renderer?.record(operation) }

  /// Makes the views what the window shows, before something else than an event changes them.
  package func stepOut() { renderer?.stepOut() }

  /// Brings the scene up to date, and draws what has changed.
  package func takeTurn() {
    guard let windowScene else { return }
    if let renderer {
      renderer.takeTurn(windowScene)
    } else {
      windowScene.following?.takeOver()
    }
  }

  /// Undo and Redo, for controllers that have no other commands for these keys.
  open override var keyCommands: [UIKeyCommand]? {
    [
      UIKeyCommand(
        input: "z", modifierFlags: .command,
        primaryAction: UIAction(title: "Undo") { [weak self] _ in self?.undo() }),
      UIKeyCommand(
        input: "z", modifierFlags: [.command, .shift],
        primaryAction: UIAction(title: "Redo") { [weak self] _ in self?.redo() }),
    ]
  }

  /// The undo manager in the chain of the visible controller.
  package var visibleUndoManager: UndoManager? {
    visibleViewController?.undoManager ?? ownUndoManager
  }

  package func undo() {
    if let manager = visibleUndoManager, manager.canUndo { manager.undo() }
  }

  package func redo() {
    if let manager = visibleUndoManager, manager.canRedo { manager.redo() }
  }
}
