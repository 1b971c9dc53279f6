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
  private let drafts = BookDrafts()
  private var changes: NotificationObservation?
  private var undoObservations: [NotificationObservation] = []

  init(book: Book, context: NSManagedObjectContext) {
    self.book = book
    self.context = context
    super.init(style: .insetGrouped)
    restorationIdentifier = book.restorationIdentifier
  }

  required init?(coder: NSCoder) { nil }

  /// The one of the context, so that keys and buttons undo what was done to the book.
  override var undoManager: UndoManager? { context.undoManager }

  override func viewDidLoad() {
    super.viewDidLoad()
    navigationItem.rightBarButtonItem = editButtonItem
    tableView.allowsSelection = false
    tableView.allowsSelectionDuringEditing = true
    changes = NotificationObservation(
      of: .NSManagedObjectContextObjectsDidChange, object: context
    ) { [weak self] in self?.follow($0) }
    refresh()
    goOn()
  }

  private func refresh() {
    title = book.title
    tableView.reloadData()
    if isEditing { drafts.keep(book) }
  }

  /// With what was edited when an earlier process ended without a chance to save.
  private func goOn() {
    guard let values = drafts.take(book) else { return }
    setEditing(true, animated: false)
    for (key, value) in values { book.setValue(value, forKey: key) }
    refresh()
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
    show(BookField.allCases[indexPath.row])
  }

  private func show(_ field: BookField) {
    let page = EditFieldViewController(book: book, field: field)
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
    let names: [NSNotification.Name] = [.NSUndoManagerDidUndoChange, .NSUndoManagerDidRedoChange]
    undoObservations = names.map { name in
      NotificationObservation(of: name, object: manager) { [weak self] _ in self?.refresh() }
    }
  }

  private func endUndo() {
    drafts.forget(book)
    undoObservations = []
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

// The page of a field is there while the book is edited.
extension BookViewController: ScreenRestoration {
  func showScreen(withRestorationIdentifier identifier: String) -> Bool {
    guard let field = BookField(rawValue: identifier) else { return false }
    if !isEditing { setEditing(true, animated: false) }
    show(field)
    return true
  }
}
