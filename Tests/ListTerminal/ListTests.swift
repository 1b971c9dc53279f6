import Foundation
import ListKit
import Testing

@testable import ListTerminal

@MainActor
struct ListTests {
  private let names = (1...100).map { "Row \($0)" }

  /// On a narrow screen other keys go first.
  @Test(arguments: [40, 60, 80, 120]) func theWayOutAndHelpStay(columns: Int) {
    let terminal = TestTerminal(SectionsController(["Bread", "Milk"]), columns: columns)
    let hints = terminal.screen.lines.last ?? ""
    #expect(hints.contains("q Quit") && hints.contains("? Help"), "\(hints)")
  }

  @Test func theScreenHasTitleRowsAndKeys() {
    let terminal = TestTerminal(SectionsController(["Bread", "Milk"]))
    #expect(terminal.lines[1] == " Lists")
    #expect(terminal.text.contains("+ New item"))
    #expect(terminal.lines.contains { $0.contains("⠿ Bread") && $0.hasSuffix("›") })
    #expect(terminal.currentLine?.hasPrefix("Bread") == true)
    let hints = terminal.lines.last ?? ""
    #expect(hints.contains("⏎ Open") && hints.contains("? Help") && hints.contains("1 of 2"))
  }

  @Test func keysMoveAndTheListFollows() {
    let terminal = TestTerminal(SectionsController(names))
    terminal.press(.plain(.down), .character("j"))
    #expect(terminal.currentLine?.hasPrefix("Row 3 ") == true)
    terminal.press(.plain(.end))
    #expect(terminal.currentLine?.hasPrefix("Row 100") == true)
    #expect(terminal.text.contains("Row 99") && !terminal.text.contains("Row 50"))
    terminal.press(.character("g"), .plain(.pageDown))
    #expect(!terminal.text.contains("Row 3 "))
    terminal.press(.plain(.home))
    #expect(terminal.lines[4].contains("Row 1 ") || terminal.lines[3].contains("Row 1 "))
  }

  @Test func onlyWhatIsSeenIsAskedFor() {
    let controller = SectionsController((0..<1_000_000).map { "Row \($0)" })
    let terminal = TestTerminal(controller)
    controller.cellsAskedFor = 0
    terminal.press(.plain(.end))
    #expect(controller.cellsAskedFor <= 60)
    #expect(terminal.lines.last?.contains("1,000,000 of 1,000,000") == true)
    controller.cellsAskedFor = 0
    terminal.press(.plain(.up), .plain(.up), .plain(.up))
    #expect(controller.cellsAskedFor <= 6)
  }

  @Test func workThatGoesOnIsSaid() {
    let controller = SectionsController(names)
    let terminal = TestTerminal(controller)
    controller.showActivity(true)
    terminal.session.flush()
    #expect(terminal.lines.last?.contains("Working…  1 of 100") == true)
    controller.showActivity(false)
    terminal.session.flush()
    #expect(terminal.lines.last?.contains("Working") == false)
  }

  @Test func oneStepWritesLittle() {
    let terminal = TestTerminal(SectionsController(names), columns: 120, rows: 50)
    let before = terminal.bytes
    terminal.press(.plain(.down))
    #expect(terminal.bytes - before < 1200)
  }

  @Test func theHeaderOfTheSectionStays() {
    let sections = ["Fruit", "Garden"].map { (title: String) in
      SectionsController.Section(title: title, rows: (1...30).map { "\(title) \($0)" })
    }
    let terminal = TestTerminal(SectionsController(sections))
    terminal.press(.plain(.pageDown), .plain(.pageDown))
    let header = terminal.lines.firstIndex { $0.hasPrefix(" Fruit ─") }
    #expect(header != nil)
    #expect(terminal.text.contains("Fruit 28"))
    terminal.press(.plain(.end))
    #expect(terminal.lines.contains { $0.hasPrefix(" Garden ─") })
    #expect(!terminal.lines.contains { $0.hasPrefix(" Fruit ─") })
  }

  @Test func theIndexLeadsToASection() {
    let sections = ["Apples", "Pears", "Quinces"].map { (title: String) in
      SectionsController.Section(title: title, rows: (1...30).map { "\(title) \($0)" })
    }
    let controller = SectionsController(sections)
    controller.hasIndex = true
    let terminal = TestTerminal(controller)
    terminal.press(.character("'"), .character("q"), .plain(.enter))
    #expect(terminal.currentLine?.hasPrefix("Quinces 1") == true)
    let y = terminal.lines.firstIndex { $0.hasSuffix("P") } ?? 0
    terminal.click(x: terminal.lines[y].count - 1, y: y)
    #expect(terminal.currentLine?.hasPrefix("Pears 1") == true)
  }

