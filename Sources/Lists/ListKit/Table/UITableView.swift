import Foundation
import ListSnapshots

/// A list of rows in sections. Only a window of the rows has cells.
///
/// Source: UIKit, `UITableView`. The table requests cells for the rows that a renderer holds. A
/// batch of updates must follow UIKit's strict rule that the counts add up.
open class UITableView: ListView {
  /// The style of the table: a list, or (both grouped styles) a form.
  public enum Style: Int, Sendable {
    case plain
    case grouped
    case insetGrouped
  }

  /// The animation of changed rows. The renderer decides: the value is ignored.
  public enum RowAnimation: Int, Sendable {
    case fade, right, left, top, bottom, none, middle
    case automatic = 100
  }

  /// The position of a row after scrolling to it. `none` scrolls as little as needed.
  public enum ScrollPosition: Int, Sendable {
    case none, top, middle, bottom
  }

  /// The style that the table was made with.
  public let style: Style
  /// The source of rows and cells. Setting it forgets the known counts.
  open weak var dataSource: (any UITableViewDataSource)? { didSet { forgetCounts() } }
  /// Hears of selection, display and editing.
  open weak var delegate: (any UITableViewDelegate)?
  /// Supplies the items of drags. Rows can be dropped onto rows if both drag and drop delegate are
  /// set.
  open weak var dragDelegate: (any UITableViewDragDelegate)?
  /// Accepts drops onto rows.
  open weak var dropDelegate: (any UITableViewDropDelegate)?

  /// A view before the first row, which scrolls with the rows.
  open var tableHeaderView: UIView? { didSet { exchange(oldValue, for: tableHeaderView) } }
  /// A view after the last row, which scrolls with the rows.
  open var tableFooterView: UIView? { didSet { exchange(oldValue, for: tableFooterView) } }
  /// The height of rows. Stored and not used.
  open var rowHeight: CGFloat = UITableView.automaticDimension
  /// The estimated height of rows. Stored and not used.
  open var estimatedRowHeight: CGFloat = UITableView.automaticDimension

  /// The value of a height that UIKit computes from the content: -1.
  public static let automaticDimension: CGFloat = -1
  /// The title that stands for the search field in an index: `{search}`.
  public static let indexSearch = "{search}"

  var cellClasses: [String: UITableViewCell.Type] = [:]

  /// Makes a table of a style.
  public init(frame: CGRect, style: Style) {
    self.style = style
    super.init(frame: frame)
  }

  public override convenience init(frame: CGRect) { self.init(frame: frame, style: .plain) }

  public required init?(coder: NSCoder) { nil }

  /// Sets `isEditing`; nothing is animated.
  open func setEditing(_ editing: Bool, animated: Bool) { isEditing = editing }

  // MARK: Content

  override func askRowCounts() -> [Int] {
    guard let dataSource else { return [] }
    let sections = dataSource.numberOfSections(in: self)
    return (0..<sections).map { dataSource.tableView(self, numberOfRowsInSection: $0) }
  }
  override func askCell(at path: IndexPath) -> ListCell {
    guard let dataSource else { fatalError("A table view with rows has no data source") }
    return dataSource.tableView(self, cellForRowAt: path)
  }
  override func askIdentifier(at path: IndexPath) -> String? {
    dataSource?.tableView(self, identifierForRowAt: path)
  }
  override package var sharingKey: String? { (dataSource as? any SharedRows)?.sharingKey }
  override func willDisplay(_ cell: ListCell, at path: IndexPath) {
    guard let cell = cell as? UITableViewCell else { return }
    delegate?.tableView(self, willDisplay: cell, forRowAt: path)
  }
  override func didEndDisplaying(_ cell: ListCell, at path: IndexPath) {
    guard let cell = cell as? UITableViewCell else { return }
    delegate?.tableView(self, didEndDisplaying: cell, forRowAt: path)
  }
  override package func headerTitle(inSection section: Int) -> String? {
    dataSource?.tableView(self, titleForHeaderInSection: section)
  }
  override package func footerTitle(inSection section: Int) -> String? {
    dataSource?.tableView(self, titleForFooterInSection: section)
  }
  override package var indexTitles: [String]? { dataSource?.sectionIndexTitles(for: self) }
  override func indexPath(ofIndexTitleAt index: Int) -> IndexPath? {
    guard let dataSource, let titles = indexTitles else { return nil }
    let section = dataSource.tableView(
      self, sectionForSectionIndexTitle: titles[index], at: index)
    return IndexPath(row: NSNotFound, section: section)
  }

