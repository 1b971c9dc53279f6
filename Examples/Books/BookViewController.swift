import CoreData
import ListApplication

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// One book. While it is edited, each field has a page of its own, and the last three changes can
/// be undone.
final class BookViewController: UITableViewController {
  let book: Book
  private let context: NSManagedObjectContext
  private let drafts = BookDrafts()
  /// The stored values, as texts, of edited fields when their editing began.
  private var began: [BookField: String] = [:]
  /// The changed values, as texts, for a message if the book is deleted.
  private var typed: [BookField: String] = [:]
  private var changes: NotificationObservation?
  private var undoObservations: [NotificationObservation] = []

  init(book: Book, context: NSManagedObjectContext) {
    self.book = book
    self.context = context
    super.init(style: .insetGrouped)
    restorationIdentifier = book.restorationIdentifier
  }

  required init?(coder: NSCoder) { nil }

  /// The undo manager of the context, so that keys and buttons undo changes of the book.
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
    if isEditing {
      drafts.keep(book)
      noteTyped()
    }
  }

  /// Resumes the edit of an earlier process that ended without saving.
  private func goOn() {
    guard let values = drafts.take(book) else { return }
    setEditing(true, animated: false)
    for field in BookField.allCases where values[field.key] != nil { noteBeginning(of: field) }
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
    cell.detailTextLabel?.text = book.text(of: field, in: locale)
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

  /// Saves at the end of editing; if that fails, editing continues.
  override func setEditing(_ editing: Bool, animated: Bool) {
    if editing {
      beginUndo()
    } else {
      if let field = fieldChangedByOthers { return ask(field) }
      guard save() else { return }
      endUndo()
    }
    super.setEditing(editing, animated: animated)
    navigationItem.hidesBackButton = editing
    tableView.reloadData()
  }

  /// Ends editing for another book. Returns false if it goes on: a value is being edited, or the
  /// book could not be saved.
  func endsEditing() -> Bool {
    guard isEditing else { return true }
    if navigationController?.topViewController !== self || presentedViewController != nil {
      showToast("First save or cancel what you are editing in “\(book.title ?? "")”.")
      return false
    }
    setEditing(false, animated: true)
    return !isEditing
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

  // MARK: - Conflicting changes of others

  private func noteBeginning(of field: BookField) {
    if began[field] == nil { began[field] = stored(field) }
  }

  /// Records the changed values; values restored by an undo are not among them.
  private func noteTyped() {
    let changed = book.changedValues()
    typed = [:]
    for field in BookField.allCases where changed[field.key] != nil {
      typed[field] = book.text(of: field) ?? ""
    }
  }

  private func storedValue(_ field: BookField) -> Any? {
    book.committedValues(forKeys: [field.key])[field.key]
  }

  private func stored(_ field: BookField) -> String {
    Book.text(storedValue(field)) ?? ""
  }

  /// A field that was edited here and has since been saved elsewhere with another value.
  private var fieldChangedByOthers: BookField? {
    BookField.allCases.first { field in
      guard let began = began[field], book.changedValues()[field.key] != nil else { return false }
      let typed = book.text(of: field) ?? ""
      return FieldConflict.exists(began: began, now: stored(field), typed: typed)
    }
  }

  private func ask(_ field: BookField) {
    let locale = self.locale
    let now = stored(field)
    let theirs = Book.text(storedValue(field), in: locale) ?? ""
    let mine = book.text(of: field, in: locale) ?? ""
    FieldConflict(field.label, theirs: theirs, mine: mine).ask(on: self) { [weak self] choice in
      guard let self, choice != .back else { return }
      began[field] = now
      if choice == .theirs {
        let value = storedValue(field)
        book.setValue(value is NSNull ? nil : value, forKey: field.key)
      }
      setEditing(false, animated: true)
    }
  }

  private func beginUndo() {
    (began, typed) = ([:], [:])
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

  /// Handles changes and deletions of the book by other windows.
  private func follow(_ notification: Notification) {
    func isAmong(_ key: String) -> Bool {
      (notification.userInfo?[key] as? Set<NSManagedObject>)?.contains(book) ?? false
    }
    if isAmong(NSDeletedObjectsKey) {
      let texts = BookField.allCases.compactMap { typed[$0] }.joined(separator: ", ")
      showToast(
        texts.isEmpty ? "This book was deleted." : "This book was deleted. You typed: \(texts)")
      endUndo()
      columnsController?.leave(self)
    } else if isAmong(NSRefreshedObjectsKey) || isAmong(NSUpdatedObjectsKey) {
      refresh()
    }
  }
}

extension BookViewController: EditFieldViewControllerDelegate {
  func editFieldViewController(_ controller: EditFieldViewController, didSave value: Any?) {
    context.undoManager?.setActionName("Edit \(controller.field.label)")
    noteBeginning(of: controller.field)
    book.setValue(value, forKey: controller.field.key)
    navigationController?.popViewController(animated: true)
    refresh()
  }

  func editFieldViewControllerDidCancel(_ controller: EditFieldViewController) {
    navigationController?.popViewController(animated: true)
  }
}

// A window's path contains the page of a field while the book is edited.
extension BookViewController: ScreenRestoration {
  func showScreen(withRestorationIdentifier identifier: String) -> Bool {
    guard let field = BookField(rawValue: identifier) else { return false }
    if !isEditing { setEditing(true, animated: false) }
    show(field)
    return true
  }
}
