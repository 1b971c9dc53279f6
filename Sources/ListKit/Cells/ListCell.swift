import Foundation

/// What tables and collections make, fill and use again.
///
/// Not in UIKit by this name.
open class ListCell: UIView {
  public let contentView = UIView()

  open var isSelected = false {
    didSet { if isSelected != oldValue { runConfigurationUpdate() } }
  }
  public internal(set) var isEditing = false {
    didSet { if isEditing != oldValue { runConfigurationUpdate() } }
  }
  /// Whether what stands under the cell's item is shown.
  var isExpanded = false {
    didSet { if isExpanded != oldValue { runConfigurationUpdate() } }
  }
  open override var isUserInteractionEnabled: Bool {
    didSet { if isUserInteractionEnabled != oldValue { runConfigurationUpdate() } }
  }

  /// What the cell shows, by value; it takes the place of the labels.
  open var contentConfiguration: (any UIContentConfiguration)? {
    didSet {
      installContentView(replacing: oldValue)
      let isSame = listContent != nil && listContent == oldValue as? UIListContentConfiguration
      if !isSame { setNeedsDisplay() }
    }
  }
  open var backgroundConfiguration: UIBackgroundConfiguration? {
    didSet { if backgroundConfiguration != oldValue { setNeedsDisplay() } }
  }
  open var automaticallyUpdatesContentConfiguration = true
  open var automaticallyUpdatesBackgroundConfiguration = true
  var isUpdatingConfiguration = false
  /// The view of a configuration that is no list content.
  var madeContentView: UIView?

  public override init(frame: CGRect) {
    super.init(frame: frame)
    addSubview(contentView)
  }

  /// Cells are not read from archives here: always `nil`.
  public required init?(coder: NSCoder) { nil }

  /// For subclasses: makes the configurations follow the state.
  open func updateConfiguration(using state: UICellConfigurationState) {}

  /// Called before a cell is handed out again.
  open func prepareForReuse() {}

  // MARK: Questions to the kinds of cells

  /// Under what it is kept when it is out of use; `nil` for a cell that is not used again.
  var reuseKey: String? { nil }
  /// The client's handler of the state.
  func runUpdateHandler(_ state: UICellConfigurationState) {}
  /// What stands at the row's end.
  package var accessory: RowContent.Accessory { .none }
  /// Whether the row shows the grip by which it can be moved.
  package var hasGrip: Bool { true }
  /// The views beside `contentView` that are used where they stand.
  var leadingAccessories: [UIView] { [] }
  var trailingAccessories: [UIView] { [] }
  /// Fills in what the labels of the cell say; a list content configuration comes before them.
  func fillLabels(of content: inout RowContent) {}
  /// How deep it stands.
  var indentation: Int { 0 }
  /// In a tree; `nil` elsewhere.
  var outline: RowContent.Outline? { nil }
  /// The title is a small label before its value.
  var isLabelled: Bool { false }
}
