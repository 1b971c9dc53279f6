import Foundation
import ListKit
import ListSnapshots
import Testing

/// Rows with controls in them, and what a renderer reads of them.
@MainActor
@Suite struct FormTests {
  /// One section of cells that are always the same.
  private final class Form: UITableViewController {
    var cells: [UITableViewCell] = []

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      cells.count
    }
    override func tableView(
      _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell { cells[indexPath.row] }
  }

  private func show(_ style: UITableView.Style, _ cells: UITableViewCell...) -> UIWindow {
    let form = Form(style: style)
    form.cells = cells
    let window = UIWindow(frame: .zero)
    window.rootViewController = form
    window.makeKeyAndVisible()
    return window
  }

  private func makeCell(
    _ control: UIView, _ style: UITableViewCell.CellStyle = .default
  ) -> UITableViewCell {
    let cell = UITableViewCell(style: style, reuseIdentifier: nil)
    cell.contentView.addSubview(control)
    return cell
  }

  @Test(arguments: [UITableView.Style.grouped, .insetGrouped])
  func aFieldInAFormIsOpen(style: UITableView.Style) {
    let field = UITextField()
    field.text = "Milk"
    let cell = makeCell(field)
    cell.textLabel?.text = "Name"
    withExtendedLifetime(show(style, cell)) {
      #expect(cell.formControl === field)
      #expect(cell.titleField == nil)
      #expect(cell.rowContent.title == "Name")
      #expect(cell.rowContent.control?.text == "Milk")
    }
  }

  @Test func aFieldInAPlainListIsItsTitleEditedInPlace() {
    let field = UITextField()
    field.text = "Milk"
    let cell = makeCell(field)
    withExtendedLifetime(show(.plain, cell)) {
      #expect(cell.formControl == nil)
      #expect(cell.titleField === field)
      #expect(cell.rowContent.title == "Milk")
    }
  }

  @Test func aFieldGetsTheKeyboardWhenItsFormHasAppeared() {
    let field = UITextField()
    withExtendedLifetime(show(.insetGrouped, makeCell(field))) {
      #expect(field.becomeFirstResponder())
      #expect(field.isFirstResponder)
    }
  }

  @Test(arguments: [
    (UITableViewCell.CellStyle.value1, false), (.value2, true),
  ]) func valuesStandBesideTheirTitles(style: UITableViewCell.CellStyle, isLabelled: Bool) {
    let cell = UITableViewCell(style: style, reuseIdentifier: nil)
    cell.textLabel?.text = "Title"
    cell.detailTextLabel?.text = "Middlemarch"
    #expect(cell.rowContent.badge == "Middlemarch")
    #expect(cell.rowContent.detail == nil)
    #expect(cell.rowContent.isLabelled == isLabelled)
  }

  @Test func typingIsHeardWhileItGoesOn() {
    let field = UITextField()
    var heard: [String?] = []
    field.addAction(
      UIAction { [weak field] _ in heard.append(field?.text) }, for: .editingChanged)
    #expect(field.hears(.editingChanged) && !field.hears(.editingDidEnd))
    for text in ["M", "Mi", "Mi", "Milk"] { field.receive(text) }
    #expect(heard == ["M", "Mi", "Milk"])
  }

  @Test func rowsAreChosenInTheModeThatAllowsIt() {
    let form = Form(style: .insetGrouped)
    form.cells = [UITableViewCell(style: .default, reuseIdentifier: nil)]
    let table: UITableView = form.tableView
    #expect(table.isSelectable)
    table.allowsSelection = false
    table.allowsSelectionDuringEditing = true
    #expect(!table.isSelectable)
    table.setEditing(true, animated: false)
    #expect(table.isSelectable)
    table.choose([0, 0])
    #expect(table.indexPathForSelectedRow == [0, 0])
  }

  @Test func theBarButtonsThatEndSomethingStandOut() {
    let done = [UIBarButtonItem.SystemItem.done, .save].map { UIBarButtonItem(systemItem: $0) }
    #expect(done.map(\.style) == [.done, .done])
    let plain = [UIBarButtonItem.SystemItem.add, .cancel, .edit]
      .map { UIBarButtonItem(systemItem: $0) }
    #expect(plain.map(\.style) == [.plain, .plain, .plain])
    #expect(plain.map(\.title) == ["Add", "Cancel", "Edit"])
  }
}
