import BrowserDriver
import Testing

/// The cases of TodoMVC's published browser tests, by their names: `Scripts/run-todomvc-tests` runs the
/// published file itself. What those look up in localStorage is looked up in the store's file.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct TodoPublishedTests {
  @Test("When page is initially opened, No Todos, New Todo: should trim, clear, append, show")
  func newTodos() async throws {
    try await withTodos { page in
      // should focus on the todo input field
      try await page.waitFor("document.activeElement.classList.contains('new-todo')")
      // should hide #main and #footer
      #expect(try await page.browser.texts(".todo-list li").isEmpty)
      for css in [".main", ".footer"] { try await page.waitUntil(css, isVisible: false) }
      // should allow me to add todo items; should clear text input field when an item is added
      try await page.create(TodoPage.one)
      try await page.waitForTitles(TodoPage.one)
      try await page.waitFor("document.querySelector('.new-todo').value === ''")
      // should show #main and #footer when items added
      for css in [".main", ".footer"] { try await page.waitUntil(css, isVisible: true) }
      // should append new items to the bottom of the list; should trim text input
      try await page.create("   \(TodoPage.two)   ", TodoPage.three)
      try await page.waitForTitles(TodoPage.one, TodoPage.two, TodoPage.three)
      try await page.waitForSaved(
        "\(TodoPage.one) 0", "\(TodoPage.two) 0", "\(TodoPage.three) 0")
      // An empty text is refused.
      try await page.browser.type("   \n", into: ".new-todo")
      try await page.waitFor("document.querySelector('.new-todo').value.trim() === ''")
      try await page.waitForTitles(TodoPage.one, TodoPage.two, TodoPage.three)
    }
  }

  @Test("Mark all as completed")
  func markAll() async throws {
    try await withTodos { page in
      try await page.createDefaultTodos()
      // should allow me to mark all items as completed
      try await page.browser.click(".toggle-all")
      try await page.waitForCompleted(true, true, true)
      // should allow me to clear the complete state of all items
      try await page.browser.click(".toggle-all")
      try await page.waitForCompleted(false, false, false)
      // complete all checkbox should update state when items are completed / cleared
      try await page.browser.click(".toggle-all")
      try await page.waitForCompleted(true, true, true)
      try await page.toggle(0)
      try await page.waitFor("!document.querySelector('.toggle-all').checked")
      try await page.toggle(0)
      try await page.waitFor("document.querySelector('.toggle-all').checked")
      try await page.waitForCompleted(true, true, true)
      // Off after all have been cleared.
      try await page.browser.click(".clear-completed")
      try await page.waitUntil(".main", isVisible: false)
      try await page.create(TodoPage.one)
      try await page.waitFor("!document.querySelector('.toggle-all').checked")
    }
  }

  @Test("Item, Counter, Persistence")
  func items() async throws {
    try await withTodos { page in
      // should display the current number of todo items
      try await page.create(TodoPage.one)
      try await page.waitFor(
        "document.querySelector('span.todo-count').textContent === '1 item left'")
      try await page.create(TodoPage.two)
      try await page.waitFor(
        "document.querySelector('span.todo-count').textContent === '2 items left'")
      #expect(try await page.browser.texts(".todo-count strong") == ["2"])
      // should allow me to mark items as complete
      try await page.toggle(0)
      try await page.waitForCompleted(true, false)
      try await page.toggle(1)
      try await page.waitForCompleted(true, true)
      // should allow me to un-mark items as complete
      try await page.toggle(1)
      try await page.waitForCompleted(true, false)
      // should persist its data
      try await page.waitForSaved("\(TodoPage.one) 1", "\(TodoPage.two) 0")
      try await page.browser.reload()
      try await page.waitForTitles(TodoPage.one, TodoPage.two)
      try await page.waitForCompleted(true, false)
      // should allow me to edit an item
      try await page.browser.waitForConnection()
      try await page.beginEditing(1)
      try await page.edit("buy some sausages")
      try await page.browser.press(.enter)
      try await page.waitForTitles(TodoPage.one, "buy some sausages")
    }
  }

  @Test("Editing")
  func editing() async throws {
    try await withTodos { page in
      try await page.createDefaultTodos()
      // should hide other controls when editing
      try await page.beginEditing(1)
      for css in [".toggle", "label"] {
        try await page.waitUntil("\(page.item(1)) \(css)", isVisible: false)
      }
      // should save edits on blur
      try await page.edit("buy some sausages")
      try await page.browser.script("document.querySelector('.edit').blur()")
      try await page.waitForTitles(TodoPage.one, "buy some sausages", TodoPage.three)
      // should trim entered text
      try await page.beginEditing(1)
      try await page.edit("   buy some rye    ")
      try await page.browser.press(.enter)
      try await page.waitForTitles(TodoPage.one, "buy some rye", TodoPage.three)
      // should cancel edits on escape
      try await page.beginEditing(1)
      try await page.edit("foo")
      try await page.browser.press(.escape)
      try await page.waitFor("!document.querySelector('.edit')")
      try await page.waitForTitles(TodoPage.one, "buy some rye", TodoPage.three)
      // should remove the item if an empty text string was entered
      try await page.beginEditing(1)
      try await page.edit("")
      try await page.browser.press(.enter)
      try await page.waitForTitles(TodoPage.one, TodoPage.three)
      try await page.waitForSaved("\(TodoPage.one) 0", "\(TodoPage.three) 0")
    }
  }

  @Test("Clear completed button")
  func clearCompleted() async throws {
    try await withTodos { page in
      try await page.createDefaultTodos()
      try await page.waitUntil(".clear-completed", isVisible: false)
      // should display the correct text
      try await page.toggle(1)
      try await page.waitUntil(".clear-completed", isVisible: true)
      #expect(try await page.browser.texts(".clear-completed") == ["Clear completed"])
      // should remove completed items when clicked
      try await page.browser.click(".clear-completed")
      try await page.waitForTitles(TodoPage.one, TodoPage.three)
      // should be hidden when there are no items that are completed
      try await page.waitUntil(".clear-completed", isVisible: false)
    }
  }

  @Test("Routing")
  func routing() async throws {
    try await withTodos { page in
      try await page.createDefaultTodos()
      try await page.toggle(1)
      try await page.waitFor("\(TodoPage.selected) === 'All'")
      // should allow me to display active items
      try await page.choose("Active")
      try await page.waitForTitles(TodoPage.one, TodoPage.three)
      // should allow me to display completed items
      try await page.choose("Completed")
      try await page.waitForTitles(TodoPage.two)
      // should respect the back button; should highlight the currently applied filter
      try await page.browser.script("history.back()")
      try await page.waitForTitles(TodoPage.one, TodoPage.three)
      try await page.waitFor("\(TodoPage.selected) === 'Active'")
      try await page.browser.script("history.back()")
      try await page.waitForTitles(TodoPage.one, TodoPage.two, TodoPage.three)
      // should allow me to display all items
      try await page.choose("Completed")
      try await page.choose("All")
      try await page.waitForTitles(TodoPage.one, TodoPage.two, TodoPage.three)
      // An item leaves the filter when it changes.
      try await page.choose("Active")
      try await page.toggle(0)
      try await page.waitForTitles(TodoPage.three)
      // The filter survives a reload, and is there in another window with the address.
      try await page.browser.reload()
      try await page.waitForTitles(TodoPage.three)
      try await page.browser.newWindow()
      try await page.open("#/completed")
      try await page.waitForTitles(TodoPage.one, TodoPage.two)
      try await page.waitFor("\(TodoPage.selected) === 'Completed'")
    }
  }
}
