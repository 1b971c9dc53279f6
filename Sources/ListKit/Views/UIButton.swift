import Foundation

/// A button with a title.
///
/// Source: UIKit, `UIButton`.
open class UIButton: UIControl {
  public enum ButtonType: Int, Sendable {
    case custom
    case system
  }

  open var currentTitle: String? { title }
  private var title: String? { didSet { if title != oldValue { setNeedsDisplay() } } }

  public convenience init(type: ButtonType = .system, primaryAction: UIAction?) {
    self.init(frame: .zero)
    guard let primaryAction else { return }
    title = primaryAction.title
    addAction(primaryAction, for: .primaryActionTriggered)
  }

  open func setTitle(_ title: String?) { self.title = title }
  /// A button has one title here, that of the normal state.
  open func setTitle(_ title: String?, for state: UIControl.State) {
    if state == .normal { self.title = title }
  }

  /// What the renderer calls on a click.
  package func press() {
    if isEnabled { sendActions(for: [.primaryActionTriggered, .touchUpInside]) }
  }
}
