import Foundation
import ListKit
import ListSnapshots
import Undo

/// What the windows of a test share: titles, and the lists that show them.
@MainActor
final class Titles {
  var titles: [String]
  var cellsAskedFor = 0
  var scenes: [String] = []
  /// The lists on screen, for changes that no page asked for.
  var lists: [ListController] = []
  /// Whether a list gives its field the keyboard once it is loaded.
  var startsWithKeyboard = false

  init(_ titles: [String]) { self.titles = titles }
}

/// A list of titles as an application would write it: a field adds, a click opens, rows are
/// renamed, deleted and moved.
final class ListController: UITableViewController, UITextFieldDelegate, ScreenRestoration {
  let model: Titles
  let field = UITextField()
  private let ownUndoManager = UndoManager()
  override var undoManager: UndoManager? { ownUndoManager }

  init(_ model: Titles, title: String = "Lists") {
    self.model = model
    super.init(style: .plain)
    self.title = title
    restorationIdentifier = title
  }

  required init?(coder: NSCoder) { fatalError("init(coder:) is not used") }

  override func viewDidLoad() {
    super.viewDidLoad()
    model.lists.append(self)
    tableView.register(TitleCell.self, forCellReuseIdentifier: "cell")
    field.placeholder = "New item"
    field.delegate = self
    tableView.tableHeaderView = field
  }

  override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    if model.startsWithKeyboard { field.becomeFirstResponder() }
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    model.titles.count
  }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    model.cellsAskedFor += 1
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    (cell as? TitleCell)?.field.text = model.titles[indexPath.row]
    (cell as? TitleCell)?.field.delegate = self
    cell.accessoryType = .disclosureIndicator
    cell.restorationIdentifier = model.titles[indexPath.row]
    return cell
  }

  override func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
    true
  }

  override func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
    true
  }

  override func tableView(
    _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
    forRowAt indexPath: IndexPath
  ) { remove(at: indexPath.row) }

  override func tableView(
    _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath
  ) {
    model.titles.insert(
      model.titles.remove(at: sourceIndexPath.row), at: destinationIndexPath.row)
  }

  override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    show(model.titles[indexPath.row])
  }

  private func show(_ title: String) {
    let next = ListController(Titles([]), title: title)
    navigationController?.pushViewController(next, animated: true)
  }

  func showScreen(withRestorationIdentifier identifier: String) -> Bool {
    guard model.titles.contains(identifier) else { return false }
    show(identifier)
    return true
  }

  func textFieldShouldReturn(_ textField: UITextField) -> Bool {
    guard textField === field, let title = field.text else { return true }
    field.text = ""
    if !title.isEmpty { insert(title, at: model.titles.count) }
    return false
  }

  func textFieldDidEndEditing(_ textField: UITextField) {
    guard textField !== field, let cell = textField.superview?.superview as? UITableViewCell,
      let path = tableView.indexPath(for: cell)
    else { return }
    model.titles[path.row] = textField.text ?? ""
  }

  func insert(_ title: String, at row: Int) {
    model.titles.insert(title, at: row)
    undoManager?.registerUndo(withTarget: self) { $0.remove(at: row) }
    undoManager?.setActionName("Add “\(title)”")
    tableView.insertRows(at: [IndexPath(row: row, section: 0)], with: .automatic)
  }

  func remove(at row: Int) {
    let title = model.titles.remove(at: row)
    undoManager?.registerUndo(withTarget: self) { $0.insert(title, at: row) }
    undoManager?.setActionName("Delete “\(title)”")
    tableView.deleteRows(at: [IndexPath(row: row, section: 0)], with: .automatic)
  }
}

/// A row whose title is edited in place.
final class TitleCell: UITableViewCell {
  let field = UITextField()

  override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
    super.init(style: .value1, reuseIdentifier: reuseIdentifier)
    contentView.addSubview(field)
  }

  required init?(coder: NSCoder) { fatalError("init(coder:) is not used") }
}

/// Notes what happens to a window.
final class SceneLog: UISceneDelegate {
  let model: Titles
  init(_ model: Titles) { self.model = model }

  func sceneDidEnterBackground(_ scene: UIScene) { model.scenes.append("background") }
  func sceneWillEnterForeground(_ scene: UIScene) { model.scenes.append("foreground") }
  func sceneDidDisconnect(_ scene: UIScene) { model.scenes.append("disconnected") }
}
