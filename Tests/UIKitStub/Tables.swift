@MainActor open class UITableViewCell: UIView {
  public enum CellStyle: Int, Sendable { case `default`, value1, value2, subtitle }
  public enum AccessoryType: Int, Sendable {
    case none, disclosureIndicator, detailDisclosureButton, checkmark, detailButton
  }
  public enum EditingStyle: Int, Sendable { case none, delete, insert }
  public enum SelectionStyle: Int, Sendable { case none, blue, gray, `default` }

  public init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) { stub() }
  public required init?(coder: NSCoder) { stub() }
  open var contentView: UIView { stub() }
  open var textLabel: UILabel? { stub() }
  open var detailTextLabel: UILabel? { stub() }
  open var reuseIdentifier: String? { stub() }
  open var accessoryType: AccessoryType = .none
  open var accessoryView: UIView?
  open var selectionStyle: SelectionStyle = .default
  open var showsReorderControl = false
  open func prepareForReuse() { stub() }
  open func defaultContentConfiguration() -> UIListContentConfiguration { stub() }
}
extension UITableViewCell {
  public var contentConfiguration: (any UIContentConfiguration)? {
    get { stub() }
    set { stub() }
  }
}

@MainActor public protocol UIContentConfiguration {}
public struct UIListContentConfiguration: UIContentConfiguration, Hashable, Sendable {
  public static func cell() -> UIListContentConfiguration { stub() }
  public static func subtitleCell() -> UIListContentConfiguration { stub() }
  public static func valueCell() -> UIListContentConfiguration { stub() }
  public static func plainHeader() -> UIListContentConfiguration { stub() }
  public var text: String?
  public var secondaryText: String?
  public var image: UIImage?
}

@MainActor open class UITableView: UIView {
  public enum Style: Int, Sendable { case plain, grouped, insetGrouped }
  public enum ScrollPosition: Int, Sendable { case none, top, middle, bottom }
  public enum RowAnimation: Int, Sendable {
    case fade, right, left, top, bottom, none, middle
    case automatic = 100
  }
  public init(frame: CGRect, style: UITableView.Style) { stub() }
  public required init?(coder: NSCoder) { stub() }
  open var style: UITableView.Style { stub() }
  open weak var dataSource: (any UITableViewDataSource)?
  open weak var delegate: (any UITableViewDelegate)?
  open weak var dragDelegate: (any UITableViewDragDelegate)?
  open weak var dropDelegate: (any UITableViewDropDelegate)?
  open var tableHeaderView: UIView?
  open var tableFooterView: UIView?
  open var backgroundView: UIView?
  open var allowsSelection = true
  open var allowsMultipleSelection = false
  open var allowsSelectionDuringEditing = false
  open var isEditing = false
  open func setEditing(_ editing: Bool, animated: Bool) { stub() }
  open var numberOfSections: Int { stub() }
  open func numberOfRows(inSection section: Int) -> Int { stub() }
  open func cellForRow(at indexPath: IndexPath) -> UITableViewCell? { stub() }
  open func indexPath(for cell: UITableViewCell) -> IndexPath? { stub() }
  open var visibleCells: [UITableViewCell] { stub() }
  open var indexPathsForVisibleRows: [IndexPath]? { stub() }
  open var indexPathForSelectedRow: IndexPath? { stub() }
  open var indexPathsForSelectedRows: [IndexPath]? { stub() }
  open func selectRow(
    at indexPath: IndexPath?, animated: Bool, scrollPosition: UITableView.ScrollPosition
  ) { stub() }
  open func deselectRow(at indexPath: IndexPath, animated: Bool) { stub() }
  open func scrollToRow(
    at indexPath: IndexPath, at scrollPosition: UITableView.ScrollPosition, animated: Bool
  ) { stub() }
  open func reloadData() { stub() }
  open func beginUpdates() { stub() }
  open func endUpdates() { stub() }
  open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
    stub()
  }
  open func insertRows(at indexPaths: [IndexPath], with animation: UITableView.RowAnimation) {
    stub()
  }
  open func deleteRows(at indexPaths: [IndexPath], with animation: UITableView.RowAnimation) {
    stub()
  }
  open func reloadRows(at indexPaths: [IndexPath], with animation: UITableView.RowAnimation) {
    stub()
  }
  open func reconfigureRows(at indexPaths: [IndexPath]) { stub() }
  open func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) { stub() }
  open func insertSections(_ sections: IndexSet, with animation: UITableView.RowAnimation) {
    stub()
  }
  open func deleteSections(_ sections: IndexSet, with animation: UITableView.RowAnimation) {
    stub()
  }
  open func reloadSections(_ sections: IndexSet, with animation: UITableView.RowAnimation) {
    stub()
  }
  open func moveSection(_ section: Int, toSection newSection: Int) { stub() }
  open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) { stub() }
  open func dequeueReusableCell(withIdentifier identifier: String) -> UITableViewCell? { stub() }
  open func dequeueReusableCell(
    withIdentifier identifier: String, for indexPath: IndexPath
  ) -> UITableViewCell { stub() }
}

