import BrowserDriver
import Foundation
import Testing

/// Rows that are moved and deleted by pointer, finger and keyboard, in each column, in both
/// directions of writing, on a slow line, and while another window changes the list.
///
/// Each setting takes a part of the cases, and all of them together each case once; with
/// `TEST_GESTURES=all` in the environment each setting takes each case.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct ListGestureTests {
  /// What a row is moved or deleted with.
  enum Means: String, CaseIterable {
    case mouse, finger, keyboard
  }

  /// What another window does while the row is on its way.
  enum Meanwhile: String, CaseIterable {
    case nothing, inserts, renames, deletes
  }

  /// Where the list stands, and how it is looked at.
  struct Setting: CustomTestStringConvertible, Sendable {
    let column: Int?
    let isRightToLeft: Bool

    static let all = [nil, 1, 3].flatMap { column in
      [false, true].map { Setting(column: column, isRightToLeft: $0) }
    }

    /// The part of some cases that this setting takes.
    func part<Element>(of cases: [Element]) -> [(offset: Int, element: Element)] {
      let place = Self.all.firstIndex { $0.testDescription == testDescription } ?? 0
      let isWhole = ProcessInfo.processInfo.environment["TEST_GESTURES"] == "all"
      return cases.enumerated().filter { isWhole || $0.offset % Self.all.count == place }
    }

    var css: String { column.map { ".columns > :nth-child(\($0))" } ?? "#app" }

    var testDescription: String {
      (column.map { "column \($0)" } ?? "a phone") + (isRightToLeft ? ", right to left" : "")
    }
  }

  /// One case of the family.
  struct Case: CustomStringConvertible {
    let means: Means
    let meanwhile: Meanwhile
    let isSlow: Bool

    static let all = [false, true].flatMap { isSlow in
      Means.allCases.flatMap { means in
        Meanwhile.allCases.map { Case(means: means, meanwhile: $0, isSlow: isSlow) }
      }
    }

    var description: String { "\(means), another \(meanwhile)\(isSlow ? ", slow" : "")" }
  }

  /// The list of a setting, in a browser and in another window.
  struct Stage {
    let page: ListsPage
    let other: PageClient
    let css: String

    /// Gives the list the rows a, b, c and d, with a mark that no case before had.
    func reset(_ mark: Int) async throws -> [String] {
      let rows = ["a", "b", "c", "d"].map { "\($0)\(mark)" }
      for title in try await other.titles() { try await other.delete(title) }
      for title in rows { try await other.add(title) }
      try await wait(for: rows)
      return rows
    }

    /// The titles in their order; the gap of a row that is carried or has just landed counts as
    /// that row.
    private var shown: String {
      """
      [...document.querySelectorAll('\(css) .sections li')]
        .filter((e) => !e.matches('.origin, .dragged'))
        .map((e) => e.matches('.gap') ? document.querySelector('.row.dragged .title').textContent
          : e.querySelector('.title').textContent).join()
      """
    }

    func wait(for titles: [String]) async throws {
      try await page.browser.wait(until: "\(shown) === '\(titles.joined(separator: ","))'")
    }

    func now() async throws -> [String] {
      try await page.browser.script("return \(shown)").string?.split(separator: ",").map(
        String.init) ?? []
    }

    func waitForRest() async throws {
      try await page.browser.wait(
        until: """
          !document.querySelector('.gap, .row:is(.dragged, .origin, .pulled, .swiped, .target, .going)')
            && !sessionStorage.getItem('events')
          """)
    }

    func row(_ title: String, _ part: String = "") async throws -> Selector {
      Selector("\(try await name(of: title)) \(part)")
    }

    private func name(of title: String) async throws -> String {
      let place = try await page.browser.script(
        """
        return String(1 + [...document.querySelectorAll('\(css) .row')]
          .findIndex((e) => e.querySelector('.title').textContent === '\(title)'))
        """
      ).string
      return "\(css) .row:nth-child(\(place ?? "0"))"
    }

    func focus(_ title: String) async throws {
      let row = try await name(of: title)
      try await page.browser.script("document.querySelector('\(row)').focus()")
    }

    /// From now on the server gets what the user does so much later.
    func delayEvents(milliseconds: Int) async throws {
      try await page.browser.script(
        """
        window.quickFetch ??= window.fetch;
        window.fetch = async (address, ...more) => {
          const time = address.endsWith('/events') ? \(milliseconds) : 0;
          await new Promise((go) => setTimeout(go, time));
          return quickFetch(address, ...more);
        };
        """)
    }

    /// What another window does to a row.
    func act(_ meanwhile: Meanwhile, _ rows: [String]) async throws {
      switch meanwhile {
      case .nothing: return
      case .inserts: try await other.move(rows[3], before: rows[0])
      case .renames: try await other.rename(rows[1], to: rows[1].uppercased())
      case .deletes: try await other.delete(rows[1])
      }
      // It has arrived, in whatever form the row is on its way.
      let name: String
      switch meanwhile {
      case .inserts: name = "querySelector('\(css) .row .title').textContent === '\(rows[3])'"
      case .renames: name = "body.textContent.includes('\(rows[1].uppercased())')"
      default: name = "querySelectorAll('\(css) .row:not(.dragged)').length === 3"
      }
      try await page.browser.wait(until: "document.\(name)")
    }
  }

  private func with(_ setting: Setting, _ body: (Stage) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Lists.sqlite")
    let application = try ApplicationProcess(store: store)
    let outer = setting.column == 3 ? ["Trip", "Clothes"] : []
    let first = try await PageClient(application.address)
    for title in outer {
      try await first.add(title)
      try await first.choose(title)
    }
    try await withBrowser(on: application, store: store) { page in
      let browser = page.browser
      try await browser.resize(width: setting.column == nil ? 500 : 1280, height: 800)
      if setting.column != nil {
        try await browser.wait(until: "document.querySelector('.columns')")
      }
      for (column, title) in outer.enumerated() {
        let row = ".columns > :nth-child(\(column + 1)) .row .title"
        try await browser.click(Selector(row, containing: title))
        let next = ".columns > :nth-child(\(column + 2)) h1"
        try await browser.wait(
          until: "document.querySelector('\(next)')?.textContent === '\(title)'")
      }
      if setting.isRightToLeft { try await browser.script("document.documentElement.dir = 'rtl'") }
      let other = try await PageClient(application.address)
      for title in outer { try await other.choose(title) }
      try await body(Stage(page: page, other: other, css: setting.css))
    }
  }

  private func check(
    _ setting: Setting, _ body: (Stage, Case, Int) async throws -> Void
  ) async throws {
    try await with(setting) { stage in
      for (number, one) in setting.part(of: Case.all) {
        do {
          try await stage.delayEvents(milliseconds: one.isSlow ? 400 : 0)
          try await body(stage, one, number)
          #expect(try await stage.page.browser.consoleMessages() == [], "\(one)")
        } catch {
          Issue.record("\(setting.testDescription), \(one): \(error)")
          try await stage.page.browser.press(.escape)
        }
      }
    }
  }

  @Test(arguments: Setting.all) func rowsMove(_ setting: Setting) async throws {
    try await check(setting) { stage, one, number in
      let rows = try await stage.reset(number)
      let browser = stage.page.browser
      let (a, b, c, d) = (rows[0], rows[1], rows[2], rows[3])
      let expected =
        switch one.meanwhile {
        case .nothing: [a, c, b, d]
        case .inserts: [d, a, c, b]
        case .renames: [a, c, b.uppercased(), d]
        case .deletes: [a, c, d]
        }
      if one.means == .keyboard {
        try await stage.focus(b)
        try await stage.act(one.meanwhile, rows)
        try await browser.press(.down, .alternate)
      } else {
        let pointer: Pointer = one.means == .mouse ? .mouse : .finger
        var gesture = try await Gesture(pointer, on: try await stage.row(b, ".grip"), in: browser)
        try await gesture.move(y: 66)
        try await stage.act(one.meanwhile, rows)
        // The rows have gone down under the pointer.
        if one.meanwhile == .inserts { try await gesture.move(y: 48) }
        try await gesture.move(y: 2, steps: 1)
        try await gesture.end()
      }
      // Drawn before the answer.
      if one.isSlow { #expect(try await stage.now() == expected, "\(one)") }
      try await stage.wait(for: expected)
      try await stage.waitForRest()
      try await stage.wait(for: expected)
      #expect(try await stage.other.titles() == expected, "\(one)")
    }
  }

  @Test(arguments: Setting.all) func rowsAreDeleted(_ setting: Setting) async throws {
    try await check(setting) { stage, one, number in
      let rows = try await stage.reset(number)
      let browser = stage.page.browser
      let expected =
        one.meanwhile == .inserts ? [rows[3], rows[0], rows[2]] : [rows[0], rows[2], rows[3]]
      switch one.means {
      case .keyboard:
        try await stage.focus(rows[1])
        try await stage.act(one.meanwhile, rows)
        try await browser.press(.delete)
      case .mouse:
        try await stage.focus(rows[1])
        try await stage.act(one.meanwhile, rows)
        if one.meanwhile != .deletes {
          let title = one.meanwhile == .renames ? rows[1].uppercased() : rows[1]
          try await browser.click(try await stage.row(title, ".action.destructive"))
        }
      case .finger:
        let way = setting.isRightToLeft ? 1.0 : -1.0
        var gesture = try await Gesture(
          .finger, on: try await stage.row(rows[1]), across: setting.isRightToLeft ? 0.1 : 0.9,
          in: browser)
        let width =
          try await browser.script(
            "return document.querySelector('\(setting.css) .row').offsetWidth"
          ).number ?? 0
        try await gesture.move(x: way * 0.4 * width)
        try await stage.act(one.meanwhile, rows)
        try await gesture.move(x: way * 0.4 * width)
        try await gesture.end()
      }
      try await stage.wait(for: expected)
      try await stage.waitForRest()
      try await stage.wait(for: expected)
      #expect(try await stage.other.titles() == expected, "\(one)")
    }
  }

  @Test(arguments: Setting.all) func actionsStayOpenWhatOthersDo(_ setting: Setting) async throws {
    try await with(setting) { stage in
      for (number, meanwhile) in setting.part(of: Meanwhile.allCases + Meanwhile.allCases) {
        do {
          let rows = try await stage.reset(number)
          let browser = stage.page.browser
          let way = setting.isRightToLeft ? 1.0 : -1.0
          var gesture = try await Gesture(
            .finger, on: try await stage.row(rows[1]), across: setting.isRightToLeft ? 0.1 : 0.9,
            in: browser)
          try await gesture.move(x: way * 120)
          try await gesture.end()
          try await browser.wait(until: "document.querySelector('.row.swiped')")
          try await stage.act(meanwhile, rows)
          if meanwhile != .deletes {
            // The first action is at the edge, and does what it says.
            try await browser.wait(
              until: """
                (() => {
                  const list = document.querySelector('\(setting.css) .sections ul')
                    .getBoundingClientRect()
                  const [x, y] = [\(setting.isRightToLeft ? "list.left + 30" : "list.right - 30"),
                    document.querySelector('.row.swiped').getBoundingClientRect().top + 24]
                  const action = document.elementFromPoint(x, y)?.closest('.action')
                  return action?.textContent === 'Delete'
                })()
                """)
            try await browser.click(".row.swiped .action.destructive")
          }
          try await stage.wait(
            for: meanwhile == .inserts ? [rows[3], rows[0], rows[2]] : [rows[0], rows[2], rows[3]])
          try await stage.waitForRest()
        } catch {
          Issue.record("\(setting.testDescription), another \(meanwhile): \(error)")
          try await stage.page.browser.press(.escape)
        }
      }
    }
  }

  // MARK: Hands that do something else

  @Test func anotherFingerLeavesWhatIsCarriedAlone() async throws {
    try await withLists("a", "b", "c") { page in
      let browser = page.browser
      var gesture = try await Gesture(
        .finger, on: .init("\(try await page.row(of: "a")) .grip"), in: browser)
      try await gesture.move(y: 66)
      try await gesture.tapBeside(x: 300, y: 600)
      try await browser.wait(until: "document.querySelector('.gap')")
      try await gesture.move(y: 2, steps: 1)
      try await gesture.end()
      try await page.waitForTitles("b", "a", "c")
    }
  }

  @Test func anotherFingerLeavesWhatIsPulledAlone() async throws {
    try await withLists("a", "b", "c") { page in
      let browser = page.browser
      var gesture = try await Gesture(
        .finger, on: .init(try await page.row(of: "b")), across: 0.9, in: browser)
      try await gesture.move(x: -100)
      try await gesture.tapBeside(x: 300, y: 600)
      try await browser.wait(
        until:
          "document.querySelector('.row.pulled')?.style.getPropertyValue('--pull') === '-100px'")
      try await gesture.end()
      try await browser.wait(until: "document.querySelector('.row.swiped')")
      try await page.waitForTitles("a", "b", "c")
    }
  }

  @Test func aFingerThatIsTakenAwayPutsTheRowBack() async throws {
    try await withLists("a", "b", "c") { page in
      let browser = page.browser
      let rest =
        "!document.querySelector('.gap, .row.dragged, .row.origin, .row.pulled, .row.swiped')"
      for (part, x, y) in [(".grip", 0.0, 66.0), (".texts", -400, 0)] {
        var gesture = try await Gesture(
          .finger, on: .init("\(try await page.row(of: "a")) \(part)"), in: browser)
        try await gesture.move(x: x, y: y)
        try await browser.wait(until: "document.querySelector('.gap, .row.pulled')")
        try await gesture.cancel()
        try await browser.wait(until: rest)
        try await page.waitForTitles("a", "b", "c")
      }
      // And Escape, while the finger is still there.
      var gesture = try await Gesture(
        .finger, on: .init("\(try await page.row(of: "a")) .texts"), across: 0.9, in: browser)
      try await gesture.move(x: -500)
      try await browser.press(.escape)
      try await gesture.move(x: -5, steps: 1)
      try await gesture.end()
      try await browser.wait(until: rest)
      try await page.waitForTitles("a", "b", "c")
    }
  }

  @Test(arguments: Pointer.allCases) func restMeansIntoAndUndoIsInTheMessage(
    _ pointer: Pointer
  ) async throws {
    try await withLists("Groceries", "Milk") { page in
      let browser = page.browser
      var gesture = try await Gesture(
        pointer, on: .init("\(try await page.row(of: "Milk")) .grip"), in: browser)
      try await gesture.move(y: -48)
      // Only after a rest.
      #expect(try await browser.texts(".row.target") == [])
      try await browser.wait(until: "document.querySelector('.row.target')")
      try await gesture.end()
      try await page.waitForTitles("Groceries")
      try await page.waitForToast("“Milk” moved to “Groceries”")
      try await browser.click(.init(".toast button", containing: "Undo"))
      try await page.waitForTitles("Groceries", "Milk")
    }
  }

  @Test(arguments: Pointer.allCases, [-2, -1, 1, 2])
  func aRowThatIsLetGoOnAnotherTakesItsPlace(_ pointer: Pointer, _ rows: Int) async throws {
    try await withLists("a", "b", "c", "d", "e") { page in
      let browser = page.browser
      let height =
        try await browser.script("return document.querySelector('.row').offsetHeight").number ?? 0
      var gesture = try await Gesture(
        pointer, on: .init("\(try await page.row(of: "c")) .grip"), in: browser)
      try await gesture.move(y: Double(rows) * height)
      try await gesture.end()
      var titles = ["a", "b", "d", "e"]
      titles.insert("c", at: 2 + rows)
      try await page.waitForTitles(titles)
    }
  }

  @Test(arguments: Pointer.allCases, [nil, 1]) func theListScrollsAtItsEdges(
    _ pointer: Pointer, _ column: Int?
  ) async throws {
    try await withLists { page in
      let other = try await PageClient(page.application.address)
      for number in 1...24 { try await other.add("\(number)") }
      let browser = page.browser
      try await browser.resize(width: column == nil ? 500 : 1280, height: 800)
      if column != nil { try await browser.wait(until: "document.querySelector('.columns')") }
      let css = column == nil ? "#app" : ".columns > :first-child"
      try await browser.wait(
        until: "document.querySelectorAll('\(css) .sections .row').length === 24")
      var gesture = try await Gesture(
        pointer, on: .init("\(css) .row:nth-child(2) .grip"), in: browser)
      try await gesture.move(y: 780 - gesture.y)
      // Onto the last place, which comes up from below.
      try await browser.wait(
        until: "document.querySelector('\(css) .sections ul').lastElementChild.matches('.gap')")
      try await gesture.end()
      try await browser.wait(
        until: """
          [...document.querySelectorAll('\(css) .sections .title')].at(-1).textContent === '2'
            && !document.querySelector('.gap')
          """)
    }
  }
}
