import Foundation

/// A cell that draws one row of a table.
///
/// Source: UIKit, `UITableViewCell`. In a plain table a text field in `contentView` is the row's
/// title, edited in place; in the style `.value1` the detail is drawn as a count beside the
/// disclosure indicator, and so is a label as `accessoryView`. A grouped table is a form: a text
/// field or a date picker in `contentView` is drawn at the row's trailing edge, open for input, and
/// the detail of `.value1` and `.value2` is drawn as text. There, a title in `.systemRed` means
/// that the row's value is not valid, for which the section's footer has the reason: a screen
/// reader hears both in the field.
open class UITableViewCell: ListCell {
  /// The arrangement of the two labels: title alone, detail at the trailing edge (`value1`), title
  /// as a small label before the detail (`value2`), or detail below the title (`subtitle`).
  public enum CellStyle: Int, Sendable {
    case `default`
    case value1
    case value2
    case subtitle
  }

  /// The sign at the row's trailing edge.
  public enum AccessoryType: Int, Sendable {
    case none
    case disclosureIndicator
    case detailDisclosureButton
    case checkmark
    case detailButton
  }

  /// The change that the control before the row offers in editing mode.
  public enum EditingStyle: Int, Sendable {
    case none
    case delete
    case insert
  }

  /// The colour of a selected row. Kept, and not read by any renderer.
  public enum SelectionStyle: Int, Sendable {
    case none
    case blue
    case gray
    case `default`
  }

  package let style: CellStyle
  /// The identifier under which the table reuses the cell; `nil` for a cell that is not reused.
  public let reuseIdentifier: String?
  /// The labels that the client has read, made on demand.
  private(set) var madeTextLabel: UILabel?
  private(set) var madeDetailLabel: UILabel?

  /// The sign at the row's trailing edge.
  open var accessoryType = AccessoryType.none {
    didSet { if accessoryType != oldValue { setNeedsDisplay() } }
  }
  /// A view at the row's trailing edge, such as a switch.
  open var accessoryView: UIView? {
    didSet {
      oldValue?.removeFromSuperview()
      if let accessoryView { addSubview(accessoryView) }
    }
  }
  /// The colour of the row when it is selected. Kept, and not read by any renderer.
  open var selectionStyle = SelectionStyle.default
  /// Whether the row shows a grip when the table lets it be moved.
  open var showsReorderControl = true

  /// Configures a cell for its new state.
  public typealias ConfigurationUpdateHandler =
    @MainActor (_ cell: UITableViewCell, _ state: UICellConfigurationState) -> Void

  /// Called when the cell's state has changed, and at once when it is set.
  open var configurationUpdateHandler: ConfigurationUpdateHandler? {
    didSet { runConfigurationUpdate() }
  }

  /// Makes a cell of a style. Subclasses that a table makes by registration override this
  /// initialiser.
  public init(style: CellStyle, reuseIdentifier: String?) {
    self.style = style
    self.reuseIdentifier = reuseIdentifier
    super.init(frame: .zero)
  }

  /// Cells are not read from archives here: always `nil`.
  public required init?(coder: NSCoder) { nil }

  /// Makes a cell of a registered class; the table calls it. A subclass inherits it together with
  /// `init(style:reuseIdentifier:)`, so that a client's cell need not declare the latter as
  /// `required`.
  public required convenience init(registration: CellRegistration) {
    self.init(style: registration.style, reuseIdentifier: registration.reuseIdentifier)
  }

  /// A list content configuration for the cell's style, without texts.
  open func defaultContentConfiguration() -> UIListContentConfiguration {
    UIListContentConfiguration(isValue: style == .value1 || style == .value2)
  }

  /// The label of the title. Made when it is first read; never `nil`.
  open var textLabel: UILabel? {
    if madeTextLabel == nil { madeTextLabel = makeLabel() }
    return madeTextLabel
  }

  /// The label of the detail. Made when it is first read; never `nil`.
  open var detailTextLabel: UILabel? {
    if madeDetailLabel == nil { madeDetailLabel = makeLabel() }
    return madeDetailLabel
  }

  private func makeLabel() -> UILabel {
    let label = UILabel()
    contentView.addSubview(label)
    return label
  }

  // MARK: Queries by the table

  override var reuseKey: String? { reuseIdentifier }
  override func runUpdateHandler(_ state: UICellConfigurationState) {
    configurationUpdateHandler?(self, state)
  }
  override package var accessory: RowContent.Accessory {
    switch accessoryType {
    case .none: .none
    case .checkmark: .checkmark
    case .disclosureIndicator: .disclosure
    case .detailButton, .detailDisclosureButton: .detail
    }
  }
  override package var hasGrip: Bool { showsReorderControl }
  override var trailingAccessories: [UIView] { [accessoryView].compactMap(\.self) }
  override var isLabelled: Bool { style == .value2 }

  override func fillLabels(of content: inout RowContent) {
    let labels = ownLabels
    let title = labels.first ?? madeTextLabel
    let own = labels.dropFirst().compactMap(\.text).joined(separator: " ")
    let secondary = labels.isEmpty ? madeDetailLabel?.text : own.isEmpty ? nil : own
    content.title = title?.text ?? ""
    content.titleColor = title?.colorName
    if style == .value1 || style == .value2 {
      content.badge = secondary
    } else {
      content.detail = secondary
    }
  }
}

/// The arguments for a cell of a registered class.
public struct CellRegistration: Sendable {
  let style: UITableViewCell.CellStyle
  let reuseIdentifier: String
}
