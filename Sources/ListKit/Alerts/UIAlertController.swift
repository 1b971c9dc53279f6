import Foundation

/// A question to the user: a title, a message, buttons and (as an alert) text fields.
///
/// Source: UIKit, `UIAlertController`. A second action of style `.cancel` and a text field in an
/// action sheet are a programmer's errors, as there.
open class UIAlertController: UIViewController {
  public enum Style: Int, Sendable {
    case actionSheet
    case alert
  }

  open var message: String? { didSet { if message != oldValue { didChange() } } }
  public private(set) var preferredStyle = Style.alert
  public private(set) var actions: [UIAlertAction] = []
  public private(set) var textFields: [UITextField]?
  open var preferredAction: UIAlertAction?

  public convenience init(title: String?, message: String?, preferredStyle: Style) {
    self.init(nibName: nil, bundle: nil)
    self.title = title
    self.message = message
    self.preferredStyle = preferredStyle
  }

  open func addAction(_ action: UIAlertAction) {
    if action.style == .cancel, actions.contains(where: { $0.style == .cancel }) {
      fatalError(
        "UIAlertController can only have one action with a style of UIAlertActionStyleCancel")
    }
    action.alert = self
    actions.append(action)
  }

  open func addTextField(configurationHandler: (@MainActor (UITextField) -> Void)? = nil) {
    if preferredStyle == .actionSheet {
      fatalError(
        "Text fields can only be added to an alert controller of style UIAlertControllerStyleAlert")
    }
    let field = UITextField()
    textFields = (textFields ?? []) + [field]
    view.addSubview(field)
    configurationHandler?(field)
  }

  /// The user chose: the alert goes away, then the handler runs. `nil` is Escape, which stands for
  /// the cancel action.
  package func choose(_ action: UIAlertAction?) {
    let chosen = action ?? actions.first { $0.style == .cancel }
    guard let chosen, chosen.isEnabled else { return }
    presentingViewController?.dismiss(animated: true)
    chosen.handler?(chosen)
  }

  fileprivate func didChange() { viewIfLoaded?.window?.record(.alertChanged) }
}

/// A button of an alert.
///
/// Source: UIKit, `UIAlertAction`.
@MainActor
public final class UIAlertAction {
  public enum Style: Int, Sendable {
    case `default`
    case cancel
    case destructive
  }

  public let title: String?
  public let style: Style
  public var isEnabled = true { didSet { if isEnabled != oldValue { alert?.didChange() } } }
  fileprivate weak var alert: UIAlertController?
  fileprivate let handler: (@MainActor (UIAlertAction) -> Void)?

  public init(
    title: String?, style: Style, handler: (@MainActor (UIAlertAction) -> Void)? = nil
  ) {
    self.title = title
    self.style = style
    self.handler = handler
  }
}
