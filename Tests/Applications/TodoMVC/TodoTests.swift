import BrowserDriver
import Testing

/// TodoMVC beyond its published tests: windows, undo, the keyboard, what a screen reader is told.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct TodoTests {
  @Test func aSecondWindowFollowsEveryChange() async throws {
    try await withTodos { page in
      let first = try await page.browser.currentWindow()
      try await page.createDefaultTodos()
      try await page.browser.newWindow()
      try await page.open("#/active")
      try await page.waitForTitles(TodoPage.one, TodoPage.two, TodoPage.three)
      let second = try await page.browser.currentWindow()
      try await page.browser.switchTo(first)
      try await page.toggle(0)
      try await page.browser.switchTo(second)
      try await page.waitForTitles(TodoPage.two, TodoPage.three)
      try await page.waitFor("document.querySelector('.todo-count').textContent === '2 items left'")
      try await page.browser.click(".toggle-all")
      try await page.browser.switchTo(first)
      try await page.waitForCompleted(true, true, true)
      try await page.waitFor("document.querySelector('.toggle-all').checked")
    }
  }

  @Test func whatWasDoneCanBeUndone() async throws {
    try await withTodos { page in
      try await page.create(TodoPage.one, TodoPage.two)
      try await page.browser.click(".toggle-all")
      try await page.waitForCompleted(true, true)
      try await page.browser.click(".clear-completed")
      try await page.waitUntil(".main", isVisible: false)
      for (name, completed) in [("Clear Completed", true), ("Complete All", false)] {
        try await page.waitFor("document.querySelector('.bar .undo').ariaLabel === 'Undo \(name)'")
        try await page.browser.click(".bar .undo")
        try await page.waitForCompleted(completed, completed)
      }
      try await page.waitForTitles(TodoPage.one, TodoPage.two)
      try await page.browser.click(".bar .undo")
      try await page.waitForTitles(TodoPage.one)
    }
  }

  @Test(arguments: [true, false])
  func theKeyboardStaysOnTheScreenWhenItsButtonGoes(_ isLast: Bool) async throws {
    try await withTodos { page in
      try await page.create(TodoPage.one, TodoPage.two)
      try await page.toggle(0)
      if isLast { try await page.toggle(1) }
      try await page.waitForCompleted(true, isLast)
      try await page.browser.script("document.querySelector('.clear-completed').focus()")
      try await page.browser.press(.enter)
      try await page.waitUntil(".clear-completed", isVisible: false)
      try await page.waitFor(
        "document.activeElement !== document.body && document.activeElement.offsetParent !== null")
    }
  }

  /// A box is no text: undo, the keys of the page and of its row work in it.
  @Test func aBoxHasTheKeysOfItsRowAndOfThePage() async throws {
    try await withTodos { page in
      try await page.create(TodoPage.one, TodoPage.two)
      try await page.browser.click(".todo-list li .toggle")
      try await page.waitForCompleted(true, false)
      try await page.browser.press("z", .control)
      try await page.waitForCompleted(false, false)
      try await page.browser.script("document.querySelector('.todo-list .toggle').focus()")
      try await page.browser.press(.down)
      // On a row, Space ticks it.
      try await page.browser.press(" ")
      try await page.waitForCompleted(false, true)
      try await page.browser.press(" ")
      try await page.waitForCompleted(false, false)
      try await page.browser.script("document.querySelector('.todo-list .toggle').focus()")
      try await page.browser.press("n")
      try await page.waitFor("document.activeElement.matches('input[data-clears]')")
    }
  }

  @Test func aBoxKeepsTheKeyboardWhenItIsChecked() async throws {
    try await withTodos { page in
      try await page.create(TodoPage.one, TodoPage.two)
      try await page.browser.script("document.querySelectorAll('.toggle')[1].focus()")
      try await page.browser.press(" ")
      try await page.waitForCompleted(false, true)
      try await page.waitFor(
        "document.activeElement === document.querySelectorAll('.toggle')[1]")
      try await page.browser.press(" ")
      try await page.waitForCompleted(false, false)
    }
  }

  @Test func aScreenReaderIsToldEachControlsNameAndState() async throws {
    try await withTodos { page in
      try await page.create(TodoPage.one)
      try await page.toggle(0)
      try await page.waitForCompleted(true)
      let tree = try await page.browser.developerCommand("Accessibility.getFullAXTree")
      let nodes = (tree["nodes"]?.array ?? []).map { node -> String in
        let state = (node["properties"]?.array ?? []).first { $0["name"]?.string == "checked" }
        let checked = state?["value"]?["value"]?.string.map { " \($0)" } ?? ""
        let role = node["role"]?["value"]?.string ?? ""
        return "\(role) \(node["name"]?["value"]?.string ?? "")\(checked)"
      }
      for expected in [
        "textbox What needs to be done?", "checkbox Mark all as complete true",
        "checkbox \(TodoPage.one) true", "link All", "link Active", "button Clear completed",
        "group Todos", "list Which todos are shown",
      ] {
        #expect(nodes.contains(expected), "\(expected) is not among \(nodes)")
      }
    }
  }

  @Test func aTodoFieldTakesMarkupAsText() async throws {
    try await withTodos { page in
      let text = "<img src=x onerror=alert(1)> \"' & é 日本"
      try await page.create(text)
      try await page.waitForTitles(text)
      #expect(try await page.browser.texts(".todo-list img").isEmpty)
    }
  }
}
