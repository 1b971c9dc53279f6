import BrowserDriver
import Foundation
import ListKit
import Testing

@testable import ListWeb

/// Popovers in a real browser: where they stand, and how they go.
@MainActor
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct PopoverTests {
  private func withPopovers(
    _ body: (Browser, PopoverScreen) async throws -> Void
  ) async throws {
    let screen = PopoverScreen()
    try await withScreen(screen) { browser in
      try await browser.preferReducedMotion()
      try await browser.resize(width: 900, height: 700)
      try await body(browser, screen)
    }
  }

  /// Waits until the popover is on a side of its source, wholly seen, with its arrow at the source.
  private func wait(for side: String, of source: String, in browser: Browser) async throws {
    try await browser.wait(
      until: """
        (() => {
          const source = \(source).getBoundingClientRect();
          const box = document.querySelector('.popover.beside .screen').getBoundingClientRect();
          const side = box.top >= source.bottom ? 'below' : box.bottom <= source.top ? 'above'
            : box.left >= source.right ? 'right' : box.right <= source.left ? 'left' : 'in';
          const arrow = document.querySelector('.popover .arrow').getBoundingClientRect();
          const [x, y] = [(arrow.left + arrow.right) / 2, (arrow.top + arrow.bottom) / 2];
          const points = side === 'below' || side === 'above'
            ? x >= source.left && x <= source.right : y >= source.top && y <= source.bottom;
          const isSeen = box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
          return side === '\(side)' && isSeen && points;
        })()
        """)
  }

  private let button = "document.querySelector('.bar [data-press]')"
  private func row(_ index: Int) -> String { "document.querySelectorAll('.row')[\(index)]" }

  private func close(_ browser: Browser) async throws {
    try await browser.press(.escape)
    try await browser.wait(until: "!document.querySelector('.modal')")
  }

  @Test func itStandsBelowTheButtonOfTheBarAndTheFocusComesBack() async throws {
    try await withPopovers { browser, _ in
      try await browser.click(".bar [data-press]")
      try await wait(for: "below", of: button, in: browser)
      try await browser.wait(
        until: "document.querySelector('.popover').contains(document.activeElement)")
      try await close(browser)
      try await browser.wait(until: "document.activeElement === \(button)")
    }
  }

  @Test func itFlipsAtTheEdgesOfTheWindow() async throws {
    try await withPopovers { browser, screen in
      try await browser.click(".row:nth-child(2) .title")
      try await wait(for: "below", of: row(1), in: browser)
      try await close(browser)
      // The last row that is seen stands at the end of the window.
      try await browser.script("\(row(11)).querySelector('.title').click()")
      try await wait(for: "above", of: row(11), in: browser)
      try await close(browser)
      screen.arrows = [.left, .right]
      try await browser.resize(width: 1500, height: 700)
      try await browser.click(".row:nth-child(2) .title")
      try await wait(for: "right", of: row(1), in: browser)
    }
  }

  @Test func itFollowsItsSourceWhenTheWindowChanges() async throws {
    try await withPopovers { browser, _ in
      try await browser.click(".bar [data-press]")
      try await wait(for: "below", of: button, in: browser)
      try await browser.resize(width: 700, height: 600)
      try await browser.wait(until: "innerWidth === 700")
      try await wait(for: "below", of: button, in: browser)
    }
  }

  @Test func aClickBesideItTakesItAway() async throws {
    try await withPopovers { browser, screen in
      try await browser.click(".bar [data-press]")
      try await wait(for: "below", of: button, in: browser)
      try await browser.script("document.elementFromPoint(20, innerHeight - 20).click()")
      try await browser.wait(until: "!document.querySelector('.modal')")
      #expect(screen.chosen == [])
    }
  }

  @Test func whatIsChosenInItIsTold() async throws {
    try await withPopovers { browser, screen in
      try await browser.click(".bar [data-press]")
      try await wait(for: "below", of: button, in: browser)
      try await browser.click(".popover .row:nth-child(2) .title")
      try await browser.wait(until: "!document.querySelector('.modal')")
      try await ListWebTests.wait(for: { screen.chosen == ["Choice 1"] }, "the choice")
    }
  }

  @Test func inANarrowWindowItIsASheet() async throws {
    try await withPopovers { browser, screen in
      try await browser.resize(width: 500, height: 700)
      try await browser.wait(until: "innerWidth === 500")
      try await browser.click(".bar [data-press]")
      try await browser.wait(until: "document.querySelector('.popover .screen')")
      try await browser.wait(
        until: """
          (() => {
            const box = document.querySelector('.popover .screen').getBoundingClientRect();
            return !document.querySelector('.popover.beside') && box.left === 0
              && box.width === document.documentElement.clientWidth
              && Math.round(box.bottom) === innerHeight;
          })()
          """)
      try await close(browser)
      screen.isPopoverEverywhere = true
      try await browser.click(".bar [data-press]")
      try await wait(for: "below", of: button, in: browser)
    }
  }
}

/// Rows, each of which shows a popover beside itself, and a button that does so too.
private final class PopoverScreen: UITableViewController, UIAdaptivePresentationControllerDelegate {
  var arrows = UIPopoverArrowDirection.any
  var isPopoverEverywhere = false
  var chosen: [String] = []

  init() {
    super.init(style: .plain)
    title = "Beside"
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    navigationItem.rightBarButtonItem = UIBarButtonItem(
      title: "Look",
      primaryAction: UIAction(title: "Look") { [weak self] _ in
        self?.show(beside: self?.navigationItem.rightBarButtonItem)
      })
  }

  private func show(beside source: (any UIPopoverPresentationControllerSourceItem)?) {
    let choices = ChoicesScreen { [weak self] in self?.chosen.append($0) }
    choices.modalPresentationStyle = .popover
    choices.popoverPresentationController?.sourceItem = source
    choices.popoverPresentationController?.permittedArrowDirections = arrows
    choices.popoverPresentationController?.delegate = self
    present(choices, animated: true)
  }

  func adaptivePresentationStyle(
    for controller: UIPresentationController
  ) -> UIModalPresentationStyle { isPopoverEverywhere ? .none : .automatic }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    50
  }
  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    cell.textLabel?.text = "Row \(indexPath.row)"
    return cell
  }
  override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    tableView.deselectRow(at: indexPath, animated: false)
    show(beside: tableView.cellForRow(at: indexPath))
  }
}

/// Three things to choose from.
private final class ChoicesScreen: UITableViewController {
  private let choose: @MainActor (String) -> Void

  init(choose: @escaping @MainActor (String) -> Void) {
    self.choose = choose
    super.init(style: .plain)
    title = "Choices"
    preferredContentSize = CGSize(width: 240, height: 160)
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
  }
  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    3
  }
  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    cell.textLabel?.text = "Choice \(indexPath.row)"
    return cell
  }
  override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    dismiss(animated: true)
    choose("Choice \(indexPath.row)")
  }
}
