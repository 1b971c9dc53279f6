import CoreData
import ListApplication
import ListData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// The list of one item's children.
final class ItemViewController: UITableViewController {
  let parentItem: Item
  let context: NSManagedObjectContext
  private(set) var dataSource: FetchedResultsControllerDataSource<Item>?
  private let newItemField = UITextField()
  private lazy var undoButtons = UndoButtons(context: context)
  private var changes: NotificationObservation?

  init(parentItem: Item, context: NSManagedObjectContext) {
    self.parentItem = parentItem
    self.context = context
    super.init(style: .plain)
    title = parentItem.title
    restorationIdentifier = parentItem.restorationIdentifier
  }

  required init?(coder: NSCoder) { nil }

  override var undoManager: UndoManager? { context.undoManager }

  override func viewDidLoad() {
    super.viewDidLoad()
    setUpNewItemField()
    tableView.register(ItemCell.self, forCellReuseIdentifier: "Item")
    let dataSource = FetchedResultsControllerDataSource<Item>(
      tableView: tableView, reuseIdentifier: "Item")
    self.dataSource = dataSource
    dataSource.delegate = self
    dataSource.sharesRows = true
    dataSource.onError = { [weak self] error in self?.show(error) }
    dataSource.fetchedResultsController = parentItem.childrenController()
    tableView.dragDelegate = self
    tableView.dropDelegate = self
    navigationItem.rightBarButtonItems = undoButtons.items + [outlineButton]
    followParent()
  }

  override func viewWillAppear(_ animated: Bool) {
    super.viewWillAppear(animated)
    dataSource?.isPaused = false
  }

  override func viewWillDisappear(_ animated: Bool) {
    super.viewWillDisappear(animated)
    dataSource?.isPaused = true
  }

  // MARK: - Rows

  override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    if let item = dataSource?.object(at: indexPath) { show(item) }
  }

  func show(_ item: Item) {
    let list = ItemViewController(parentItem: item, context: context)
    columnsController?.showNext(list, from: self)
  }

  override func tableView(
    _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
  ) -> UISwipeActionsConfiguration? {
    dataSource?.object(at: indexPath).map(swipeActions)
  }

  // MARK: - Outline

  private var outlineButton: UIBarButtonItem {
    UIBarButtonItem(
      title: "Outline",
      primaryAction: UIAction(title: "Outline") { [weak self] _ in
        self?.showOutline()
      })
  }

  func showOutline() {
    let outline = OutlineViewController(parentItem: parentItem, context: context)
    navigationController?.pushViewController(outline, animated: true)
  }

  // MARK: - Adding

  private func setUpNewItemField() {
    newItemField.placeholder = "New item"
    newItemField.accessibilityLabel = "New item"
    newItemField.returnKeyType = .done
    newItemField.delegate = self
    tableView.tableHeaderView = newItemField
    let emptyView = EmptyView(frame: .zero)
    emptyView.show(
      "Nothing in this list yet",
      explanation: "What there is to do stands here, and every item is a list of its own.",
      action: UIAction(title: "Type the first item") { [weak self] _ in
        self?.newItemField.becomeFirstResponder()
      })
    tableView.backgroundView = emptyView
  }

  private func addItem(_ title: String) {
    guard !isGone else { return showToast("The list was deleted. You typed: \(title)") }
    let item = Item.insertItem(title: title, parent: parentItem, after: lastItem, in: context)
    // A permanent ID makes the item addressable. If obtaining it fails, the next save makes it so.
    try? context.obtainPermanentIDs(for: [item])
    name("Add", item)
    context.processPendingChanges()
    guard let path = dataSource?.fetchedResultsController?.indexPath(forObject: item) else {
      return
    }
    tableView.scrollToRow(at: path, at: .none, animated: true)
  }

  private var lastItem: Item? {
    guard let controller = dataSource?.fetchedResultsController,
      let count = controller.sections?.first?.numberOfObjects, count > 0
    else { return nil }
    return controller.object(at: IndexPath(row: count - 1, section: 0))
  }

  // MARK: - Undo and errors

  /// Names the last action for the Undo button.
  func name(_ action: String, _ item: Item, _ title: String? = nil) {
    context.undoManager?.setActionName("\(action) “\(title ?? item.title ?? "")”")
  }

  func show(_ error: any Error) {
    showToast(words(for: error))
  }

  // MARK: - Changes of the list itself

  private func followParent() {
    changes = NotificationObservation(
      of: .NSManagedObjectContextObjectsDidChange, object: context
    ) { [weak self] _ in self?.parentMayHaveChanged() }
  }

  private var isGone: Bool { parentItem.isDeleted || parentItem.managedObjectContext == nil }

  private func parentMayHaveChanged() {
    if isGone { return leave() }
    if title != parentItem.title { title = parentItem.title }
  }

  /// Leaves the page after another window or an undo has deleted its list.
  private func leave() {
    guard let columnsController else { return }
    if columnsController.viewController(for: .primary) === self {
      return beginAnew(columnsController)
    }
    columnsController.leave(self)
  }
}

extension ItemViewController {
  /// Shows a new root after another process has deleted the root with its contents.
  private func beginAnew(_ columnsController: ColumnsController) {
    changes = nil
    dataSource?.isPaused = true
    // Deferred: the notification about the deletion is still being delivered.
    DispatchQueue.main.async { [context, title] in
      MainActor.assumeIsolated {
        do {
          let root = try Store(managedObjectContext: context).rootItem()
          let list = ItemViewController(parentItem: root, context: context)
          columnsController.beginAnew(with: list)
          list.showToast("Another program has deleted “\(title ?? "")” with all that was in it.")
        } catch {
          self.show(error)
        }
      }
    }
  }
}

extension ItemViewController: ColumnList {
  func indexPath(ofRowLeadingTo identifier: String) -> IndexPath? {
    context.object(withRestorationIdentifier: identifier[...], entity: "Item", as: Item.self)
      .flatMap { dataSource?.fetchedResultsController?.indexPath(forObject: $0) }
  }
}

extension ItemViewController: UITextFieldDelegate {
  /// Return in the field above the list adds an item.
  func textFieldShouldReturn(_ textField: UITextField) -> Bool {
    let title = (textField.text ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    textField.text = ""
    if !title.isEmpty { addItem(title) }
    return false
  }
}
