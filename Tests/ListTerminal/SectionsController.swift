import Foundation
import ListKit
import ListSnapshots
import Undo

/// Sections of titles as an application would show them: a field adds, rows are chosen, renamed,
/// deleted, moved and dropped into each other, and everything is written down.
final class SectionsController: UITableViewController, UITextFieldDelegate, UITableViewDragDelegate,
  UITableViewDropDelegate
{
  struct Section {
    var title: String?
    var rows: [String]
  }

  var sections: [Section]
  var details: [String: String] = [:]
  var hasIndex = false
  var isEditable = true
  var asksBeforeDeleting = false
  var events: [String] = []
  var cellsAskedFor = 0
  let field = UITextField()
  private let ownUndoManager: UndoManager?
  override var undoManager: UndoManager? { ownUndoManager ?? super.undoManager }

  init(_ sections: [Section], title: String = "Lists", canUndo: Bool = true) {
    self.sections = sections
    ownUndoManager = canUndo ? UndoManager() : nil
    super.init(style: .plain)
    self.title = title
  }

  convenience init(_ rows: [String], title: String = "Lists", canUndo: Bool = true) {
    self.init([Section(title: nil, rows: rows)], title: title, canUndo: canUndo)
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    tableView.register(FieldCell.self, forCellReuseIdentifier: "cell")
    field.placeholder = "New item"
    field.delegate = self
    tableView.tableHeaderView = field
    tableView.dragDelegate = self
    tableView.dropDelegate = self
    navigationItem.rightBarButtonItems = [
      UIBarButtonItem(
        primaryAction: UIAction(title: "Add…") { [weak self] _ in self?.events.append("add") }),
      editButtonItem,
    ]
  }

  override func numberOfSections(in tableView: UITableView) -> Int { sections.count }
  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    sections[section].rows.count
  }

  override func tableView(_ tableView: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell
  {
    cellsAskedFor += 1
    let title = sections[path.section].rows[path.row]
    if let detail = details[title] {
      let cell = UITableViewCell(style: .subtitle, reuseIdentifier: nil)
      cell.textLabel?.text = title
      cell.detailTextLabel?.text = detail
      return cell
    }
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: path)
    (cell as? FieldCell)?.show(title) { [weak self] in self?.rename(title, to: $0) }
    return cell
  }

  override func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String?
  {
    sections[section].title
  }
  override func sectionIndexTitles(for tableView: UITableView) -> [String]? {
    hasIndex ? sections.map { String(($0.title ?? "").prefix(1)) } : nil
  }

  override func tableView(_ tableView: UITableView, canEditRowAt path: IndexPath) -> Bool {
    isEditable
  }
  override func tableView(_ tableView: UITableView, canMoveRowAt path: IndexPath) -> Bool {
    isEditable
  }
  override func tableView(
    _ tableView: UITableView, commit style: UITableViewCell.EditingStyle, forRowAt path: IndexPath
  ) {
    let title = sections[path.section].rows[path.row]
    guard asksBeforeDeleting else { return delete(title, path) }
    let question = UIAlertController(
      title: "Delete “\(title)”?", message: nil, preferredStyle: .alert)
    question.addAction(UIAlertAction(title: "Cancel", style: .cancel))
    question.addAction(
      UIAlertAction(title: "Delete", style: .destructive) { [weak self] _ in
        self?.delete(title, path)
      })
    present(question, animated: false)
  }

  private func delete(_ title: String, _ path: IndexPath) {
    events.append("delete \(title)")
    remove(path)
  }
  override func tableView(
    _ tableView: UITableView, moveRowAt source: IndexPath, to target: IndexPath
  ) {
    let title = sections[source.section].rows.remove(at: source.row)
    sections[target.section].rows.insert(title, at: target.row)
    events.append("move \(title)")
  }

  override func tableView(_ tableView: UITableView, didSelectRowAt path: IndexPath) {
    let title = sections[path.section].rows[path.row]
    events.append("open \(title)")
    if title.hasPrefix("Open") {
      navigationController?.pushViewController(
        SectionsController(["Inner 1", "Inner 2"], title: title), animated: true)
    }
  }

  // MARK: Dropping

  func tableView(
    _ tableView: UITableView, itemsForBeginning session: any UIDragSession, at path: IndexPath
  ) -> [UIDragItem] {
    let item = UIDragItem(itemProvider: NSItemProvider())
    item.localObject = sections[path.section].rows[path.row]
    return [item]
  }

  func tableView(
    _ tableView: UITableView, performDropWith coordinator: any UITableViewDropCoordinator
  ) {
    guard let path = coordinator.destinationIndexPath,
      let title = coordinator.items.first?.dragItem.localObject as? String
    else { return }
    events.append("drop \(title) into \(sections[path.section].rows[path.row])")
  }

  // MARK: Changes

  func insert(_ title: String, at path: IndexPath) {
    sections[path.section].rows.insert(title, at: path.row)
    tableView.insertRows(at: [path], with: .automatic)
  }

  func remove(_ path: IndexPath) {
    sections[path.section].rows.remove(at: path.row)
    tableView.deleteRows(at: [path], with: .automatic)
  }

  private func rename(_ old: String, to new: String) {
    events.append("rename \(old) to \(new)")
    for section in sections.indices {
      guard let row = sections[section].rows.firstIndex(of: old) else { continue }
      sections[section].rows[row] = new
      tableView.reconfigureRows(at: [IndexPath(row: row, section: section)])
    }
  }

  func textFieldShouldReturn(_ textField: UITextField) -> Bool {
    let text = textField.text ?? ""
    textField.text = ""
    if !text.isEmpty {
      let last = sections.count - 1
      insert(text, at: IndexPath(row: sections[last].rows.count, section: last))
      tableView.scrollToRow(
        at: IndexPath(row: sections[last].rows.count - 1, section: last), at: .none, animated: true)
    }
    return false
  }
}

/// A row whose title is edited in place.
final class FieldCell: UITableViewCell, UITextFieldDelegate {
  private let titleText = UITextField()
  private var shown = ""
  private var rename: (String) -> Void = { _ in }

  override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
    super.init(style: style, reuseIdentifier: reuseIdentifier)
    titleText.delegate = self
    contentView.addSubview(titleText)
    accessoryType = .disclosureIndicator
  }

  required init?(coder: NSCoder) { nil }

  func show(_ title: String, _ rename: @escaping (String) -> Void) {
    (shown, self.rename) = (title, rename)
    titleText.text = title
  }

  func textFieldDidEndEditing(_ textField: UITextField) {
    let text = textField.text ?? ""
    textField.text = shown
    if text != shown { rename(text) }
  }
}
