import Foundation

/// One row as it is drawn.
///
/// Source: UIKit, `UITableViewCell`. In a plain table a text field in `contentView` is the row's
/// title, edited in place; in the style `.value1` the detail is drawn as a count beside the
/// disclosure indicator, and so is a label as `accessoryView`. A grouped table is a form: a text
/// field or a date picker in `contentView` stands at the row's end, open to be used, and the
/// detail of `.value1` and `.value2` is drawn as text.
open class UITableViewCell: ListCell {
  public enum CellStyle: Int, Sendable {
    case `default`
    case value1
    case value2
    case subtitle
  }

  public enum AccessoryType: Int, Sendable {
    case none
    case disclosureIndicator
    case detailDisclosureButton
    case checkmark
    case detailButton
  }

  public enum EditingStyle: Int, Sendable {
    case none
    case delete
    case insert
  }

  public enum SelectionStyle: Int, Sendable {
    case none
    case blue
    case gray
    case `default`
  }

  package let style: CellStyle
  public let reuseIdentifier: String?
  /// The labels that somebody has asked for.
  private(set) var madeTextLabel: UILabel?
  private(set) var madeDetailLabel: UILabel?

  open var accessoryType = AccessoryType.none {
    didSet { if accessoryType != oldValue { setNeedsDisplay() } }
  }
  open var accessoryView: UIView? {
    didSet {
      oldValue?.removeFromSuperview()
      if let accessoryView { addSubview(accessoryView) }
    }
  }
  open var selectionStyle = SelectionStyle.default
  open var showsReorderControl = true

  public typealias ConfigurationUpdateHandler =
    @MainActor (_ cell: UITableViewCell, _ state: UICellConfigurationState) -> Void

  /// Called when the cell's state has changed, and before the cell is drawn first.
  open var configurationUpdateHandler: ConfigurationUpdateHandler? {
    didSet { runConfigurationUpdate() }
  }

  public init(style: CellStyle, reuseIdentifier: String?) {
    self.style = style
    self.reuseIdentifier = reuseIdentifier
    super.init(frame: .zero)
  }

  /// Cells are not read from archives here: always `nil`.
  public required init?(coder: NSCoder) { nil }

  /// How a registered class is made. A subclass inherits it together with its
  /// `init(style:reuseIdentifier:)`, so that the latter need not be `required` in a client's cell.
  public required convenience init(registration: CellRegistration) {
    self.init(style: registration.style, reuseIdentifier: registration.reuseIdentifier)
  }

  open func defaultContentConfiguration() -> UIListContentConfiguration {
    UIListContentConfiguration(isValue: style == .value1 || style == .value2)
  }

  open var textLabel: UILabel? {
    if madeTextLabel == nil { madeTextLabel = makeLabel() }
    return madeTextLabel
  }

  open var detailTextLabel: UILabel? {
    if madeDetailLabel == nil { madeDetailLabel = makeLabel() }
    return madeDetailLabel
  }

  private func makeLabel() -> UILabel {
    let label = UILabel()
    contentView.addSubview(label)
    return label
  }

  // MARK: What a table asks

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

/// What a table makes a registered cell from.
public struct CellRegistration: Sendable {
  let style: UITableViewCell.CellStyle
  let reuseIdentifier: String
}
