import Foundation
import ListKit
import Testing

@testable import ListTerminal

@MainActor
struct MouseTests {
  @Test func aClickChooses() {
    let controller = SectionsController(["a", "b", "c"])
    let terminal = TestTerminal(controller)
    terminal.click("⠿ b")
    #expect(controller.events == ["open b"])
    #expect(terminal.currentLine?.hasPrefix("b") == true)
  }

  @Test func theSecondClickOfADoubleClickOpensNothingOnTheNextScreen() {
    let terminal = TestTerminal(SectionsController(["Open it"]))
    let y = terminal.lines.firstIndex { $0.contains("Open it") } ?? 0
    terminal.click(x: 8, y: y)
    terminal.click(x: 8, y: y)
    #expect(terminal.lines[1] == " Open it")
  }

  @Test func theWheelScrolls() {
    let terminal = TestTerminal(SectionsController((1...100).map { "Row \($0)" }))
    terminal.mouse(.wheelDown, x: 5, y: 8)
    terminal.mouse(.wheelDown, x: 5, y: 8)
    #expect(!terminal.text.contains("Row 5 ") && terminal.text.contains("Row 7 "))
    #expect(terminal.text.contains("▌"))
    for _ in 0..<10 { terminal.mouse(.wheelUp, x: 5, y: 8) }
    #expect(terminal.text.contains("Row 1 "))
  }

  @Test func aRowIsDraggedBesideAnother() {
    let controller = SectionsController(["a", "b", "c", "d"])
    let terminal = TestTerminal(controller)
    let y = terminal.lines.firstIndex { $0.contains("⠿ a") } ?? 0
    terminal.mouse(.press, x: 4, y: y)
    terminal.mouse(.drag, x: 4, y: y + 1)
    terminal.mouse(.drag, x: 4, y: y + 2)
    terminal.mouse(.release, x: 4, y: y + 2)
    #expect(controller.sections[0].rows == ["b", "c", "a", "d"])
    #expect(controller.events == ["move a"])
  }

  @Test func aRowIsDroppedIntoAnother() {
    let controller = SectionsController(["a", "b"])
    let terminal = TestTerminal(controller)
    let y = terminal.lines.firstIndex { $0.contains("⠿ a") } ?? 0
    terminal.mouse(.press, x: 4, y: y)
    terminal.mouse(.drag, x: 40, y: y + 1)
    terminal.mouse(.release, x: 40, y: y + 1)
    #expect(controller.events == ["drop a into b"])
  }

  @Test func fieldsButtonsAndHintsAreClicked() {
    let controller = SectionsController(["a"])
    let terminal = TestTerminal(controller)
    terminal.click("New item")
    terminal.type("x")
    terminal.press(.plain(.enter), .plain(.escape))
    terminal.click("Add…")
    terminal.click("? Help")
    #expect(controller.sections[0].rows == ["a", "x"] && controller.events == ["add"])
    #expect(terminal.text.contains("Next part of the screen") || terminal.text.contains("Rename"))
  }

  @Test func theOtherButtonOpensTheMenu() {
    let terminal = TestTerminal(SectionsController(["a", "b"]))
    let y = terminal.lines.firstIndex { $0.contains("⠿ b") } ?? 0
    terminal.mouse(.menu, x: 6, y: y)
    #expect(terminal.text.contains("Move up"))
  }

  @Test func aClickInAFieldPutsTheCursorThere() {
    let terminal = TestTerminal(SectionsController(["a"]))
    terminal.press(.character("n"))
    terminal.type("0123456789")
    let y = terminal.lines.firstIndex { $0.contains("0123456789") } ?? 0
    terminal.click(x: 3 + 4, y: y)
    terminal.type("x")
    #expect(terminal.text.contains("0123x456789"))
  }
}
