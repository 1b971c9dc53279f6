import Foundation
import ListKit
import Testing

@testable import ListTerminal

@MainActor
struct QuestionTests {
  private func ask(
    _ controller: UIViewController, style: UIAlertController.Style = .alert, fields: Int = 0,
    _ titles: [(String, UIAlertAction.Style)],
    _ answer: @escaping @MainActor (String, [String]) -> Void
  ) {
    let alert = UIAlertController(title: "Really?", message: "It matters.", preferredStyle: style)
    for number in 0..<fields { alert.addTextField { $0.placeholder = "Field \(number + 1)" } }
    for (title, style) in titles {
      alert.addAction(
        UIAlertAction(title: title, style: style) { [weak alert] _ in
          answer(title, alert?.textFields?.map { $0.text ?? "" } ?? [])
        })
    }
    controller.present(alert, animated: false)
  }

  @Test func fieldsAreFilledInOneAfterTheOther() {
    let controller = SectionsController(["a"])
    let terminal = TestTerminal(controller)
    ask(controller, fields: 2, [("Cancel", .cancel), ("Add", .default)]) {
      controller.events.append("\($0) \($1)")
    }
    terminal.session.flush()
    #expect(terminal.text.contains("Really?") && terminal.text.contains("[ Cancel ]  [ Add ]"))
    terminal.type("q?")
    terminal.press(.plain(.enter))
    terminal.type("two")
    terminal.press(.plain(.enter))
    #expect(controller.events == [#"Add ["q?", "two"]"#])
    #expect(!terminal.text.contains("Really?"))
    #expect(terminal.currentLine?.hasPrefix("a") == true)
  }

  /// A Return too many writes over nobody's title.
  @Test(arguments: [
    (KeyPress.Key.enter, [String]()), (.character("u"), ["renamed"]), (.escape, []),
  ])
  func aRenamingThatMeetsAnotherKeepsTheirsByDefault(_ key: KeyPress.Key, _ renames: [String])
    throws
  {
    let controller = SectionsController(["a"])
    let terminal = TestTerminal(controller)
    let question = try #require(RenameQuestion(old: "a", now: "theirs", typed: "mine"))
    question.ask(in: try #require(controller.view.window)) { controller.events.append("renamed") }
    terminal.session.flush()
    #expect(terminal.text.contains("[ Keep Theirs ]"))
    terminal.press(.plain(key))
    #expect(controller.events == renames)
    #expect(!terminal.text.contains("Keep Theirs"))
  }

  @Test func escapeCancelsAndTabReachesButtons() {
    let controller = SectionsController(["a"])
    let terminal = TestTerminal(controller)
    ask(controller, fields: 1, [("Cancel", .cancel), ("Add", .default)]) { title, _ in
      controller.events.append(title)
    }
    terminal.press(.plain(.escape))
    ask(controller, fields: 1, [("Cancel", .cancel), ("Add", .default)]) { title, _ in
      controller.events.append(title)
    }
    terminal.press(.plain(.tab), .plain(.tab), .plain(.enter))
    #expect(controller.events == ["Cancel", "Add"])
  }

  @Test(arguments: [KeyPress.character("q"), .control("c")])
  func aSheetWithChangesAsksBeforeTheEnd(key: KeyPress) throws {
    let controller = SectionsController(["a"])
    let terminal = TestTerminal(controller)
    let sheet = UINavigationController(rootViewController: SectionsController(["b"]))
    let guardian = Guardian(of: sheet)
    controller.present(sheet, animated: false)
    let presentation = try #require(sheet.presentationController)
    presentation.delegate = guardian
    sheet.isModalInPresentation = true
    terminal.press(key)
    #expect(terminal.text.contains("What you changed is not saved"))
    #expect(terminal.requests.isEmpty)
    terminal.press(.control("c"))
    #expect(terminal.requests.map { "\($0)" } == ["quit"])
  }

  @Test func aSheetWithoutChangesEndsAtOnce() {
    let controller = SectionsController(["a"])
    let terminal = TestTerminal(controller)
    controller.present(
      UINavigationController(rootViewController: SectionsController(["b"])), animated: false)
    terminal.press(.control("c"))
    #expect(terminal.requests.map { "\($0)" } == ["quit"])
  }

  @Test func aSheetIsChosenFromByArrowLetterOrMouse() {
    let controller = SectionsController(["a"])
    let terminal = TestTerminal(controller)
    func askAgain() {
      ask(
        controller, style: .actionSheet,
        [
          ("Discard", .destructive), ("Keep", .default), ("Cancel", .cancel),
        ]
      ) { title, _ in controller.events.append(title) }
      terminal.session.flush()
    }
    askAgain()
    terminal.press(.plain(.down), .plain(.enter))
    askAgain()
    terminal.press(.character("k"))
    askAgain()
    terminal.click("[ Discard ]")
    #expect(
      controller.events == ["Keep", "Keep", "Discard"]
        || controller.events == ["Discard", "Keep", "Discard"]
        || controller.events == ["Cancel", "Keep", "Discard"])
  }

  @Test func aLongSheetScrollsToWhatIsMeant() {
    let controller = SectionsController(["a"])
    let terminal = TestTerminal(controller, columns: 30, rows: 8)
    ask(controller, style: .actionSheet, (1...40).map { ("Choice \($0)", .default) }) { title, _ in
      controller.events.append(title)
    }
    terminal.session.flush()
    for _ in 0..<60 { terminal.press(.plain(.up)) }
    let line = terminal.lines.first { $0.contains("[ Choice") }
    #expect(line != nil)
    terminal.press(.plain(.enter))
    #expect(controller.events.count == 1)
  }

  @Test func typedTextStaysWhileAQuestionLiesOverIt() {
    let controller = SectionsController(["Bread"])
    let terminal = TestTerminal(controller)
    terminal.press(.plain(.function(2)))
    terminal.type(" roll")
    ask(controller, [("OK", .cancel)]) { _, _ in }
    terminal.press(.plain(.enter))
    terminal.type("s")
    terminal.press(.plain(.enter))
    #expect(controller.sections[0].rows == ["Bread rolls"])
  }
}

/// Asks before its sheet is cancelled.
@MainActor
private final class Guardian: UIAdaptivePresentationControllerDelegate {
  private weak var sheet: UIViewController?

  init(of sheet: UIViewController) { self.sheet = sheet }

  func presentationControllerDidAttemptToDismiss(
    _ presentationController: UIPresentationController
  ) {
    let question = UIAlertController(
      title: "What you changed is not saved", message: nil, preferredStyle: .actionSheet)
    question.addAction(UIAlertAction(title: "Discard", style: .destructive))
    question.addAction(UIAlertAction(title: "Keep Editing", style: .cancel))
    sheet?.present(question, animated: false)
  }
}
