import Foundation

/// A sign, a text or a view beside the content of a list cell.
///
/// Source: UIKit, `UICellAccessory`. Options for tints and widths are the renderer's. What deletes,
/// inserts and shows details is a button when it is given a handler; to reorder, the row has its
/// grip.
@MainActor
public final class UICellAccessory {
  public enum DisplayedState: Sendable {
    case always, whenEditing, whenNotEditing
  }

  public enum Placement: Sendable {
    case leading(displayed: DisplayedState = .always)
    case trailing(displayed: DisplayedState = .always)
  }

  /// A view of one's own.
  @MainActor
  public struct CustomViewConfiguration {
    let view: UIView
    let placement: Placement

    public init(customView: UIView, placement: Placement) {
      view = customView
      self.placement = placement
    }
  }

  /// The sign that opens and closes an item of a section snapshot.
  public struct OutlineDisclosureOptions: Sendable {
    public enum Style: Sendable {
      /// As `cell`.
      case automatic
      /// Choosing the item opens and closes it.
      case header
      /// The sign alone does.
      case cell
    }

    public var style: Style

    public init(style: Style = .automatic) { self.style = style }
  }

  struct OutlineDisclosure {
    let style: OutlineDisclosureOptions.Style
    /// In place of opening and closing.
    let handler: (@MainActor () -> Void)?
  }

  private let displayed: DisplayedState
  let isLeading: Bool
  let isReorder: Bool
  let sign: RowContent.Accessory?
  let view: UIView?
  let outlineDisclosure: OutlineDisclosure?
  weak var cell: UICollectionViewListCell?

  private init(
    _ displayed: DisplayedState, isLeading: Bool = false, isReorder: Bool = false,
    sign: RowContent.Accessory? = nil, view: UIView? = nil,
    outlineDisclosure: OutlineDisclosure? = nil
  ) {
    self.displayed = displayed
    self.isLeading = isLeading
    self.isReorder = isReorder
    self.sign = sign
    self.view = view
    self.outlineDisclosure = outlineDisclosure
  }

  func isShown(isEditing: Bool) -> Bool {
    switch displayed {
    case .always: true
    case .whenEditing: isEditing
    case .whenNotEditing: !isEditing
    }
  }

  // MARK: Kinds

  public static func disclosureIndicator(displayed: DisplayedState = .always) -> UICellAccessory {
    UICellAccessory(displayed, sign: .disclosure)
  }

  public static func checkmark(displayed: DisplayedState = .always) -> UICellAccessory {
    UICellAccessory(displayed, sign: .checkmark)
  }

  public static func detail(
    displayed: DisplayedState = .always, actionHandler: (@MainActor () -> Void)? = nil
  ) -> UICellAccessory {
    guard let actionHandler else { return UICellAccessory(displayed, sign: .detail) }
    return UICellAccessory(displayed, view: button("ⓘ", "Details", actionHandler))
  }

  public static func delete(
    displayed: DisplayedState = .whenEditing, actionHandler: (@MainActor () -> Void)? = nil
  ) -> UICellAccessory {
    let view = actionHandler.map { button("−", "Delete", $0) }
    return UICellAccessory(displayed, isLeading: true, view: view)
  }

  public static func insert(
    displayed: DisplayedState = .whenEditing, actionHandler: (@MainActor () -> Void)? = nil
  ) -> UICellAccessory {
    let view = actionHandler.map { button("+", "Insert", $0) }
    return UICellAccessory(displayed, isLeading: true, view: view)
  }

  /// Drawn before the title, in a section that shows a section snapshot.
  public static func outlineDisclosure(
    displayed: DisplayedState = .always,
    options: OutlineDisclosureOptions = OutlineDisclosureOptions(),
    actionHandler: (@MainActor () -> Void)? = nil
  ) -> UICellAccessory {
    UICellAccessory(
      displayed, isLeading: true,
      outlineDisclosure: OutlineDisclosure(style: options.style, handler: actionHandler))
  }

  public static func reorder(displayed: DisplayedState = .whenEditing) -> UICellAccessory {
    UICellAccessory(displayed, isReorder: true)
  }

  /// What shows that several can be chosen is drawn with the selection.
  public static func multiselect(displayed: DisplayedState = .whenEditing) -> UICellAccessory {
    UICellAccessory(displayed, isLeading: true)
  }

  public static func label(text: String, displayed: DisplayedState = .always) -> UICellAccessory {
    let label = UILabel()
    label.text = text
    return UICellAccessory(displayed, view: label)
  }

  public static func customView(configuration: CustomViewConfiguration) -> UICellAccessory {
    switch configuration.placement {
    case .leading(let displayed):
      UICellAccessory(displayed, isLeading: true, view: configuration.view)
    case .trailing(let displayed): UICellAccessory(displayed, view: configuration.view)
    }
  }

  private static func button(
    _ title: String, _ label: String, _ handler: @escaping @MainActor () -> Void
  ) -> UIButton {
    let button = UIButton(primaryAction: UIAction(title: title) { _ in handler() })
    button.accessibilityLabel = label
    return button
  }
}
