import Foundation
import ListKit
import Testing

@testable import ListTerminal

@MainActor
struct EditingTests {
  @Test func theFieldOverTheListAdds() {
    let controller = SectionsController(["Bread"])
    let terminal = TestTerminal(controller)
    terminal.press(.character("n"))
    terminal.type("Milk")
    #expect(terminal.text.contains("+ Milk"))
    #expect(terminal.screen.isCursorShown)
    terminal.press(.plain(.enter))
    terminal.type("Tea")
    terminal.press(.plain(.enter), .plain(.escape))
    #expect(controller.sections[0].rows == ["Bread", "Milk", "Tea"])
    #expect(terminal.currentLine?.hasPrefix("Tea") == true)
    #expect(!terminal.screen.isCursorShown)
  }

  @Test func returnsThatComeTogetherAddOneEach() {
    let controller = SectionsController([String]())
    let terminal = TestTerminal(controller)
    terminal.press(.character("n"))
    var parser = InputParser()
    terminal.session.handle(parser.parse("Tea\rRye\rEgg\r".utf8))
    #expect(controller.sections[0].rows == ["Tea", "Rye", "Egg"])
  }

  @Test func eachPastedLineIsARow() {
    let controller = SectionsController([String]())
    let terminal = TestTerminal(controller)
    terminal.press(.character("n"))
    terminal.paste("one\r\ntwo\nq")
    #expect(controller.sections[0].rows == ["one", "two", "q"])
    terminal.paste("half ")
    terminal.paste("a line")
    #expect(terminal.text.contains("+ half a line"))
  }

  @Test func aPastedTabIsASpace() {
    let controller = SectionsController([String]())
    let terminal = TestTerminal(controller)
    terminal.press(.character("n"))
    terminal.paste("two\tTab\u{1B}[1m")
    terminal.press(.plain(.enter))
    #expect(controller.sections[0].rows == ["two Tab[1m"])
  }

  @Test func aPasteIsNeverKeys() {
    let controller = SectionsController(["Bread"])
    let terminal = TestTerminal(controller)
    terminal.paste("dq")
    #expect(controller.events.isEmpty && terminal.requests.isEmpty)
    #expect(terminal.text.contains("Choose a field first"))
  }

  @Test func aTitleIsEditedInItsRow() {
    let controller = SectionsController(["Bread", "Milk"])
    let terminal = TestTerminal(controller)
    terminal.press(.plain(.function(2)), .control("u"))
    terminal.type("Rye")
    terminal.press(.plain(.enter))
    #expect(controller.events == ["rename Bread to Rye"])
    terminal.press(.character("r"))
    terminal.type("xx")
    terminal.press(.plain(.escape))
    #expect(controller.sections[0].rows == ["Rye", "Milk"])
    #expect(terminal.currentLine?.hasPrefix("Rye") == true)
  }

  @Test func whatIsTypedSurvivesChangesAroundIt() {
    let controller = SectionsController(["Bread", "Milk"])
    let terminal = TestTerminal(controller)
    terminal.press(.plain(.down), .plain(.function(2)))
    terminal.type(" and honey")
    controller.insert("First", at: IndexPath(row: 0, section: 0))
    controller.tableView.reconfigureRows(at: [IndexPath(row: 2, section: 0)])
    terminal.resize(columns: 40, rows: 12)
    terminal.type("!")
    #expect(terminal.text.contains("Milk and honey!"))
    terminal.press(.plain(.enter))
    #expect(controller.sections[0].rows == ["First", "Bread", "Milk and honey!"])
  }

  @Test func whatWasTypedForADeletedRowIsTold() {
    let controller = SectionsController(["Bread", "Milk", "Tea"])
    let terminal = TestTerminal(controller, columns: 80)
    terminal.press(.plain(.down), .plain(.function(2)))
    terminal.type(" tart")
    controller.remove(IndexPath(row: 1, section: 0))
    terminal.session.flush()
    #expect(terminal.text.contains("You typed: Milk tart"))
    #expect(controller.sections[0].rows == ["Bread", "Tea"])
    // Not before a row has been chosen: the key was meant for the one that is gone.
    terminal.press(.plain(.enter))
    #expect(controller.events == [])
    terminal.press(.plain(.down), .plain(.enter))
    #expect(controller.events == ["open Tea"])
  }

  @Test func controlZTakesTypingBackFirst() {
    let controller = SectionsController(["Bread"])
    let terminal = TestTerminal(controller)
    controller.undoManager?.registerUndo(withTarget: controller) { $0.events.append("undone") }
    controller.undoManager?.endEvent()
    terminal.press(.character("n"))
    terminal.type("abc")
    terminal.press(.control("z"))
    #expect(controller.events.isEmpty)
    #expect(!terminal.text.contains("abc"))
    terminal.press(.control("z"))
    #expect(controller.events == ["undone"])
  }

  @Test func charactersThatComeTogetherAreToldAtOnce() {
    let controller = SectionsController(["Bread"])
    let terminal = TestTerminal(controller)
    var told: [String] = []
    controller.field.addAction(
      UIAction { action in told.append((action.sender as? UITextField)?.text ?? "") },
      for: .editingChanged)
    terminal.press(.character("n"))
    var parser = InputParser()
    terminal.session.handle(parser.parse("rosa w".utf8))
    terminal.session.handle(parser.parse("xy\u{7F}z".utf8))
    #expect(told == ["rosa w", "rosa wxy", "rosa wxz"])
  }

  @Test func leavingTheFieldKeepsWhatWasTyped() {
    let terminal = TestTerminal(SectionsController(["Bread"]))
    terminal.press(.character("n"))
    terminal.type("later")
    terminal.press(.plain(.escape), .plain(.down), .character("n"))
    terminal.type("!")
    #expect(terminal.text.contains("+ later!"))
  }
}
