import BrowserDriver
import Foundation

// Pages with fields and the sheet of Books.
extension SectionsPage {
  /// The topmost screen: a sheet, or what fills the window.
  private static let top = "document.querySelector('#app').lastElementChild"

  /// `Title: The Quiet Harbour` for each row of the topmost screen, with `›` when it leads on.
  private static let form = """
    [...\(top).querySelectorAll('.row')].map((row) => {
      const part = (css) => row.querySelector(css);
      const value = part('input')?.value ?? part('.value')?.textContent ?? '';
      return [part('.title').textContent, value].join(': ') + (part('.chevron') ? ' ›' : '');
    })
    """

  /// The day of a new book's copyright.
  static var today: String {
    Date.now.formatted(Date.ISO8601FormatStyle(timeZone: .current).year().month().day())
  }

  func form() async throws -> [String] { try await browser.script("return \(Self.form)").strings }

  func waitForForm(_ expected: [String]) async throws {
    let wanted = JavaScript.literal(expected.joined(separator: "\n"))
    try await browser.wait(until: "\(Self.form).join('\\n') === \(wanted)")
  }

  /// The title of the topmost screen.
  func waitForTitle(_ title: String) async throws {
    try await browser.wait(
      until: "\(Self.top).querySelector('h1').textContent === \(JavaScript.literal(title))")
  }

  /// Replaces what the field of a label says, as a user does: with the keyboard.
  func fill(_ label: String, _ text: String) async throws {
    let field = "#app > :last-child .row input[aria-label='\(label)']"
    _ = try await browser.find(Selector(field))
    try await browser.script(
      "const e = document.querySelector(arguments[0]); e.focus(); e.select()", [.string(field)])
    if text.isEmpty { try await browser.press(.backspace) } else { try await browser.type(text) }
  }

  /// Chooses a day such as 1984-05-27, as the browser's own picker does.
  func fill(_ label: String, day: String) async throws {
    let field = "#app > :last-child input[type=date][aria-label='\(label)']"
    _ = try await browser.find(Selector(field))
    try await browser.script(
      """
      const e = document.querySelector(arguments[0]);
      e.value = arguments[1];
      e.dispatchEvent(new Event('change', { bubbles: true }));
      """, [.string(field), .string(day)])
  }

  // MARK: Books

  func openBook(_ title: String) async throws {
    try await choose(title)
    try await waitForTitle(title)
  }

  func deleteBook(_ title: String) async throws {
    try await act("Delete", on: title)
    try await waitForText("“\(title)” deleted", in: ".toast")
  }

  func beginEditing() async throws {
    try await press("Edit")
    try await browser.wait(until: "!!document.querySelector('.bar .undo')")
  }

  /// Edits one field on its own page, and waits until the detail page is back.
  func edit(_ field: String, _ text: String) async throws {
    try await choose(field)
    if field == "Copyright" {
      try await fill(field, day: text)
    } else {
      try await fill(field, text)
    }
    try await press("Save")
    try await browser.wait(until: "!!document.querySelector('.bar .undo')")
  }

  /// Done, until it is saved: the undo manager has gone then, and its buttons with it.
  func endEditing() async throws {
    try await press("Done")
    try await browser.wait(until: "!document.querySelector('.bar .undo')")
  }

  func waitForNoSheet() async throws {
    try await browser.wait(until: "!document.querySelector('.modal')")
  }

  func dismissAlert() async throws {
    try await answer([], "OK")
    try await browser.wait(until: "!document.querySelector('dialog')")
  }
}
