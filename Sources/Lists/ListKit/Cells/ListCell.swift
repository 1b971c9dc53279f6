import Foundation

/// A cell of a table or a collection, reused for several rows.
///
/// Not in UIKit by this name: the common superclass of `UITableViewCell` and
/// `UICollectionReusableView`.
open class ListCell: UIView {
  /// The view that holds the cell's own subviews.
  public let contentView = UIView()

  /// Whether the row is selected. The table or the collection sets it.
  open var isSelected = false {
    didSet { if isSelected != oldValue { runConfigurationUpdate() } }
  }
  /// Whether the table or the collection is in editing mode.
  public internal(set) var isEditing = false {
    didSet { if isEditing != oldValue { runConfigurationUpdate() } }
  }
  /// Whether the children of the cell's outline item are shown.
  var isExpanded = false {
    didSet { if isExpanded != oldValue { runConfigurationUpdate() } }
  }
  open override var isUserInteractionEnabled: Bool {
    didSet { if isUserInteractionEnabled != oldValue { runConfigurationUpdate() } }
  }

  /// The content by value. It is drawn instead of the labels.
  open var contentConfiguration: (any UIContentConfiguration)? {
    didSet {
      installContentView(replacing: oldValue)
      let isSame = listContent != nil && listContent == oldValue as? UIListContentConfiguration
      if !isSame { setNeedsDisplay() }
    }
  }
  /// The background by value; `nil` is that of the list's style.
  open var backgroundConfiguration: UIBackgroundConfiguration? {
    didSet { if backgroundConfiguration != oldValue { setNeedsDisplay() } }
  }
  /// Whether `contentConfiguration` is replaced by its `updated(for:)` when the state changes.
  open var automaticallyUpdatesContentConfiguration = true
  /// Whether `backgroundConfiguration` is replaced by its `updated(for:)` when the state changes.
  open var automaticallyUpdatesBackgroundConfiguration = true
  /// What choosing the row adds to the number at its trailing edge, 0 for nothing: a page draws the
  /// sum before the answer. Not in UIKit: on Apple's platforms write a property of that name.
  open var choosingAdds = 0
  var isUpdatingConfiguration = false
  /// The content view of a configuration other than `UIListContentConfiguration`.
  var madeContentView: UIView?

  public override init(frame: CGRect) {
    super.init(frame: frame)
    addSubview(contentView)
  }

  /// Cells are not read from archives here: always `nil`.
  public required init?(coder: NSCoder) { nil }

  /// Override point for subclasses: adapts the configurations to the state.
  open func updateConfiguration(using state: UICellConfigurationState) {}

  /// Called before the cell is reused for another row.
  open func prepareForReuse() {}

  // MARK: Queries

  /// The key of the reuse pool; `nil` for a cell that is not reused.
  var reuseKey: String? { nil }
  /// Runs the client's `configurationUpdateHandler`.
  func runUpdateHandler(_ state: UICellConfigurationState) {}
  /// The sign at the row's trailing edge.
  package var accessory: RowContent.Accessory { .none }
  /// Whether the row shows the grip by which it can be moved.
  package var hasGrip: Bool { true }
  /// Controls beside `contentView`, by edge.
  var leadingAccessories: [UIView] { [] }
  var trailingAccessories: [UIView] { [] }
  /// Copies the texts of the cell's labels to `content`. Not called for a cell with a
  /// `UIListContentConfiguration`.
  func fillLabels(of content: inout RowContent) {}
  /// The indentation level.
  var indentation: Int { 0 }
  /// The state of the row in an outline; `nil` elsewhere.
  var outline: RowContent.Outline? { nil }
  /// Whether the title is a small label before its value.
  var isLabelled: Bool { false }
}
