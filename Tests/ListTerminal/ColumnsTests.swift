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

  /// Where something is typed: in the title of a row, or in the field over the list.
  enum Place: CaseIterable { case title, field }

  /// The widths of the terminal one after the other, while something is being typed.
  static let widths = [[80], [80, 130], [80, 130, 80, 200], [119, 121, 119]]

  @Test(arguments: Place.allCases, [false, true])
  func typingGoesOnAcrossTheLimit(place: Place, isSecond: Bool) {
    for widths in Self.widths {
      for start in [120, 80] {
        ColumnsTests().checkTyping(place, isSecond: isSecond, start: start, widths: widths)
      }
    }
  }

  /// Types a part, resizes, and types the rest: the letters stand in the same row, the caret where
  /// it was, and one rename or one row comes of it.
  private func checkTyping(_ place: Place, isSecond: Bool, start: Int, widths: [Int]) {
    let controller = isSecond ? page : list
    controller.sections = [.init(title: nil, rows: ["Milk", "Bread", "Tea"])]
    controller.events = []
    let terminal = show(columns: start)
    if !split.isCollapsed, controller === page { terminal.press(.character(">")) }
    if split.isCollapsed, controller === list { terminal.press(.plain(.escape)) }
    #expect(terminal.window.visibleViewController === controller)
    if place == .title {
      terminal.press(.plain(.down), .plain(.function(2)))
    } else {
      terminal.press(.character("n"))
    }
    terminal.type("Ryeflour")
    terminal.press(.plain(.left), .plain(.left), .plain(.left), .plain(.left), .plain(.left))
    for width in widths { terminal.resize(columns: width, rows: 20) }
    #expect(controller.events.isEmpty, "\(place) \(start) \(widths)")
    #expect(terminal.screen.isCursorShown, "\(place) \(start) \(widths)")
    terminal.type(" ")
    let caret = terminal.screen.cursor
    let line = terminal.lines[caret.y]
    #expect(line.prefix(caret.x).hasSuffix("Rye "), "\(place) \(start) \(widths): \(line)")
    #expect(line.dropFirst(caret.x).hasPrefix("flour"), "\(place) \(start) \(widths): \(line)")
    terminal.press(.plain(.enter))
    let typed = place == .title ? "BreadRye flour" : "Rye flour"
    let expected = place == .title ? ["Milk", typed, "Tea"] : ["Milk", "Bread", "Tea", typed]
    #expect(controller.sections[0].rows == expected, "\(place) \(start) \(widths)")
    let other = controller === list ? page : list
    #expect(other.events.isEmpty)
  }

  @Test func theColumnBesideTheTypedOneComesBack() {
    let terminal = show()
    terminal.press(.plain(.function(2)))
    terminal.resize(columns: 80, rows: 20)
    #expect(terminal.window.visibleViewController === list)
    terminal.resize(columns: 130, rows: 20)
    #expect(terminal.window.visibleColumns == [list, page])
  }

  @Test func theKeysStayWithTheScreenThatGrowsToColumns() {
    let terminal = show(columns: 80)
    #expect(terminal.window.visibleViewController === page)
    terminal.resize(columns: 130, rows: 20)
    #expect(terminal.window.visibleViewController === page)
    #expect(terminal.currentLine?.contains("Page one") == true)
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
