import CoreData
import ListApplication
import ListData
import ListKit
import SwiftData

/// The list of one item's children: a fetched results controller's objects, each shown as its
/// model.
final class ItemsViewController: UITableViewController {
  private let item: Item
  private let context: ModelContext
  private let newItemField = UITextField()
  private let items: NSFetchedResultsController<NSManagedObject>
  private var dataSource: FetchedResultsControllerDataSource<NSManagedObject>?
  private lazy var undoButtons = UndoButtons(context: context.managedObjectContext)
  private var changes: NotificationObservation?

  init(_ item: Item, in context: ModelContext) throws {
    self.item = item
    self.context = context
    items = try context.fetchedResultsController(for: item.childrenInOrder)
    super.init(style: .plain)
    title = item.title
  }

  required init?(coder: NSCoder) { nil }

  override var undoManager: UndoManager? { context.undoManager }

  override func viewDidLoad() {
    super.viewDidLoad()
    tableView.register(ItemCell.self, forCellReuseIdentifier: "Item")
    let dataSource = FetchedResultsControllerDataSource<NSManagedObject>(
      tableView: tableView, reuseIdentifier: "Item")
    self.dataSource = dataSource
    dataSource.delegate = self
    dataSource.fetchedResultsController = items
    newItemField.placeholder = "New item"
    newItemField.accessibilityLabel = "New item"
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
    navigationItem.rightBarButtonItems = undoButtons.items
    followItem()
  }

  // MARK: - The list itself may change or go

  private var isGone: Bool { item.isDeleted || item.modelContext == nil }

  private func followItem() {
    changes = NotificationObservation(
      of: .NSManagedObjectContextObjectsDidChange, object: context.managedObjectContext
    ) { [weak self] _ in self?.itemMayHaveChanged() }
  }

  private func itemMayHaveChanged() {
    if isGone { return leave() }
    if title != item.title { title = item.title }
  }

  /// Another window, another program, or an undo, has deleted the list that is shown.
  private func leave() {
    guard let navigationController,
      let index = navigationController.viewControllers.firstIndex(of: self)
    else { return }
    if index == 0 { return beginAnew(navigationController) }
    navigationController.popToViewController(
      navigationController.viewControllers[index - 1], animated: true)
  }

  /// Another program has deleted the first list of all, with all that was in it.
  private func beginAnew(_ navigationController: UINavigationController) {
    changes = nil
    // The deletion is still being told.
    DispatchQueue.main.async { [context, title] in
      MainActor.assumeIsolated {
        guard let list = try? ItemsViewController(Item.root(in: context), in: context) else {
          return
        }
        navigationController.setViewControllers([list], animated: false)
        list.showToast("Another program has deleted “\(title ?? "")” with all that was in it.")
      }
    }
  }

  override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    if let object = dataSource?.object(at: indexPath) { show(object) }
  }

  private func show(_ object: NSManagedObject) {
    guard let child: Item = context.model(of: object),
      let list = try? ItemsViewController(child, in: context)
    else { return }
    list.restorationIdentifier = object.restorationIdentifier
    navigationController?.pushViewController(list, animated: true)
  }

  override func tableView(
    _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
  ) -> UISwipeActionsConfiguration? {
    guard let object = dataSource?.object(at: indexPath) else { return nil }
    let delete = UIContextualAction(style: .destructive, title: "Delete") {
      [weak self] _, _, done in
      self?.delete(object)
      done(true)
    }
    return UISwipeActionsConfiguration(actions: [delete])
  }

  private func done(_ action: String, _ title: String) {
    context.undoManager?.setActionName("\(action) “\(title)”")
    context.processPendingChanges()
  }
}

extension ItemsViewController: FetchedResultsControllerDataSourceDelegate {
  func configure(_ cell: UITableViewCell, with object: NSManagedObject) {
    guard let item: Item = context.model(of: object) else { return }
    cell.restorationIdentifier = object.restorationIdentifier
    (cell as? ItemCell)?.show(item) { [weak self] title in
      guard !item.isDeleted else { return }
      item.title = title
      self?.done("Rename", title)
    }
  }

  func delete(_ object: NSManagedObject) {
    guard let item: Item = context.model(of: object) else { return }
    let title = item.title
    context.delete(item)
    done("Delete", title)
    tellDeleted(
      title, undoManager: context.undoManager, undo: context.managedObjectContext.undo)
  }

  func canMove(_ object: NSManagedObject) -> Bool { true }

  func move(_ object: NSManagedObject, from source: IndexPath, to destination: IndexPath) {
    guard let moved: Item = context.model(of: object) else { return }
    var siblings = (try? context.fetch(item.childrenInOrder)) ?? []
    siblings.removeAll { $0 === moved }
    siblings.insert(moved, at: min(destination.row, siblings.count))
    for (place, sibling) in siblings.enumerated() where sibling.order != place {
      sibling.order = place
    }
    done("Move", moved.title)
  }
}

extension ItemsViewController: UITextFieldDelegate {
  /// Return in the field above the list adds an item.
  func textFieldShouldReturn(_ textField: UITextField) -> Bool {
    let title = (textField.text ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    textField.text = ""
    guard !title.isEmpty else { return false }
    if isGone {
      showToast("The list was deleted. You typed: \(title)")
      return false
    }
    let last = (try? context.fetch(item.childrenInOrder))?.last
    context.insert(Item(title: title, order: (last?.order ?? -1) + 1, parent: item))
    done("Add", title)
    // So that the item has an address.
    try? context.save()
    return false
  }
}

extension ItemsViewController: ScreenRestoration {
  func showScreen(withRestorationIdentifier identifier: String) -> Bool {
    let object = items.fetchedObjects?.first { $0.restorationIdentifier == identifier }
    if let object { show(object) }
    return object != nil
  }
}

/// A row: a title that is edited in place, and the number of items in its list.
final class ItemCell: UITableViewCell, UITextFieldDelegate {
  private let nameField = UITextField()
  private let countLabel = UILabel()
  private var shownTitle = ""
  private var rename: (String) -> Void = { _ in }

  override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
    super.init(style: style, reuseIdentifier: reuseIdentifier)
    nameField.delegate = self
    contentView.addSubview(nameField)
    accessoryType = .disclosureIndicator
  }

  required init?(coder: NSCoder) { nil }

  func show(_ item: Item, rename: @escaping (String) -> Void) {
    self.rename = rename
    shownTitle = item.title
    nameField.text = shownTitle
    countLabel.text = item.children.isEmpty ? nil : "\(item.children.count)"
    accessoryView = item.children.isEmpty ? nil : countLabel
  }

  func textFieldDidEndEditing(_ textField: UITextField) {
    let title = (textField.text ?? "").trimmingCharacters(in: .whitespaces)
    textField.text = shownTitle
    if !title.isEmpty, title != shownTitle { rename(title) }
  }
}
