import Foundation
import ListSnapshots

/// What tables and collections share: sections of rows of which a window has cells, batches of
/// updates, selection, and what a renderer asks.
///
/// Not in UIKit by this name. A subclass says where the answers come from: it overrides the
/// questions at the end, which are put to its data source, its delegate or its layout.
open class ListView: UIView {
  /// Shown in place of the rows while there are none.
  open var backgroundView: UIView? { didSet { exchange(oldValue, for: backgroundView) } }

  /// The user's way to ask for the content anew.
  open var refreshControl: UIRefreshControl? {
    didSet { exchange(oldValue, for: refreshControl) }
  }

  /// Whether rows can be chosen while the list is not being edited.
  open var allowsSelection = true {
    didSet { if allowsSelection != oldValue { window?.record(.editingChanged(self)) } }
  }
  open var allowsMultipleSelection = false
  open var allowsSelectionDuringEditing = false
  open var dragInteractionEnabled = true
  open var isEditing = false {
    didSet {
      guard isEditing != oldValue else { return }
      for row in rows { row.cell.isEditing = isEditing }
      window?.record(.editingChanged(self))
    }
  }

  /// Called with a batch that does not add up, instead of stopping the process; the list then
  /// reloads everything.
  ///
  /// Not in UIKit, where such a batch is an exception. Left `nil`, it stops the process with
  /// UIKit's text.
  public static var inconsistencyHandler: (@MainActor (ListInconsistency) -> Void)?

  /// Rows per section as of the last reload or update; `nil` until first asked for.
  var knownCounts: ListCounts?
  /// Cells out of use, by what they were registered under.
  var idleCells: [String: [ListCell]] = [:]
  var dequeued: (path: IndexPath, identifier: String)?
  var openBatch = ListBatch()
  var openBatches = 0
  var selected: Set<IndexPath> = []
  var lastRowID = 0

  /// The rows that have cells: neighbours, in the order of the list.
  package internal(set) var rows: [ListRow] = []
  /// How many rows the renderer wants to hold.
  var wantedRows = 0
  /// The place in the whole list of the first of `rows`.
  package internal(set) var firstPlace = 0
  /// The place of the first row that the user sees, as the renderer said last; batches keep it
  /// where it is.
  package var anchorPlace = 0

  public override init(frame: CGRect) { super.init(frame: frame) }
  public required init?(coder: NSCoder) { nil }

  func exchange(_ old: UIView?, for new: UIView?) {
    old?.removeFromSuperview()
    if let new { addSubview(new) }
  }

  // MARK: Questions: what there is

  /// What the list and its rows are called in UIKit's texts.
  var words: ListWords { .table }
  /// The rows of each section, asked for anew; none without a data source.
  func askRowCounts() -> [Int] { [] }
  func askCell(at path: IndexPath) -> ListCell {
    fatalError("\(type(of: self)) has rows and no data source")
  }
  /// A name that the row keeps; `nil` has one made up.
  func askIdentifier(at path: IndexPath) -> String? { nil }
  func willDisplay(_ cell: ListCell, at path: IndexPath) {}
  func didEndDisplaying(_ cell: ListCell, at path: IndexPath) {}

  package func headerTitle(inSection section: Int) -> String? { nil }
  package func footerTitle(inSection section: Int) -> String? { nil }
  package var indexTitles: [String]? { nil }
  /// The row that a title of the index leads to; its number is `NSNotFound` for the section itself.
  func indexPath(ofIndexTitleAt index: Int) -> IndexPath? { nil }

  // MARK: Questions: looks

  /// Views before and after the rows, which scroll with them.
  package var headerView: UIView? { nil }
  package var footerView: UIView? { nil }
  /// A form has its sections in groups, and controls that are open to be used.
  package var isForm: Bool { false }
  /// How the rows of a section stand side by side; `nil` for one below the other.
  package func grid(inSection section: Int) -> ListGrid? { nil }

  // MARK: Questions: what the user may do

  func shouldHighlight(_ path: IndexPath) -> Bool { true }
  func willSelect(_ path: IndexPath) -> IndexPath? { path }
  func didSelect(_ path: IndexPath) {}
  func willDeselect(_ path: IndexPath) -> IndexPath? { path }
  func didDeselect(_ path: IndexPath) {}

  /// Opens or closes what stands under a row in a tree.
  package func toggleRow(at path: IndexPath) {}
  /// The row that another one stands under.
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
  /// The list has moved the row: the model follows.
  func didMove(from source: IndexPath, to target: IndexPath) {}

  /// Whether a row can be dropped onto another one.
  package var isDroppable: Bool { false }
  /// Carries a drop out. False when it is refused.
  @discardableResult
  package func drop(_ source: IndexPath, onto target: IndexPath) -> Bool { false }
}

/// What UIKit's texts call a list and its rows.
package struct ListWords: Sendable {
  package let view: String
  package let row: String

  package static let table = Self(view: "table view", row: "row")
  package static let collection = Self(view: "collection view", row: "item")
}
