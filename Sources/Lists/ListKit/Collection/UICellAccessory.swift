import Foundation

/// A sign, a text or a view beside the content of a list cell.
///
/// Source: UIKit, `UICellAccessory`. Tints and widths are chosen by the renderer. Accessories that
/// delete, insert or show details are buttons if they have a handler; a reorder accessory is the
/// row's grip.
@MainActor
public final class UICellAccessory {
  /// The modes in which an accessory is shown.
  public enum DisplayedState: Sendable {
    case always, whenEditing, whenNotEditing
  }

  /// The edge of a custom view, with the modes in which it is shown.
  public enum Placement: Sendable {
    case leading(displayed: DisplayedState = .always)
    case trailing(displayed: DisplayedState = .always)
  }

  /// A custom view as an accessory.
  @MainActor
  public struct CustomViewConfiguration {
    let view: UIView
    let placement: Placement

    /// Makes an accessory of `customView`.
    public init(customView: UIView, placement: Placement) {
      view = customView
      self.placement = placement
    }
  }

  /// The options of the sign that expands and collapses an item of a section snapshot.
  public struct OutlineDisclosureOptions: Sendable {
    /// The part of the row that expands and collapses the item.
    public enum Style: Sendable {
      /// Behaves as `cell`.
      case automatic
      /// Choosing the row expands and collapses the item.
      case header
      /// Only the sign expands and collapses the item.
      case cell
    }

    /// The part of the row that expands and collapses the item.
    public var style: Style

    /// Makes options of this style.
    public init(style: Style = .automatic) { self.style = style }
  }

  struct OutlineDisclosure {
    let style: OutlineDisclosureOptions.Style
    /// Called instead of expanding and collapsing.
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

  /// The sign for a row that opens another screen.
  public static func disclosureIndicator(displayed: DisplayedState = .always) -> UICellAccessory {
    UICellAccessory(displayed, sign: .disclosure)
  }

  /// A checkmark.
  public static func checkmark(displayed: DisplayedState = .always) -> UICellAccessory {
    UICellAccessory(displayed, sign: .checkmark)
  }

  /// A sign for details: a button that calls the handler, or a plain sign without one.
  public static func detail(
    displayed: DisplayedState = .always, actionHandler: (@MainActor () -> Void)? = nil
  ) -> UICellAccessory {
    guard let actionHandler else { return UICellAccessory(displayed, sign: .detail) }
    return UICellAccessory(displayed, view: button("ⓘ", "Details", actionHandler))
  }

  /// A button that calls the handler to delete the item; nothing is drawn without a handler.
  public static func delete(
    displayed: DisplayedState = .whenEditing, actionHandler: (@MainActor () -> Void)? = nil
  ) -> UICellAccessory {
    let view = actionHandler.map { button("−", "Delete", $0) }
    return UICellAccessory(displayed, isLeading: true, view: view)
  }

  /// A button that calls the handler to insert an item; nothing is drawn without a handler.
  public static func insert(
    displayed: DisplayedState = .whenEditing, actionHandler: (@MainActor () -> Void)? = nil
  ) -> UICellAccessory {
    let view = actionHandler.map { button("+", "Insert", $0) }
    return UICellAccessory(displayed, isLeading: true, view: view)
  }

  /// The sign that expands and collapses an item, drawn before the title. It is shown only in a
  /// section that has a section snapshot. A handler is called instead of expanding and collapsing.
  public static func outlineDisclosure(
    displayed: DisplayedState = .always,
    options: OutlineDisclosureOptions = OutlineDisclosureOptions(),
    actionHandler: (@MainActor () -> Void)? = nil
  ) -> UICellAccessory {
    UICellAccessory(
      displayed, isLeading: true,
      outlineDisclosure: OutlineDisclosure(style: options.style, handler: actionHandler))
  }

  /// The grip by which the row is moved.
  public static func reorder(displayed: DisplayedState = .whenEditing) -> UICellAccessory {
    UICellAccessory(displayed, isReorder: true)
  }

  /// The sign for multiple selection. Draws nothing: renderers mark selected rows themselves.
  public static func multiselect(displayed: DisplayedState = .whenEditing) -> UICellAccessory {
    UICellAccessory(displayed, isLeading: true)
  }

  /// A short text at the row's trailing edge.
  public static func label(text: String, displayed: DisplayedState = .always) -> UICellAccessory {
    let label = UILabel()
    label.text = text
    return UICellAccessory(displayed, view: label)
  }

  /// A view at the edge that the configuration names.
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
