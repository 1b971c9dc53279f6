import Foundation
import ListKit
import ListSamples
import ListSnapshots
import Testing

@testable import ListTerminal

/// Plain mode between two pipes.
@MainActor
struct PlainTests {
  /// What is printed for lines of input, until the input ends.
  private func run(_ root: UIViewController, _ lines: [String]) async throws -> String {
    try await run(root, bytes: Data(lines.map { $0 + "\n" }.joined().utf8))
  }

  private func run(_ root: UIViewController, bytes: Data) async throws -> String {
    let (input, output) = (Pipe(), Pipe())
    let terminal = ListTerminal(
      mode: .automatic, input: input.fileHandleForReading.fileDescriptor,
      output: output.fileHandleForWriting.fileDescriptor
    ) { scene in
      let window = UIWindow(windowScene: scene)
      window.rootViewController = UINavigationController(rootViewController: root)
      return window
    }
    // Nothing here takes long, however busy the machine is.
    terminal.workPatience = .never
    // Short of what a pipe holds, so that nobody waits for anybody.
    try input.fileHandleForWriting.write(contentsOf: bytes)
    try input.fileHandleForWriting.close()
    try await terminal.run()
    try output.fileHandleForWriting.close()
    return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }

  @Test func screensArePrintedAsLines() async throws {
    let controller = SectionsController([
      .init(title: "Fruit", rows: ["Apples", "Pears"]), .init(title: "Garden", rows: ["Rake"]),
    ])
    controller.details = ["Pears": "two bags"]
    let text = try await run(controller, [])
    #expect(text.contains("# Lists\nButtons: Edit, Add…\nnew TEXT: New item\nFruit:\n1. Apples\n"))
    #expect(text.contains("2. Pears – two bags\nGarden:\n3. Rake\n"))
    #expect(!text.contains("\u{1B}"))
  }

  @Test(arguments: ["\n", "\r\n"])
  func aByteOrderMarkIsNoTextAndOtherEncodingsAreRefused(_ end: String) async throws {
    let controller = SectionsController(["a"])
    let mark = Data([0xEF, 0xBB, 0xBF])
    let bytes =
      mark + Data("new Brötchen\(end)new caf".utf8) + Data([0xE9]) + Data("\(end)new c\(end)".utf8)
      + mark + Data("new d".utf8)
    let text = try await run(controller, bytes: bytes)
    #expect(controller.sections[0].rows.sorted() == ["Brötchen", "a", "c"])
    #expect(text.contains("That line is not UTF-8, and nothing was done.\n"))
    // In the middle of a text the mark is a character.
    #expect(text.contains("is no command"))
  }

