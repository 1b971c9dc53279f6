import Foundation
import ListKit
import Testing

@testable import ListTerminal

/// Columns beside each other in a wide terminal.
@MainActor
@Suite struct ColumnsTests {
  private let list = SectionsController([.init(title: nil, rows: ["Milk", "Bread"])])
  private let page = SectionsController([.init(title: nil, rows: ["Page one"])], title: "Page")
  private let split = UISplitViewController(style: .doubleColumn)

  private func show(columns: Int = 120) -> TestTerminal {
    split.setViewController(list, for: .primary)
    split.setViewController(page, for: .secondary)
    return TestTerminal(split, columns: columns, rows: 20)
  }

  private func hasBoth(_ terminal: TestTerminal) -> Bool {
    terminal.lines.contains { $0.contains("Milk") && $0.contains("Page one") }
  }

  @Test func columnsStandBesideEachOtherFrom120Characters() {
    #expect(hasBoth(show(columns: 120)))
    #expect(hasBoth(show(columns: 200)))
    let narrow = show(columns: 119)
    #expect(!hasBoth(narrow))
    #expect(narrow.text.contains("Page one"))
  }

  @Test func theTerminalIsResizedAcrossTheLimitAndBack() {
    let terminal = show()
    terminal.session.resize(columns: 80, rows: 20)
    #expect(split.isCollapsed)
    #expect(page.navigationController?.viewControllers == [list, page])
    terminal.session.resize(columns: 130, rows: 20)
    #expect(!split.isCollapsed)
    #expect(terminal.window.visibleColumns == [list, page])
  }

  @Test func keysGoFromColumnToColumn() {
    let terminal = show()
    #expect(terminal.window.visibleViewController === list)
    terminal.press(.character(">"))
    #expect(terminal.window.visibleViewController === page)
    #expect(terminal.currentLine?.contains("Page one") == true)
    terminal.press(.plain(.left))
    #expect(terminal.window.visibleViewController === list)
    #expect(terminal.lines.contains { $0.contains("▌") && $0.contains("Milk") })
    terminal.press(.plain(.function(6)))
    #expect(terminal.window.visibleViewController === page)
    terminal.press(.plain(.escape))
    #expect(terminal.window.visibleViewController === list)
  }

  @Test func tabLeadsThroughAllColumns() {
    let terminal = show()
    func go(_ key: KeyPress, to controller: UIViewController) -> Bool {
      for _ in 0..<10 where terminal.window.visibleViewController !== controller {
        terminal.press(key)
      }
      return terminal.window.visibleViewController === controller
    }
    #expect(go(.plain(.tab), to: page))
    #expect(go(.shift(.tab), to: list))
  }

  @Test func aPressGivesTheKeysToItsColumn() {
    let terminal = show()
    guard let y = terminal.lines.firstIndex(where: { $0.contains("Page one") }) else {
      Issue.record("no row of the page")
      return
    }
    terminal.click(x: 60, y: y)
    #expect(terminal.window.visibleViewController === page)
    #expect(page.events.contains { $0.contains("Page one") })
    #expect(list.events.isEmpty)
  }

  @Test func textThatIsTypedSurvivesTheWidth() {
    let terminal = show()
    terminal.press(.character("n"))
    terminal.type("Butter")
    terminal.session.resize(columns: 80, rows: 20)
    #expect(list.field.text == "Butter")
    terminal.session.resize(columns: 120, rows: 20)
    #expect(terminal.text.contains("Butter"))
  }

  @Test func aSheetStandsOverAllColumns() {
    let terminal = show()
    list.present(
      SectionsController([.init(title: nil, rows: ["In it"])], title: "Sheet"), animated: true)
    terminal.session.flush()
    #expect(terminal.text.contains("In it"))
    terminal.press(.character(">"))
    #expect(terminal.window.visibleViewController?.title == "Sheet")
    terminal.press(.plain(.escape))
    #expect(terminal.window.visibleViewController === list)
  }
}
