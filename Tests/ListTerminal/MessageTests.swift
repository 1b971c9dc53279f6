import ListKit
import TestSupport
import Testing

@testable import ListTerminal

/// Messages at the bottom of the screen go by themselves.
@MainActor
struct MessageTests {
  private let controller = SectionsController(["a"])

  @Test(arguments: [false, true]) func aMessageGoesWhenItsTimeIsOver(_ hasAction: Bool) async throws
  {
    let terminal = TestTerminal(controller)
    terminal.session.messageTimes = (.milliseconds(20), .milliseconds(20))
    controller.showToast(
      "“Milk” deleted", action: hasAction ? UIAction(title: "Undo") { _ in } : nil)
    terminal.session.flush()
    #expect(terminal.text.contains("“Milk” deleted"))
    try await Patience.waiting(for: "a message to go") { !terminal.text.contains("deleted") }
  }

  /// It may be an address, which somebody copies.
  @Test func whatTheProgramSaysWaitsForAKey() async throws {
    let terminal = TestTerminal(controller)
    terminal.session.messageTimes = (.milliseconds(20), .milliseconds(20))
    terminal.session.tell("It is at http://127.0.0.1", staysUntilKey: true)
    terminal.session.flush()
    try await Patience.waiting(for: "the time of a message") {
      terminal.session.toast?.isOver == true
    }
    terminal.session.flush()
    #expect(terminal.text.contains("127.0.0.1"))
    // The key that leaves the mouse to the terminal, which copies with it.
    terminal.press(.character("M"))
    #expect(terminal.text.contains("127.0.0.1") && terminal.text.contains("The mouse"))
    try await Patience.waiting(for: "the time of the other message") {
      terminal.session.toast?.isOver == true
    }
    terminal.press(.plain(.down))
    #expect(!terminal.text.contains("127.0.0.1"))
  }

  @Test func aKeyBeforeItsTimeLeavesIt() {
    let terminal = TestTerminal(controller)
    terminal.session.tell("It is at http://127.0.0.1", staysUntilKey: true)
    terminal.press(.plain(.down))
    #expect(terminal.text.contains("127.0.0.1"))
  }

  /// Text that was typed for something that is gone can be read until a key says that it was.
  @Test func lostTextStaysAndGrowsInPlace() async throws {
    let terminal = TestTerminal(controller)
    terminal.session.messageTimes = (.milliseconds(20), .milliseconds(20))
    for typed in ["Mi", "Mil", "Milk"] {
      terminal.session.show(Toast(reason: "The list was deleted.", typed: typed))
    }
    terminal.session.flush()
    #expect(terminal.text.components(separatedBy: "The list was deleted.").count == 2)
    try await Patience.waiting(for: "the time of a message") {
      terminal.session.toast?.isOver == true
    }
    #expect(terminal.text.contains("You typed: Milk"))
    terminal.press(.plain(.down))
    #expect(!terminal.text.contains("Milk"))
  }

  /// Each timer ends its own message alone, also after a message was taken away.
  @Test func noMessageHasTheNumberOfAnEarlierOne() throws {
    let terminal = TestTerminal(controller)
    controller.showToast("one", action: UIAction(title: "Undo") { _ in })
    let first = try #require(terminal.session.toast?.number)
    terminal.press(.character("u"))
    #expect(terminal.session.toast == nil)
    controller.showToast("two")
    #expect(terminal.session.toast?.number != first)
  }
}