  override package var headerView: UIView? { tableHeaderView }
  override package var footerView: UIView? { tableFooterView }
  override package var isForm: Bool { style != .plain }

  // MARK: Interaction

  override func shouldHighlight(_ path: IndexPath) -> Bool {
    delegate?.tableView(self, shouldHighlightRowAt: path) ?? true
  }
  override func willSelect(_ path: IndexPath) -> IndexPath? {
    delegate.map { $0.tableView(self, willSelectRowAt: path) } ?? path
  }
  override func didSelect(_ path: IndexPath) {
    delegate?.tableView(self, didSelectRowAt: path)
  }
  override func willDeselect(_ path: IndexPath) -> IndexPath? {
    delegate.map { $0.tableView(self, willDeselectRowAt: path) } ?? path
  }
  override func didDeselect(_ path: IndexPath) {
    delegate?.tableView(self, didDeselectRowAt: path)
  }

  /// The delegate's actions for a row; without them a Delete action if the row can be edited.
  override package func trailingConfiguration(at path: IndexPath) -> UISwipeActionsConfiguration {
    delegate?.tableView(self, trailingSwipeActionsConfigurationForRowAt: path)
      ?? UISwipeActionsConfiguration(actions: defaultActions(at: path))
  }
  override package func leadingConfiguration(at path: IndexPath) -> UISwipeActionsConfiguration {
    delegate?.tableView(self, leadingSwipeActionsConfigurationForRowAt: path)
      ?? UISwipeActionsConfiguration(actions: [])
  }
  override func willBeginEditing(_ path: IndexPath) {
    delegate?.tableView(self, willBeginEditingRowAt: path)
  }
  override func didEndEditing(_ path: IndexPath) {
    delegate?.tableView(self, didEndEditingRowAt: path)
  }

  override package func canMoveRow(at path: IndexPath) -> Bool {
    dataSource?.tableView(self, canMoveRowAt: path) ?? false
  }
  override func target(ofMoveFrom source: IndexPath, toProposed proposed: IndexPath) -> IndexPath {
    delegate?.tableView(
      self, targetIndexPathForMoveFromRowAt: source, toProposedIndexPath: proposed) ?? proposed
  }
  override func didMove(from source: IndexPath, to target: IndexPath) {
    dataSource?.tableView(self, moveRowAt: source, to: target)
  }

  override package var isDroppable: Bool { dropDelegate != nil && dragDelegate != nil }
  @discardableResult
  override package func drop(_ source: IndexPath, onto target: IndexPath) -> Bool {
    carryOutDrop(source, onto: target)
  }
}

extension UITableView {
  private func defaultActions(at path: IndexPath) -> [UIContextualAction] {
    guard dataSource?.tableView(self, canEditRowAt: path) ?? false,
      delegate?.tableView(self, editingStyleForRowAt: path) ?? .delete == .delete
    else { return [] }
    let title = delegate?.tableView(self, titleForDeleteConfirmationButtonForRowAt: path)
    return [deleteAction(title: title ?? "Delete", at: path)]
  }

  private func deleteAction(title: String, at path: IndexPath) -> UIContextualAction {
    UIContextualAction(style: .destructive, title: title) { [weak self] _, _, done in
      guard let self else { return done(false) }
      dataSource?.tableView(self, commit: .delete, forRowAt: path)
      done(true)
    }
  }
}
