import Foundation

/// An alert or an action sheet: a title, a message, buttons and (in an alert) text fields.
///
/// Source: UIKit, `UIAlertController`. As there, a second action of style `.cancel` and a text
/// field in an action sheet are programming errors: both trap.
open class UIAlertController: UIViewController {
  /// The two kinds of question. Only an `alert` can have text fields.
  public enum Style: Int, Sendable {
    case actionSheet
    case alert
  }

  /// The text below the title. A change is drawn at once.
  open var message: String? { didSet { if message != oldValue { didChange() } } }
  /// The style that the controller was made with.
  public private(set) var preferredStyle = Style.alert
  /// The buttons, in the order in which they were added.
  public private(set) var actions: [UIAlertAction] = []
  /// The text fields, in the order in which they were added; `nil` before the first.
  public private(set) var textFields: [UITextField]?
  /// The action that Return chooses and that is emphasised; `nil` is the last one of style
  /// `.default`.
  open var preferredAction: UIAlertAction?

  /// Makes a question without buttons. Add at least one action before it is presented.
  public convenience init(title: String?, message: String?, preferredStyle: Style) {
    self.init(nibName: nil, bundle: nil)
    self.title = title
    self.message = message
    self.preferredStyle = preferredStyle
  }

  /// Appends a button. Traps when the controller already has an action of style `.cancel`.
  open func addAction(_ action: UIAlertAction) {
    if action.style == .cancel, actions.contains(where: { $0.style == .cancel }) {
      fatalError(
        "UIAlertController can only have one action with a style of UIAlertActionStyleCancel")
    }
    action.alert = self
    actions.append(action)
  }

  /// Appends a text field. The handler configures it at once. Traps in an action sheet.
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

  /// Answers for the user: dismisses the alert, then runs the handler of `action`. `nil` stands for
  /// the Escape key, which chooses the cancel action; without one nothing happens. A disabled
  /// action does nothing.
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
  /// How an action is drawn: as usual, as the one that cancels, or as one that destroys data.
  public enum Style: Int, Sendable {
    case `default`
    case cancel
    case destructive
  }

  /// The button's title.
  public let title: String?
  /// The style that the action was made with.
  public let style: Style
  /// Whether the user can choose the action.
  public var isEnabled = true { didSet { if isEnabled != oldValue { alert?.didChange() } } }
  fileprivate weak var alert: UIAlertController?
  fileprivate let handler: (@MainActor (UIAlertAction) -> Void)?

  /// Makes a button. The handler runs after the alert has been dismissed.
  public init(
    title: String?, style: Style, handler: (@MainActor (UIAlertAction) -> Void)? = nil
  ) {
    self.title = title
    self.style = style
    self.handler = handler
  }
}
