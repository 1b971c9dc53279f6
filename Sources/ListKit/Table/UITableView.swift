import Foundation
import ListSnapshots

/// A list of rows in sections, of which only those near the viewport have cells, whatever its
/// length.
///
/// The renderer says which rows it shows (`showRows`); the table makes cells for these, carries
/// them through batches of updates, and tells the renderer what came, went and moved.
///
/// Source: UIKit, `UITableView`.
open class UITableView: UIView {
  public enum Style: Int, Sendable {
    case plain
    case grouped
    case insetGrouped
  }

  public enum RowAnimation: Int, Sendable {
    case fade, right, left, top, bottom, none, middle
    case automatic = 100
  }

  public enum ScrollPosition: Int, Sendable {
    case none, top, middle, bottom
  }

  public let style: Style
  open weak var dataSource: (any UITableViewDataSource)? { didSet { forgetCounts() } }
  open weak var delegate: (any UITableViewDelegate)?
  open weak var dragDelegate: (any UITableViewDragDelegate)?
  open weak var dropDelegate: (any UITableViewDropDelegate)?

  open var tableHeaderView: UIView? { didSet { exchange(oldValue, for: tableHeaderView) } }
  open var tableFooterView: UIView? { didSet { exchange(oldValue, for: tableFooterView) } }
  /// Shown in place of the rows while there are none.
  open var backgroundView: UIView? { didSet { exchange(oldValue, for: backgroundView) } }

  /// Whether rows can be chosen while the table is not being edited.
  open var allowsSelection = true {
    didSet { if allowsSelection != oldValue { window?.record(.editingChanged(self)) } }
  }
  open var allowsMultipleSelection = false
  open var allowsSelectionDuringEditing = false
  open var rowHeight: CGFloat = UITableView.automaticDimension
  open var estimatedRowHeight: CGFloat = UITableView.automaticDimension
  open var dragInteractionEnabled = true
  public internal(set) var isEditing = false

  public static let automaticDimension: CGFloat = -1
  public static let indexSearch = "{search}"

  /// Called with a batch that does not add up, instead of stopping the process; the table then
  /// reloads everything.
  ///
  /// Not in UIKit, where such a batch is an exception. Left `nil`, it stops the process with
  /// UIKit's text.
  public static var inconsistencyHandler: (@MainActor (TableInconsistency) -> Void)?

  /// Rows per section as of the last reload or update; `nil` until first asked for.
  var knownCounts: TableCounts?
  var cellClasses: [String: UITableViewCell.Type] = [:]
  var idleCells: [String: [UITableViewCell]] = [:]
  var dequeued: (path: IndexPath, identifier: String)?
  var openBatch = TableBatch()
  var openBatches = 0
  var selected: Set<IndexPath> = []
  var lastRowID = 0

  /// The rows that have cells: neighbours, in the order of the table.
  package internal(set) var rows: [TableRow] = []
  /// How many rows the renderer wants to hold.
  var wantedRows = 0
  /// The place in the whole table of the first of `rows`.
  package internal(set) var firstPlace = 0
  /// The place of the first row that the user sees, as the renderer said last; batches keep it
  /// where it is.
  package var anchorPlace = 0

  public init(frame: CGRect, style: Style) {
    self.style = style
    super.init(frame: frame)
  }

  public override convenience init(frame: CGRect) { self.init(frame: frame, style: .plain) }

  public required init?(coder: NSCoder) { nil }

  private func exchange(_ old: UIView?, for new: UIView?) {
    old?.removeFromSuperview()
    if let new { addSubview(new) }
  }

  open func setEditing(_ editing: Bool, animated: Bool) {
    guard editing != isEditing else { return }
    isEditing = editing
    for row in rows { row.cell.isEditing = editing }
    window?.record(.editingChanged(self))
  }
}
