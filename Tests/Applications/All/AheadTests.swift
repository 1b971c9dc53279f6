import BrowserDriver
import TestSupport
import Testing

/// What is drawn before the answer, on a slow line.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct AheadTests {
  private static let coming =
    "[...document.querySelectorAll('.coming .title')].map((one) => one.textContent).join()"

  private func slowDown(_ browser: Browser) async throws {
    try await browser.delayAnswers(milliseconds: Int(800 * Patience.stretch))
  }

  @Test(arguments: ["nested-lists", "todomvc"])
  func whatIsTypedStandsThereUntilItsRowHasCome(_ application: String) async throws {
    try await withSections(application) { page, _, _ in
      try await slowDown(page.browser)
      try await page.browser.script("document.querySelector('main input[data-field]').focus()")
      try await page.browser.type("one\ntwo\nthree\n")
      try await page.browser.wait(until: "\(Self.coming).endsWith('two,three')")
      #expect(try await page.browser.texts(".row .title").contains("three") == false)
      try await page.browser.wait(until: "document.querySelectorAll('.row').length === 3")
      try await page.browser.wait(until: "!document.querySelector('.coming, .coming-rows')")
    }
  }

  /// The answers that empty the field come after the draft has gone.
  @Test func aDraftStaysWhileEarlierRowsCome() async throws {
    try await withSections("nested-lists", ["--seed", "1"]) { page, _, _ in
      let field = "document.querySelector('main input[data-clears]')"
      try await slowDown(page.browser)
      try await page.browser.script("document.querySelector('main input[data-field]').focus()")
      try await page.browser.type("one\ntwo\nthree\ndraft")
      try await page.browser.script(
        """
        window.emptied = 0;
        setInterval(() => { if (\(field)?.value !== 'draft') emptied += 1; }, 20);
        document.querySelector('.row').focus();
        """)
      try await page.browser.wait(until: "document.querySelectorAll('.row').length === 4")
      try await page.browser.wait(until: "!document.querySelector('.coming, .coming-rows')")
      #expect(try await page.browser.script("return String(emptied)").string == "0")
      // Escape leaves the field, and the text stays.
      try await page.browser.script("\(field).focus()")
      try await page.browser.press(.escape)
      try await page.browser.wait(until: "document.activeElement !== \(field)")
      #expect(try await page.browser.script("return \(field).value").string == "draft")
    }
  }

  @Test func whatIsRefusedGoesBackIntoItsField() async throws {
    try await withSections("nested-lists") { page, _, _ in
      try await slowDown(page.browser)
      // More than a request may have.
      try await page.browser.script(
        """
        const field = document.querySelector('main input[data-field]');
        field.focus();
        field.value = 'x'.repeat(1100000);
        """)
      try await page.browser.press(.enter)
      try await page.browser.wait(until: "document.querySelector('.coming')")
      try await page.waitForText("too long", in: ".toast")
      try await page.browser.wait(
        until: """
          !document.querySelector('.coming')
            && document.querySelector('main input[data-field]').value.length === 1100000
          """)
    }
  }

  @Test func aRowThatIsToBeDeletedLooksSo() async throws {
    try await withSections("nested-lists", ["--seed", "3"]) { page, _, _ in
      try await slowDown(page.browser)
      // What follows waits for the answer to this.
      try await page.browser.script("document.querySelector('main input[data-field]').focus()")
      try await page.browser.type("one\n")
      try await page.browser.wait(until: "document.querySelectorAll('.row').length === 4")
      try await page.browser.script("document.querySelectorAll('.row')[1].focus()")
      try await page.browser.press(.delete)
      try await page.browser.wait(until: "document.querySelector('.row.going')")
      try await page.browser.wait(until: "document.querySelectorAll('.row').length === 3")
      try await page.browser.wait(until: "!document.querySelector('.row.on-its-way')")
    }
  }

  // MARK: Acts on rows that are on their way

  /// What is done with a row before it has come, and what is there when it has.
  struct EarlyAct: Sendable, CustomTestStringConvertible {
    let application: String
    let testDescription: String
    let act: @Sendable (Browser) async throws -> Void
    var looks = "true"
    let outcome: String
  }

  private static let titles =
    "[...document.querySelectorAll('.row .title')].map((one) => one.textContent).join()"
  private static let element = "[...document.querySelectorAll('.coming')].at(-1)"

  private static func focus(_ browser: Browser) async throws {
    try await browser.script("\(element).focus()")
  }

  static let earlyActs = [
    EarlyAct(
      application: "nested-lists", testDescription: "rename by F2",
      act: {
        try await focus($0)
        try await $0.press(.f2)
        try await $0.type("uno\n")
      }, looks: "\(element).querySelector('.title').textContent === 'uno'",
      outcome: "\(titles).endsWith(',uno')"),
    EarlyAct(
      application: "nested-lists", testDescription: "rename by its button, while it comes",
      act: {
        try await $0.script("\(element).querySelector('.rename').click()")
        try await $0.type("uno")
        try await $0.wait(until: "document.querySelector('.row.editing input')?.value === 'uno'")
        try await $0.type("!\n")
      }, outcome: "\(titles).endsWith(',uno!')"),
    EarlyAct(
      application: "nested-lists", testDescription: "delete by key",
      act: {
        try await focus($0)
        try await $0.press(.delete)
      },
      looks: "document.querySelector('.coming.going')",
      outcome: "!\(titles).includes('one') && document.querySelector('.toast')"),
    EarlyAct(
      application: "nested-lists", testDescription: "delete by button",
      act: { try await $0.script("\(element).querySelector('.destructive').click()") },
      looks: "document.querySelector('.coming.going')",
      outcome: "!\(titles).includes('one') && document.querySelector('.toast')"),
    EarlyAct(
      application: "nested-lists", testDescription: "move",
      act: {
        try await focus($0)
        try await $0.press(.up, .alternate)
      },
      outcome: "\(titles).split(',').at(-2) === 'one'"),
    EarlyAct(
      application: "nested-lists", testDescription: "open",
      act: { try await $0.click(".coming:last-child .title") },
      outcome: "document.querySelector('#app h1').textContent === 'one'"),
    EarlyAct(
      application: "todomvc", testDescription: "tick",
      act: { try await $0.click(".coming:last-child input[type=checkbox]") },
      outcome: "[...document.querySelectorAll('.row input[type=checkbox]')].at(-1).checked"),
  ]

  @Test(arguments: earlyActs)
  func whatIsDoneWithARowThatIsOnItsWayIsDoneWhenItHasCome(_ act: EarlyAct) async throws {
    try await withSections(act.application, ["--seed", "3"]) { page, _, _ in
      let browser = page.browser
      try await browser.wait(until: "document.querySelectorAll('.row').length >= 3")
      let before = try await browser.texts(".row .title").count
      try await slowDown(browser)
      try await browser.script("document.querySelector('main input[data-field]').focus()")
      // The second waits for the answer to the first.
      try await browser.type("zero\none\n")
      try await browser.wait(
        until: "\(Self.element)?.querySelector('.title').textContent === 'one'")
      try await act.act(browser)
      if act.looks != "true" { try await browser.wait(until: act.looks) }
      try await browser.wait(until: "!document.querySelector('.coming')")
      try await browser.wait(until: act.outcome)
      #expect(before >= 3)
      #expect(try await browser.consoleMessages() == [])
    }
  }
}
