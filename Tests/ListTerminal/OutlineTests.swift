import Foundation
import ListKit
import ListSamples
import Testing

@testable import ListTerminal

/// Rows under one another in a terminal.
@MainActor
struct OutlineTests {
  private func rows(_ terminal: TestTerminal) -> [String] {
    terminal.lines.filter { line in TreeController.items.contains { line.contains($0) } }
      .map { line in
        String(line.drop { "▌ ".contains($0) }).trimmingCharacters(in: .whitespaces)
      }
  }

  @Test func theArrowsOpenEnterLeaveAndClose() {
    let terminal = TestTerminal(TreeController())
    #expect(rows(terminal) == ["▸ Fruit", "▸ Herbs", "Salt"])
    terminal.press(.plain(.right))
    #expect(rows(terminal) == ["▾ Fruit", "▸ Apple", "Pear", "▸ Herbs", "Salt"])
    #expect(terminal.currentLine == "▾ Fruit")
    terminal.press(.plain(.right))
    #expect(terminal.currentLine == "Apple")
    terminal.press(.plain(.right), .plain(.right))
    #expect(terminal.currentLine == "Cox")
    terminal.press(.plain(.left))
    #expect(terminal.currentLine == "▾ Apple")
    terminal.press(.plain(.left), .plain(.left))
    #expect(terminal.currentLine == "▾ Fruit")
    terminal.press(.plain(.left))
    #expect(rows(terminal) == ["▸ Fruit", "▸ Herbs", "Salt"])
    #expect(terminal.text.contains("→ Unfold"))
  }

  @Test func theKeysOfATreeComeBeforeTheWayBack() {
    let terminal = TestTerminal(TreeController(), columns: 80)
    let below = UIViewController()
    below.title = "Below"
    terminal.window.rootViewController = {
      let navigation = UINavigationController(rootViewController: below)
      navigation.pushViewController(TreeController(), animated: false)
      return navigation
    }()
    terminal.session.flush()
    #expect(terminal.text.contains("← Back to Below"))
    terminal.press(.plain(.right), .plain(.right))
    #expect(terminal.text.contains("Esc Back to Below"))
    terminal.press(.plain(.left), .plain(.left), .plain(.left))
    terminal.session.flush()
    #expect(terminal.text.contains("Below") && !terminal.text.contains("Fruit"))
  }

  @Test func whatStandsDeeperBeginsFurtherIn() {
    let terminal = TestTerminal(TreeController())
    terminal.press(.plain(.right))
    let starts = ["Fruit", "Apple", "Pear"].compactMap { title in
      terminal.lines.first { $0.contains(title) }.flatMap { line in
        line.range(of: title).map { line.distance(from: line.startIndex, to: $0.lowerBound) }
      }
    }
    #expect(starts == [4, 6, 6])
  }

  @Test func aClickOnTheSignOpensAndOneOnTheTitleChooses() {
    let controller = TreeController()
    let terminal = TestTerminal(controller)
    terminal.click("▸ Fruit")
    #expect(rows(terminal).count == 5)
    #expect(controller.chosen == [])
    terminal.click("Pear")
    #expect(controller.chosen == ["Pear"])
    terminal.click("▾ Fruit")
    #expect(rows(terminal).count == 3)
  }
}