  @Test func rowsAreAddedChosenRenamedMovedAndDeleted() async throws {
    let controller = SectionsController(["a", "b"])
    let text = try await run(
      controller,
      [
        "new c", "rename 1 A", "move 3 1", "delete 3", "2", "do 1", "add", "edit", "what",
        "delete 9",
      ])
    #expect(controller.sections[0].rows == ["c", "A"])
    #expect(
      controller.events == ["rename a to A", "move c", "delete b", "open A", "add"])
    #expect(text.contains("(1 row added)") && text.contains("(1 row deleted)"))
    #expect(text.contains("Actions: Delete"))
    #expect(text.contains("“what” is no command") && text.contains("There is no row “9”."))
  }

  @Test func screensAreOpenedAndLeft() async throws {
    let text = try await run(SectionsController(["Open it"]), ["1", "2", "back", "back"])
    #expect(text.contains("# Open it\nButtons: back (to Lists)"))
    #expect(text.contains("This is the first screen."))
  }

  @Test func whatTheControllerAsksIsAskedOnce() async throws {
    let controller = SectionsController(["a", "b"], canUndo: false)
    controller.asksBeforeDeleting = true
    let text = try await run(controller, ["delete 1", ":", "delete 1", "delete", "list"])
    #expect(controller.events == ["delete a"])
    #expect(text.contains("? Delete “a”?\n1 Cancel, 2 Delete?\n"))
  }

  @Test func controlsAreSetByTheirNames() async throws {
    let controller = ControlsController()
    let text = try await run(
      controller,
      [
        "set Alarm on", "set Cups 2", "set Cups 9", "set Volume 0.25", "month", "set Time 00:45",
        "set Time x", "wake", "refresh", "alarm", "check 1", "check 2", "set 1 off", "set nothing",
      ])
    #expect(
      controller.events == [
        "alarm true", "cups 2.0", "volume 0.25", "segment 2", "timer 45", "wake", "refresh",
        "alarm false", "row 0 true", "row 1 false", "row 0 false",
      ])
    for line in [
      "Alarm: off", "Choice: Day (this one), Week, Month", "Cups: 0", "Volume: 0.5", "Baking: 40%",
      "Time: 01:30", "press Wake", "press Refresh", "Alarm: on", "Cups: 2",
      "1. ROW 0 (side), not checked, 1", "“x” is no length of time; write it as 00:45.",
      "“9” is no value here; it takes a number from 0 to 3 in steps of 1.",
      "To set: Alarm, Choice, Cups, Volume, Time",
    ] {
      #expect(text.contains(line + "\n"), "\(line)")
    }
  }

  @Test func rowsOfATreeAreUnfoldedAndFolded() async throws {
    let controller = TreeController()
    let text = try await run(
      controller, ["unfold 1", "2", "unfold 1", "unfold 5", "fold 1", "fold 1"])
    #expect(text.contains("1. Fruit, closed\n2. Herbs, closed\n3. Salt\n"))
    #expect(text.contains("1. Fruit, open\n2.   Apple, closed\n3.   Pear\n4. Herbs, closed\n"))
    #expect(text.contains("That row is open already.\nNothing can stand under that row.\n"))
    #expect(text.hasSuffix("(2 rows deleted)\nThat row is closed already.\n"))
    #expect(controller.chosen == ["Apple"])
  }

  @Test func questionsAreAskedByLine() async throws {
    let controller = AskingController()
    let text = try await run(
      controller, ["ask", "Milk", "", "Add", "ask", ":", "ask", "x", "12", "1"])
    #expect(controller.answers == ["Milk 3", "cancelled", "cancelled"])
    #expect(text.contains("? What?\n") && text.contains("Number [3]:\n1 Cancel, 2 Add?\n"))
  }

  @Test func longListsArePrintedByPages() async throws {
    let controller = SectionsController((1...1_000_000).map { "Row \($0)" })
    let text = try await run(controller, ["more", "before", "before", "open 999999"])
    #expect(text.contains("40. Row 40\n(21 to 40 of 1000000; more shows the next)"))
    #expect(text.contains("There are no more rows."))
    #expect(controller.events == ["open Row 999999"])
    #expect(controller.cellsAskedFor < 150)
  }

  @Test func titlesCannotForgeLines() async throws {
    let text = try await run(SectionsController(["a\n9. forged", "\u{1B}[2Jb\r"]), [])
    #expect(text.contains("1. a 9. forged\n2. ␛[2Jb \n"))
  }
}

private final class AskingController: UITableViewController {
  var answers: [String] = []

  init() {
    super.init(style: .plain)
    title = "Ask"
    navigationItem.rightBarButtonItem = UIBarButtonItem(
      primaryAction: UIAction(title: "Ask…") { [weak self] _ in self?.ask() })
  }

  required init?(coder: NSCoder) { nil }

  private func ask() {
    let alert = UIAlertController(title: "What?", message: nil, preferredStyle: .alert)
    alert.addTextField { $0.placeholder = "Name" }
    alert.addTextField {
      $0.placeholder = "Number"
      $0.text = "3"
    }
    alert.addAction(
      UIAlertAction(title: "Cancel", style: .cancel) { [weak self] _ in
        self?.answers.append("cancelled")
      })
    alert.addAction(
      UIAlertAction(title: "Add", style: .default) { [weak self, weak alert] _ in
        self?.answers.append((alert?.textFields ?? []).map { $0.text ?? "" }.joined(separator: " "))
      })
    present(alert, animated: false)
  }
}
