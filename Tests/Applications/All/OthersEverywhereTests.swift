import BrowserDriver
import Foundation
import TerminalDriver
import Testing

/// Who else is here, in every application: a narrow and a wide window of a browser and a terminal on
/// one list. What each of them does is seen in the two others.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct OthersEverywhereTests {
  @Test(arguments: Habit.all, Seat.allCases)
  func whatOneDoesTheOthersSee(_ habit: Habit, _ actor: Seat) async throws {
    try await withRoom(habit) { room in
      let others = Seat.allCases.filter { $0 != actor }
      for seat in Seat.allCases { try await room.wait(for: 2, in: seat) }
      let title = try await room.firstTitle

      try await room.begin(actor)
      for seat in others { try await room.waitForMark(title, in: seat) }
      try await room.end(actor)
      for seat in others { try await room.waitForMark(nil, in: seat) }

      if let away = habit.select(actor) {
        try await room.select(actor)
        for seat in others { try await room.wait(for: away ? 1 : 2, in: seat) }
        try await room.comeBack(actor)
        for seat in others { try await room.wait(for: 2, in: seat) }
      }

      try await room.leave(actor)
      for seat in others { try await room.wait(for: 1, in: seat) }
    }
  }
}

/// Where a person sits.
enum Seat: String, CaseIterable, Sendable {
  case narrow, wide, terminal
}

/// What a person does with the first row of an application's list.
struct Habit: Sendable, CustomTestStringConvertible {
  typealias Deed = @Sendable (SectionsPage, Seat, _ title: String) async throws -> Void

  let application: String
  /// Begins to edit the row, and ends it without a change.
  let begin: Deed
  let end: Deed
  let beginKeys: [String]
  let endKeys: [String]
  /// Whether the list is left when the row is chosen; nil where that edits the row.
  var select: @Sendable (Seat) -> Bool? = { _ in nil }

  var testDescription: String { application }

  static let all = [
    Habit(
      application: "nested-lists", begin: rename, end: escape, beginKeys: ["r"],
      endKeys: [TerminalProcess.escape], select: { $0 != .wide }),
    Habit(
      application: "todomvc", begin: rename, end: escape,
      beginKeys: [TerminalProcess.escape, "r"], endKeys: [TerminalProcess.escape]),
    Habit(
      application: "goods", begin: { page, _, title in try await page.act("Category…", on: title) },
      end: escape, beginKeys: [".", "Cat", "\r"],
      endKeys: [TerminalProcess.escape, TerminalProcess.escape],
      select: { _ in false }),
    Habit(
      application: "books",
      begin: { page, _, title in
        try await page.choose(title)
        try await page.browser.click(Selector(".bar button", containing: "Edit"))
      },
      end: { page, seat, _ in
        try await page.browser.click(Selector(".bar button", containing: "Done"))
        if seat == .narrow { try await page.browser.click(".bar .back") }
      },
      beginKeys: ["\r", "e"], endKeys: [TerminalProcess.controlS, TerminalProcess.escape],
      select: { $0 != .wide }),
    Habit(
      application: "heroes", begin: choose, end: escape, beginKeys: ["\r"],
      endKeys: [TerminalProcess.escape, TerminalProcess.escape]),
    Habit(
      application: "employees",
      begin: { page, seat, title in
        try await page.choose(title)
        guard seat == .wide else { return }
        try await page.browser.click(
          Selector(".columns > :last-child .bar button", containing: "Edit"))
      },
      end: escape, beginKeys: ["\r"], endKeys: [TerminalProcess.escape, TerminalProcess.escape],
      select: { $0 == .wide ? false : nil }),
  ]

  private static let rename: Deed = { page, _, title in
    try await page.onRow(title) { try await $0.press(.f2) }
    try await page.browser.wait(until: "document.activeElement.matches('.row.editing input')")
  }
  private static let choose: Deed = { page, _, title in try await page.choose(title) }
  private static let escape: Deed = { page, _, _ in
    try await page.browser.wait(until: "document.activeElement.matches('input')")
    try await page.browser.press(.escape)
    try await page.browser.wait(until: "!document.querySelector('.modal, .row.editing')")
  }
}

