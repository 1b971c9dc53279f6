import Foundation

/// A button with a title.
///
/// Source: UIKit, `UIButton`.
open class UIButton: UIControl {
  /// The appearance of the button. Ignored.
  public enum ButtonType: Int, Sendable {
    case custom
    case system
  }

  /// The title.
  open var currentTitle: String? { title }
  private var title: String? { didSet { if title != oldValue { setNeedsDisplay() } } }

  /// Makes a button with the title of the action, which pressing it runs.
  public convenience init(type: ButtonType = .system, primaryAction: UIAction?) {
    self.init(frame: .zero)
    guard let primaryAction else { return }
    title = primaryAction.title
    addAction(primaryAction, for: .primaryActionTriggered)
  }

  /// Sets the title. Not in UIKit, which needs a state.
  open func setTitle(_ title: String?) { self.title = title }
  /// Sets the title of the normal state. Others are ignored: a button has one title here.
  open func setTitle(_ title: String?, for state: UIControl.State) {
    if state == .normal { self.title = title }
  }

  /// Presses the button for the user.
  package func press() {
    if isEnabled { sendActions(for: [.primaryActionTriggered, .touchUpInside]) }
  }
}
