import CoreData
import ListApplication

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// One book. While it is edited, each field leads to a page of its own, and the last three changes
/// can be undone.
final class BookViewController: UITableViewController {
  private let book: Book
  private let context: NSManagedObjectContext
  private var observers: [any NSObjectProtocol] = []
  private var undoObservers: [any NSObjectProtocol] = []

  init(book: Book, context: NSManagedObjectContext) {
    self.book = book
    self.context = context
    super.init(style: .insetGrouped)
  }

  required init?(coder: NSCoder) { nil }

  /// The one of the context, so that keys and buttons undo what was done to the book.
  override var undoManager: UndoManager? { context.undoManager }

  override func viewDidLoad() {
    super.viewDidLoad()
    navigationItem.rightBarButtonItem = editButtonItem
    tableView.allowsSelection = false
    tableView.allowsSelectionDuringEditing = true
    observers = [observe(.NSManagedObjectContextObjectsDidChange, of: context) { $0.follow($1) }]
    refresh()
  }

  private func refresh() {
    title = book.title
    tableView.reloadData()
  }

  // MARK: - Rows

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    BookField.allCases.count
  }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let field = BookField.allCases[indexPath.row]
    let cell = UITableViewCell(style: .value1, reuseIdentifier: nil)
    cell.textLabel?.text = field.label
    cell.detailTextLabel?.text = book.text(of: field)
    cell.accessoryType = isEditing ? .disclosureIndicator : .none
    return cell
  }

  override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    let page = EditFieldViewController(book: book, field: BookField.allCases[indexPath.row])
    page.delegate = self
    navigationController?.pushViewController(page, animated: true)
  }

  // MARK: - Editing

  /// The end of editing saves; when that fails, editing goes on.
  override func setEditing(_ editing: Bool, animated: Bool) {
    if editing {
      beginUndo()
    } else {
      guard save() else { return }
      endUndo()
    }
    super.setEditing(editing, animated: animated)
    navigationItem.hidesBackButton = editing
    tableView.reloadData()
  }

  private func save() -> Bool {
    do {
      try context.save()
      return true
    } catch {
      ErrorAlert("The book was not saved", error).present(on: self)
      return false
    }
  }

  private func beginUndo() {
    let manager = UndoManager()
    manager.levelsOfUndo = 3
    context.undoManager = manager
    undoObservers = [NSNotification.Name.NSUndoManagerDidUndoChange, .NSUndoManagerDidRedoChange]
      .map { name in observe(name, of: manager) { page, _ in page.refresh() } }
  }

  private func endUndo() {
    undoObservers.forEach(NotificationCenter.default.removeObserver)
    undoObservers = []
    context.undoManager = nil
  }

  // MARK: - Changes from elsewhere

  /// Another window may have changed or deleted the book.
  private func follow(_ notification: Notification) {
    func isAmong(_ key: String) -> Bool {
      (notification.userInfo?[key] as? Set<NSManagedObject>)?.contains(book) ?? false
    }
    if isAmong(NSDeletedObjectsKey) {
      showToast("This book was deleted.")
      endUndo()
      navigationController?.popToRootViewController(animated: true)
    } else if isAmong(NSRefreshedObjectsKey) || isAmong(NSUpdatedObjectsKey) {
      refresh()
    }
  }

  private func observe(
    _ name: NSNotification.Name, of object: AnyObject,
    _ act: @escaping @MainActor (BookViewController, Notification) -> Void
  ) -> any NSObjectProtocol {
    // A context of the main queue and its undo manager post there.
    NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) {
      [weak self] notification in
      nonisolated(unsafe) let notification = notification
      MainActor.assumeIsolated {
        if let self { act(self, notification) }
      }
    }
  }

  isolated deinit {
    (observers + undoObservers).forEach(NotificationCenter.default.removeObserver)
  }
}

extension BookViewController: EditFieldViewControllerDelegate {
  func editFieldViewController(_ controller: EditFieldViewController, didSave value: Any?) {
    context.undoManager?.setActionName("Edit \(controller.field.label)")
    book.setValue(value, forKey: controller.field.key)
    navigationController?.popViewController(animated: true)
    refresh()
  }

  func editFieldViewControllerDidCancel(_ controller: EditFieldViewController) {
    navigationController?.popViewController(animated: true)
  }
}