/// Three windows on one list.
struct Room {
  let habit: Habit
  let page: SectionsPage
  let terminal: TerminalProcess
  let windows: [Seat: String]

  var firstTitle: String {
    get async throws {
      try await sit(.narrow)
      return try await page.browser.texts(".row .title")[0]
    }
  }

  private func sit(_ seat: Seat) async throws {
    if let window = windows[seat] { try await page.browser.switchTo(window) }
  }

  // MARK: Doing

  func begin(_ seat: Seat) async throws {
    let title = try await firstTitle
    try await sit(seat)
    if seat == .terminal { return try await type(habit.beginKeys) }
    try await habit.begin(page, seat, title)
  }

  func end(_ seat: Seat) async throws {
    let title = try await firstTitle
    try await sit(seat)
    if seat == .terminal { return try await type(habit.endKeys) }
    try await habit.end(page, seat, title)
  }

  func select(_ seat: Seat) async throws {
    let title = try await firstTitle
    try await sit(seat)
    if seat == .terminal { return try await type(["\r"]) }
    try await page.choose(title)
  }

  func comeBack(_ seat: Seat) async throws {
    guard habit.select(seat) == true else { return }
    try await sit(seat)
    if seat == .terminal { return try await type([TerminalProcess.escape]) }
    try await page.browser.click(".bar .back")
  }

  func leave(_ seat: Seat) async throws {
    try await sit(seat)
    // A terminal says when it loses the keyboard.
    if seat == .terminal { return terminal.type("\u{1B}[O") }
    try await page.browser.closeWindow()
  }

  /// Each key is carried out before the next one.
  private func type(_ keys: [String]) async throws {
    for key in keys {
      let before = terminal.screen.text
      terminal.type(key)
      try terminal.wait("the answer to a key") { $0.text != before }
    }
  }

  // MARK: Seeing

  func wait(for count: Int, in seat: Seat) async throws {
    if seat == .terminal {
      return try terminal.wait("\(count) others in the bar") {
        $0.lines[0].count { $0 == "●" } == count
      }
    }
    try await sit(seat)
    let words = count == 1 ? "1 other window is here" : "\(count) other windows are here"
    try await page.browser.wait(
      until: "document.querySelector('.others')?.ariaLabel === '\(words)'")
  }

  func waitForMark(_ title: String?, in seat: Seat) async throws {
    if seat == .terminal {
      return try terminal.wait("the mark of \(title ?? "nothing")") {
        let marked = $0.lines.filter { $0.contains("✎") }
        return title.map { title in marked.contains { $0.contains(title) } } ?? marked.isEmpty
      }
    }
    try await sit(seat)
    let marked = "[...document.querySelectorAll('.row.edited .title')].map((e) => e.textContent)"
    let wanted = title.map { "[\(JavaScript.literal($0))]" } ?? "[]"
    try await page.browser.wait(until: "\(marked).join() === \(wanted).join()")
  }
}

private func withRoom(_ habit: Habit, _ body: (Room) async throws -> Void) async throws {
  let folder = try TemporaryFolder()
  let terminal = try TerminalApplication(
    habit.application, store: folder.file("Room.sqlite"),
    arguments: ["--web", "--port", "0", "--seed", "3"], columns: 100
  ).process
  try terminal.wait(for: "#key=")
  let text = terminal.screen.text
  let address = try #require(text.firstMatch(of: /is at (http\S+)/)?.1)
  try await withSections(at: try #require(URL(string: String(address)))) { page in
    let narrow = try await page.openSecondWindow()
    let wide = try await page.browser.currentWindow()
    try await page.browser.resize(width: 1280, height: 800)
    try await page.browser.wait(until: "innerWidth > 1000")
    try await body(
      Room(
        habit: habit, page: page, terminal: terminal, windows: [.narrow: narrow, .wide: wide]))
  }
}
