import Foundation
import ListSnapshots
import Testing

@testable import ListKit

@MainActor
private final class Delegate: UITableViewDelegate, UITextFieldDelegate {
  var lines: [String] = []
  var refused: IndexPath?

  func tableView(_ tableView: UITableView, shouldHighlightRowAt indexPath: IndexPath) -> Bool {
    lines.append("shouldHighlight \(indexPath.row)")
    return true
  }

  func tableView(_ tableView: UITableView, willSelectRowAt indexPath: IndexPath) -> IndexPath? {
    lines.append("willSelect \(indexPath.row)")
    return indexPath == refused ? nil : indexPath
  }

  func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    lines.append("didSelect \(indexPath.row)")
  }

  func tableView(_ tableView: UITableView, willDeselectRowAt indexPath: IndexPath) -> IndexPath? {
    lines.append("willDeselect \(indexPath.row)")
    return indexPath
  }

  func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath) {
    lines.append("didDeselect \(indexPath.row)")
  }

  func textFieldDidBeginEditing(_ textField: UITextField) { lines.append("didBegin") }
  func textFieldDidEndEditing(_ textField: UITextField) { lines.append("didEnd") }

  func textFieldShouldReturn(_ textField: UITextField) -> Bool {
    lines.append("shouldReturn \(textField.text ?? "")")
    return true
  }
}

@MainActor
@Suite struct SelectionAndFieldTests {
  @Test func choosingARowDeselectsTheOldOneInUIKitsOrder() {
    let source = ArraySource([["a", "b", "c"]])
    let (table, window, _) = makeTable(source)
    let delegate = Delegate()
    table.delegate = delegate
    table.choose(IndexPath(row: 0, section: 0))
    delegate.lines = []
    table.choose(IndexPath(row: 1, section: 0))
    #expect(
      delegate.lines == [
        "shouldHighlight 1", "willSelect 1", "willDeselect 0", "didDeselect 0", "didSelect 1",
      ])
    delegate.refused = IndexPath(row: 2, section: 0)
    table.choose(IndexPath(row: 2, section: 0))
    #expect(table.indexPathForSelectedRow == IndexPath(row: 1, section: 0))
    _ = window
  }

  @Test func selectingInCodeTellsNobodyAndFollowsTheRow() {
    let source = ArraySource([["a", "b"]])
    let (table, window, _) = makeTable(source)
    let delegate = Delegate()
    table.delegate = delegate
    table.selectRow(at: IndexPath(row: 1, section: 0), animated: false, scrollPosition: .none)
    #expect(delegate.lines.isEmpty)
    source.sections[0].insert("new", at: 0)
    table.insertRows(at: [IndexPath(row: 0, section: 0)], with: .automatic)
    #expect(table.indexPathForSelectedRow == IndexPath(row: 2, section: 0))
    _ = window
  }

  @Test func editingAFieldComesInUIKitsOrder() {
    let field = UITextField()
    let window = UIWindow(frame: .zero)
    window.addSubview(field)
    let delegate = Delegate()
    field.delegate = delegate
    for (event, name) in [
      (UIControl.Event.editingDidBegin, "begin"), (.editingChanged, "changed"),
      (.editingDidEndOnExit, "exit"), (.editingDidEnd, "end"),
    ] {
      field.addAction(UIAction { _ in delegate.lines.append(name) }, for: event)
    }
    field.beginEditing()
    field.receive("Milk")
    field.pressReturn()
    field.endEditing()
    #expect(
      delegate.lines == [
        "didBegin", "begin", "changed", "shouldReturn Milk", "exit", "didEnd", "end",
      ])
  }

  @Test func keysFindTheNearestCommandUpTheChain() {
    let window = UIWindow(frame: .zero)
    window.rootViewController = UIViewController()
    window.makeKeyAndVisible()
    guard let manager = window.undoManager else {
      Issue.record("A window has an undo manager")
      return
    }
    let log = NSMutableArray()
    manager.registerUndo(withTarget: log) { $0.add("undone") }
    window.rootViewController?.performKeyCommand(input: "Z", modifierFlags: .command)
    #expect(log.count == 1)
    let isHandled = window.rootViewController?.performKeyCommand(
      input: "q", modifierFlags: .command)
    #expect(isHandled == false)
  }
}
