import Foundation
import ListSnapshots

/// Common superclass of tables and collections: sections of rows of which a window has cells,
/// batches of updates, selection, and queries by renderers.
///
/// Not in UIKit by this name. Subclasses override the queries at the end and answer them by their
/// data source, delegate or layout.
open class ListView: UIView {
  /// A view that is shown instead of the rows while there are none.
  open var backgroundView: UIView? { didSet { exchange(oldValue, for: backgroundView) } }

  /// The control by which the user reloads the content.
  open var refreshControl: UIRefreshControl? {
    didSet { exchange(oldValue, for: refreshControl) }
  }

  /// Whether the user can select rows outside of editing mode. True by default.
  open var allowsSelection = true {
    didSet { if allowsSelection != oldValue { window?.record(.editingChanged(self)) } }
  }
  /// Whether several rows can be selected. False by default.
  open var allowsMultipleSelection = false
  /// Whether the user can select rows in editing mode. False by default.
  open var allowsSelectionDuringEditing = false
  /// Whether the user can drag rows. Stored and not used.
  open var dragInteractionEnabled = true
  /// Whether the list is in editing mode.
  open var isEditing = false {
    didSet {
      guard isEditing != oldValue else { return }
      for row in rows { row.cell.isEditing = isEditing }
      window?.record(.editingChanged(self))
    }
  }

  /// Called with a batch whose counts do not add up, after which the list reloads everything.
  ///
  /// Not in UIKit, which raises an exception for such a batch. While this is `nil`, the list traps
  /// with UIKit's text.
  public static var inconsistencyHandler: (@MainActor (ListInconsistency) -> Void)?

  /// Rows per section as of the last reload or update; `nil` until first read.
  var knownCounts: ListCounts?
  /// The reuse pool: unused cells by their reuse key.
  var idleCells: [String: [ListCell]] = [:]
  var dequeued: (path: IndexPath, identifier: String)?
  var openBatch = ListBatch()
  var openBatches = 0
  var selected: Set<IndexPath> = []
  var lastRowID = 0
  /// While the list reloads, the names of rows whose cells are their own.
  var ownRows: [ObjectIdentifier: String] = [:]

  /// The rows of the window, which have cells: neighbours, in the order of the list.
  package internal(set) var rows: [ListRow] = []
  /// Whether more rows than these are on their way: their number is not that of the list.
  package var isPart = false
  /// The number of rows that the renderer wants to hold.
  package internal(set) var wantedRows = 0
  /// The offset of the first of `rows` in the whole list.
  package internal(set) var firstPlace = 0
  /// The offset of the topmost visible row, set by the renderer. Batches keep this row at its
  /// position on screen.
  package var anchorPlace = 0

  public override init(frame: CGRect) { super.init(frame: frame) }
  public required init?(coder: NSCoder) { nil }

  func exchange(_ old: UIView?, for new: UIView?) {
    old?.removeFromSuperview()
    if let new { addSubview(new) }
  }

  // MARK: Queries: content

  /// The names of the list and its rows in UIKit's texts.
  var words: ListWords { .table }
  /// The number of rows of each section, read from the data source; none without one.
  func askRowCounts() -> [Int] { [] }
  func askCell(at path: IndexPath) -> ListCell {
    fatalError("\(type(of: self)) has rows and no data source")
  }
  /// A name that moves of the row do not change; with `nil` the list makes one.
  func askIdentifier(at path: IndexPath) -> String? { nil }
  func willDisplay(_ cell: ListCell, at path: IndexPath) {}
  func didEndDisplaying(_ cell: ListCell, at path: IndexPath) {}

  package func headerTitle(inSection section: Int) -> String? { nil }
  package func footerTitle(inSection section: Int) -> String? { nil }
  package var indexTitles: [String]? { nil }
  /// The row that a title of the index leads to; its `row` is `NSNotFound` for the section itself.
  func indexPath(ofIndexTitleAt index: Int) -> IndexPath? { nil }

  /// Equal for lists that show the same rows in all windows; nil for a list that may be its
  /// window's own.
  package var sharingKey: String? { nil }

  // MARK: Queries: appearance

  /// Views before and after the rows, which scroll with them.
  package var headerView: UIView? { nil }
  package var footerView: UIView? { nil }
  /// Whether the list is a form: its sections are drawn as groups, its controls are open for input.
  package var isForm: Bool { false }
  /// The layout of a section's rows side by side; `nil` for rows one below the other.
  package func grid(inSection section: Int) -> ListGrid? { nil }

  // MARK: Queries: interaction

  func shouldHighlight(_ path: IndexPath) -> Bool { true }
  func willSelect(_ path: IndexPath) -> IndexPath? { path }
  func didSelect(_ path: IndexPath) {}
  func willDeselect(_ path: IndexPath) -> IndexPath? { path }
  func didDeselect(_ path: IndexPath) {}

  /// Expands or collapses a row of an outline for the user.
  package func toggleRow(at path: IndexPath) {}
  /// The parent of a row in an outline.
  package func parentOfRow(at path: IndexPath) -> IndexPath? { nil }

  package func trailingConfiguration(at path: IndexPath) -> UISwipeActionsConfiguration {
    UISwipeActionsConfiguration(actions: [])
  }
  package func leadingConfiguration(at path: IndexPath) -> UISwipeActionsConfiguration {
    UISwipeActionsConfiguration(actions: [])
  }
  func willBeginEditing(_ path: IndexPath) {}
  func didEndEditing(_ path: IndexPath) {}

  package func canMoveRow(at path: IndexPath) -> Bool { false }
  func target(ofMoveFrom source: IndexPath, toProposed proposed: IndexPath) -> IndexPath {
    proposed
  }
  /// Updates the model after the list has moved a row.
  func didMove(from source: IndexPath, to target: IndexPath) {}

  /// Whether rows can be dropped onto rows.
  package var isDroppable: Bool { false }
  /// Carries a drop out. Returns false when it is refused.
  @discardableResult
  package func drop(_ source: IndexPath, onto target: IndexPath) -> Bool { false }
}

/// The names of a list and its rows in UIKit's texts.
package struct ListWords: Sendable {
  package let view: String
  package let row: String

  package static let table = Self(view: "table view", row: "row")
  package static let collection = Self(view: "collection view", row: "item")
}