  @Test func detailsStandBelowTheirTitles() {
    let controller = SectionsController(["Candles", "Milk"])
    controller.details = ["Candles": "for the cake"]
    let terminal = TestTerminal(controller)
    let y = terminal.lines.firstIndex { $0.contains("Candles") } ?? 0
    #expect(terminal.lines[y + 1].contains("for the cake"))
    terminal.press(.plain(.down))
    #expect(terminal.currentLine?.hasPrefix("Milk") == true)
  }

  @Test func anEmptyListSaysSo() {
    #expect(TestTerminal(SectionsController([String]())).text.contains("Nothing here yet"))
  }

  /// What stands in the place of the rows has a button, which Return presses; while there are rows,
  /// it cannot be reached.
  @Test func theFirstActOfAnEmptyListIsPressedByReturn() {
    let controller = SectionsController([String]())
    let view = UIView()
    let label = UILabel()
    label.text = "No rows yet"
    view.addSubview(label)
    var presses = 0
    view.addSubview(
      UIButton(type: .system, primaryAction: UIAction(title: "Begin") { _ in presses += 1 }))
    controller.tableView.backgroundView = view
    let terminal = TestTerminal(controller)
    #expect(terminal.text.contains("No rows yet") && terminal.text.contains("[ Begin ]"))
    controller.field.isEnabled = false
    terminal.press(.plain(.enter))
    #expect(presses == 1)
    controller.insert("First", at: IndexPath(row: 0, section: 0))
    terminal.session.flush()
    #expect(!terminal.text.contains("Begin"))
    for _ in 0..<6 { terminal.press(.plain(.tab)) }
    terminal.press(.plain(.enter))
    #expect(presses == 1)
  }

  @Test func aListOfWhichMoreRowsComeHasAPlusBehindTheirNumber() {
    let controller = SectionsController(["a", "b", "c"])
    let terminal = TestTerminal(controller)
    #expect(terminal.text.contains("1 of 3") && !terminal.text.contains("1 of 3+"))
    controller.tableView.isPart = true
    terminal.session.forgetScreen()
    terminal.session.flush()
    #expect(terminal.text.contains("1 of 3+"))
  }

  // MARK: Changes from elsewhere

  @Test func theCursorStaysWithItsRowAndLine() {
    let controller = SectionsController(names)
    let terminal = TestTerminal(controller)
    for _ in 0..<40 { terminal.press(.plain(.down)) }
    let line = terminal.lines.firstIndex { $0.contains("▌") }
    for number in 0..<30 { controller.insert("New \(number)", at: IndexPath(row: 0, section: 0)) }
    terminal.session.flush()
    #expect(terminal.currentLine?.hasPrefix("Row 41") == true)
    #expect(terminal.lines.firstIndex { $0.contains("▌") } == line)
    controller.remove(IndexPath(row: 70, section: 0))
    terminal.session.flush()
    #expect(terminal.currentLine?.hasPrefix("Row 42") == true)
  }

  @Test func whatComesInAtTheStartIsSeenThere() {
    let controller = SectionsController(names)
    let terminal = TestTerminal(controller)
    controller.insert("First", at: IndexPath(row: 0, section: 0))
    terminal.session.flush()
    #expect(terminal.currentLine?.hasPrefix("Row 1 ") == true)
    #expect(terminal.text.contains("First"))
    for number in 0..<200 { controller.insert("N\(number)", at: IndexPath(row: 0, section: 0)) }
    terminal.session.flush()
    #expect(terminal.currentLine?.hasPrefix("Row 1 ") == true)
  }

  @Test func deletingTheLastRowGoesToTheOneBefore() {
    let controller = SectionsController(["a", "b"])
    let terminal = TestTerminal(controller)
    terminal.press(.plain(.end), .plain(.delete))
    #expect(terminal.currentLine?.hasPrefix("a") == true)
    terminal.press(.character("d"))
    #expect(controller.events == ["delete b", "delete a"])
    #expect(terminal.text.contains("Nothing here yet"))
  }

  @Test func resizingKeepsTheCurrentRow() {
    let terminal = TestTerminal(SectionsController(names))
    for _ in 0..<50 { terminal.press(.plain(.down)) }
    for (columns, rows) in [(20, 5), (100, 60), (7, 3), (60, 20)] {
      terminal.resize(columns: columns, rows: rows)
      #expect(terminal.session.window.rootViewController != nil)
    }
    #expect(terminal.currentLine?.hasPrefix("Row 51") == true)
  }
}