@MainActor
open class UITableViewController: UIViewController, UITableViewDataSource,
  UITableViewDelegate
{
  public init(style: UITableView.Style) { stub() }
  public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { stub() }
  public required init?(coder: NSCoder) { stub() }
  open var tableView: UITableView! = nil
  open var clearsSelectionOnViewWillAppear = true

  // In Objective-C a subclass overrides what a protocol has as optional; in Swift the class must have it.
  open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    stub()
  }
  open func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath)
    -> UITableViewCell
  { stub() }
  open func numberOfSections(in tableView: UITableView) -> Int { stub() }
  open func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
    stub()
  }
  open func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? {
    stub()
  }
  open func sectionIndexTitles(for tableView: UITableView) -> [String]? { stub() }
  open func tableView(
    _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
  ) -> Int { stub() }
  open func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
    stub()
  }
  open func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
    stub()
  }
  open func tableView(
    _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
    forRowAt indexPath: IndexPath
  ) { stub() }
  open func tableView(
    _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath
  ) { stub() }
  open func tableView(
    _ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath
  ) { stub() }
  open func tableView(
    _ tableView: UITableView, didEndDisplaying cell: UITableViewCell,
    forRowAt indexPath: IndexPath
  ) { stub() }
  open func tableView(_ tableView: UITableView, shouldHighlightRowAt indexPath: IndexPath) -> Bool {
    stub()
  }
  open func tableView(_ tableView: UITableView, willSelectRowAt indexPath: IndexPath) -> IndexPath?
  { stub() }
  open func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) { stub() }
  open func tableView(_ tableView: UITableView, willDeselectRowAt indexPath: IndexPath)
    -> IndexPath?
  { stub() }
  open func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath) { stub() }
  open func tableView(_ tableView: UITableView, editingStyleForRowAt indexPath: IndexPath)
    -> UITableViewCell.EditingStyle
  { stub() }
  open func tableView(
    _ tableView: UITableView, titleForDeleteConfirmationButtonForRowAt indexPath: IndexPath
  ) -> String? { stub() }
  open func tableView(
    _ tableView: UITableView, leadingSwipeActionsConfigurationForRowAt indexPath: IndexPath
  ) -> UISwipeActionsConfiguration? { stub() }
  open func tableView(
    _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
  ) -> UISwipeActionsConfiguration? { stub() }
  open func tableView(_ tableView: UITableView, willBeginEditingRowAt indexPath: IndexPath) {
    stub()
  }
  open func tableView(_ tableView: UITableView, didEndEditingRowAt indexPath: IndexPath?) { stub() }
  open func tableView(
    _ tableView: UITableView, targetIndexPathForMoveFromRowAt sourceIndexPath: IndexPath,
    toProposedIndexPath proposedDestinationIndexPath: IndexPath
  ) -> IndexPath { stub() }
}

@MainActor open class UIContextualAction: NSObject {
  public enum Style: Int, Sendable { case normal, destructive }
  public typealias Handler =
    @MainActor (UIContextualAction, UIView, @escaping @MainActor (Bool) -> Void) -> Void
  public convenience init(
    style: UIContextualAction.Style, title: String?, handler: @escaping Handler
  ) { stub() }
  open var title: String?
  open var image: UIImage?
}
@MainActor open class UISwipeActionsConfiguration: NSObject {
  public convenience init(actions: [UIContextualAction]) { stub() }
  open var performsFirstActionWithFullSwipe = true
}

public protocol UIDragSession: NSObjectProtocol {}
public protocol UIDropSession: NSObjectProtocol {}
public final class NSItemProvider: NSObject {}
@MainActor open class UIDragItem: NSObject {
  public init(itemProvider: NSItemProvider) { stub() }
  open var localObject: Any?
}
public enum UIDropOperation: UInt, Sendable { case cancel, forbidden, copy, move }
@MainActor open class UITableViewDropProposal: NSObject {
  public enum Intent: Int, Sendable {
    case unspecified, insertAtDestinationIndexPath, insertIntoDestinationIndexPath, automatic
  }
  public init(operation: UIDropOperation, intent: Intent) { stub() }
}
@MainActor public protocol UITableViewDropItem: NSObjectProtocol {
  var dragItem: UIDragItem { get }
  var sourceIndexPath: IndexPath? { get }
}
@MainActor public protocol UITableViewDropCoordinator: NSObjectProtocol {
  var items: [any UITableViewDropItem] { get }
  var destinationIndexPath: IndexPath? { get }
}
