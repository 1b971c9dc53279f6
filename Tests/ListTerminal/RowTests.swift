import Foundation
import ListKit
import Testing

@testable import ListTerminal

@MainActor
struct RowTests {
  @Test func openingPushesAndBackReturnsToTheRow() {
    let controller = SectionsController(["a", "Open me", "b"])
    let terminal = TestTerminal(controller)
    terminal.press(.plain(.down), .plain(.enter))
    #expect(terminal.lines[0].hasPrefix(" ‹ Lists"))
    #expect(terminal.lines[1] == " Open me")
    #expect(terminal.text.contains("Inner 1"))
    terminal.press(.plain(.left))
    #expect(terminal.currentLine?.hasPrefix("Open me") == true)
    terminal.press(.plain(.right), .plain(.escape))
    #expect(terminal.lines[1] == " Lists")
  }

  @Test func keysTypedAheadMeanTheScreenThatTheyLeadTo() {
    let controller = SectionsController(["Open me"])
    let terminal = TestTerminal(controller)
    terminal.session.handle([
      .key(.plain(.enter)), .key(.plain(.down)), .key(.plain(.function(2))), .key(.character("!")),
      .key(.plain(.enter)),
    ])
    #expect(terminal.text.contains("Inner 2!"))
  }

  @Test func whatTheControllerAsksIsAskedOnce() {
    let controller = SectionsController(["a", "b"], canUndo: false)
    controller.asksBeforeDeleting = true
    let terminal = TestTerminal(controller)
    terminal.press(.character("d"))
    #expect(controller.events.isEmpty && terminal.text.contains("Delete “a”?"))
    terminal.press(.plain(.escape))
    #expect(controller.events.isEmpty && controller.sections[0].rows == ["a", "b"])
    terminal.press(.character("d"), .character("d"))
    #expect(controller.events == ["delete a"])
    #expect(!terminal.text.contains("Delete “"))
  }

  @Test func rowsMoveByKeysAndKeepTheCursor() {
    let controller = SectionsController(["a", "b", "c"])
    let terminal = TestTerminal(controller)
    terminal.press(.shift(.down), .alt(.down))
    #expect(controller.sections[0].rows == ["b", "c", "a"])
    #expect(terminal.currentLine?.hasPrefix("a") == true)
    terminal.press(.character("K"))
    #expect(controller.sections[0].rows == ["b", "a", "c"])
  }

  @Test(arguments: [
    [KeyPress.shift(.down), .shift(.up)], [.alt(.down), .alt(.up)],
    [.character("J"), .character("K")],
  ])
  func rowsMoveThroughSectionsAndBack(_ keys: [KeyPress]) {
    let controller = SectionsController([
      .init(title: "One", rows: ["a", "b"]), .init(title: "Two", rows: ["c", "d"]),
    ])
    let terminal = TestTerminal(controller)
    let places = ["ab cd", "ba cd", "b acd", "b cad", "b cda"]
    func expect(_ place: String) {
      let shown = controller.sections.map { $0.rows.joined() }.joined(separator: " ")
      #expect(shown == place)
      #expect(terminal.currentLine?.hasPrefix("a") == true)
    }
    terminal.press(keys[1])
    expect(places[0])
    for place in places.dropFirst() {
      terminal.press(keys[0])
      expect(place)
    }
    terminal.press(keys[0])
    expect(places[4])
    for place in places.dropLast().reversed() {
      terminal.press(keys[1])
      expect(place)
    }
  }

  @Test func theMenuHasEveryAction() {
    let controller = SectionsController(["a"])
    let terminal = TestTerminal(controller)
    terminal.press(.character("."))
    for title in ["Open", "Rename", "Delete", "Move down"] {
      #expect(terminal.text.contains(title))
    }
    terminal.press(.character("D"), .character("e"), .plain(.enter))
    #expect(controller.events == ["delete a"])
  }

  @Test func editingShowsWhatCanBeDeleted() {
    let terminal = TestTerminal(SectionsController(["a"]))
    #expect(!terminal.text.contains("⊖"))
    terminal.press(.character("e"))
    #expect(terminal.text.contains("⊖") && terminal.text.contains("Done"))
  }

  @Test func severalRowsAreSelected() {
    let controller = SectionsController(["a", "b", "c"])
    let terminal = TestTerminal(controller)
    controller.tableView.allowsMultipleSelection = true
    terminal.press(.character(" "), .plain(.down), .plain(.down), .character(" "))
    #expect(controller.tableView.indexPathsForSelectedRows?.map(\.row) == [0, 2])
    #expect(terminal.lines.filter { $0.contains("◉") }.count == 2)
  }

  @Test func theHelpSaysWhatIsPossibleNow() {
    let terminal = TestTerminal(SectionsController(["a"]), columns: 80, rows: 60)
    terminal.press(.character("?"))
    for line in ["Rename", "Move down", "Add…", "Next part of the screen", "Quit"] {
      #expect(terminal.text.contains(line))
    }
    #expect(!terminal.text.contains("Back to"))
    terminal.press(.plain(.escape))
    #expect(!terminal.text.contains("Next part of the screen"))
  }

  @Test func everyKeyOfTheHelpIsTheKeyOfOneCommand() {
    let terminal = TestTerminal(SectionsController(["a"]))
    let keys = terminal.session.commands.flatMap(\.keys)
    #expect(Set(keys).count == keys.count)
  }

  @Test func buttonsOfTheBarHaveTheirLetters() {
    let controller = SectionsController(["a"])
    let terminal = TestTerminal(controller)
    terminal.press(.character("a"))
    #expect(controller.events == ["add"])
    terminal.press(.shift(.tab), .plain(.enter))
    #expect(controller.events == ["add"])
    terminal.press(.plain(.escape), .character("q"))
    guard case .quit = terminal.requests.first else {
      Issue.record("q is to quit")
      return
    }
  }

  @Test func aToastOffersItsAction() {
    let controller = SectionsController(["a"])
    let terminal = TestTerminal(controller)
    controller.showToast(
      "“Milk” deleted", action: UIAction(title: "Undo") { _ in controller.events.append("back") })
    terminal.session.flush()
    #expect(terminal.text.contains("“Milk” deleted") && terminal.text.contains("[u] Undo"))
    terminal.press(.character("u"))
    #expect(controller.events == ["back"] && !terminal.text.contains("deleted"))
  }

  @Test func anApplicationsOwnKeysComeFirst() {
    let controller = KeysController(["a"])
    let terminal = TestTerminal(controller)
    terminal.press(.control("e"), .character("x"), .alt(.character("p")))
    #expect(controller.events == ["e", "x", "p"])
  }
}

private final class KeysController: UITableViewController {
  let rows: [String]
  var events: [String] = []

  init(_ rows: [String]) {
    self.rows = rows
    super.init(style: .plain)
  }

  required init?(coder: NSCoder) { nil }

  override var keyCommands: [UIKeyCommand]? {
    let keys: [(String, UIKeyModifierFlags)] = [("e", .command), ("x", []), ("p", .alternate)]
    return keys.map { key, flags in
      UIKeyCommand(
        input: key, modifierFlags: flags,
        primaryAction: UIAction(title: key) { [weak self] _ in self?.events.append(key) })
    }
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    rows.count
  }
  override func tableView(_ tableView: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell
  {
    let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
    cell.textLabel?.text = rows[path.row]
    return cell
  }
}
