import BrowserDriver
import Foundation
import ListKit
import Testing

@testable import ListWeb

/// Controls in a real browser: by mouse and by keyboard, in light and dark, as a screen reader has
/// them; and what a program sets while they are looked at.
@MainActor
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct ControlsTests {
  private func withControls(
    _ body: (Browser, ControlsScreen) async throws -> Void
  ) async throws {
    let screen = ControlsScreen(style: .plain)
    try await withScreen(screen) { try await body($0, screen) }
  }

  @Test func everyControlIsUsedByTheMouse() async throws {
    try await withControls { browser, screen in
      try await browser.click("input[role=switch][aria-label='Wi-Fi']")
      try await wait(for: { screen.toggle.isOn }, "the switch")
      try await browser.click(.init("label.titled", containing: "With a box"))
      try await wait(for: { screen.box.isOn }, "the box")
      try await browser.click("[data-step='1'][aria-label='Increase Copies']")
      try await browser.wait(until: "document.querySelector('.stepper output').textContent === '1'")
      try await browser.click(.init(".segments label", containing: "Two"))
      try await browser.wait(
        until: "document.querySelector('.segments .selected').textContent === 'Two'")
      try await browser.click("[aria-label='Row 1']")
      try await wait(for: { screen.rowSwitches[1].isOn }, "the row's switch")
      try await browser.click(".toolbar button")
      try await browser.wait(
        until: "document.querySelector('.toolbar button').textContent === 'Saved 1'")
      try await browser.click(".refresh")
      try await browser.wait(
        until: "document.querySelector('.refresh').getAttribute('aria-busy') === 'true'")
      screen.refresh.endRefreshing()
      try await browser.wait(
        until: "document.querySelector('.refresh').getAttribute('aria-busy') === 'false'")
      try await wait(for: { screen.segments.selectedSegmentIndex == 1 }, "the segment")
      try await wait(for: { screen.stepper.value == 1 }, "the number")
    }
  }

  @Test func everyControlIsUsedByTheKeyboardAndKeepsIt() async throws {
    try await withControls { browser, screen in
      let focus = "document.querySelector(arguments[0]).focus()"
      for css in ["[aria-label='Wi-Fi']", "[aria-label='Row 0']"] {
        try await browser.script(focus, [.string(css)])
        try await browser.press(" ")
        try await browser.wait(until: "document.querySelector(\"\(css)\").checked")
        try await browser.wait(until: "document.activeElement?.matches(\"\(css)\")")
      }
      try await wait(for: { screen.rowSwitches[0].isOn && screen.toggle.isOn }, "the switches")
      let up = "[aria-label='Increase Copies']"
      try await browser.script(focus, [.string(up)])
      for count in 1...3 {
        try await browser.press(.enter)
        try await browser.wait(
          until: "document.querySelector('.stepper output').textContent === '\(count)'")
        try await browser.wait(until: "document.activeElement?.matches(\"\(up)\")")
      }
      try await browser.script(focus, ["input[type=range]"])
      try await browser.press(.end)
      try await wait(for: { screen.slider.value == 1 }, "the slider")
      // The group is one stop of Tab, and arrows choose in it.
      try await browser.script(focus, [.string(".segments input")])
      try await browser.press(.right)
      try await browser.press(.right)
      try await browser.wait(
        until: "document.activeElement?.matches('.segments .selected:nth-child(3) input:checked')")
    }
  }

  @Test func whatAProgramSetsIsShownAtOnce() async throws {
    try await withControls { browser, screen in
      screen.toggle.isOn = true
      screen.slider.value = 0.5
      screen.progress.progress = 0.75
      screen.activity.stopAnimating()
      screen.segments.selectedSegmentIndex = 2
      screen.stepper.value = 42
      screen.countdown.countDownDuration = 5400
      screen.rowSwitches[1].isOn = true
      try await browser.wait(
        until: """
          document.querySelector("[aria-label='Wi-Fi']").checked
            && document.querySelector('input[type=range]').value === '0.5'
            && document.querySelector('progress').value === 0.75
            && !document.querySelector('.activity.moving:not(.refresh *)')
            && document.querySelector('.segments .selected').textContent === 'Three'
            && document.querySelector('.stepper output').textContent === '42'
            && document.querySelector('input[type=time]').value === '01:30'
            && document.querySelector("[aria-label='Row 1']").checked
          """)
    }
  }

  @Test func aScreenReaderHasEachControlsRoleNameAndState() async throws {
    try await withControls { browser, _ in
      let tree = try await browser.developerCommand("Accessibility.getFullAXTree")
      let nodes = (tree["nodes"]?.array ?? []).map {
        "\($0["role"]?["value"]?.string ?? "") \($0["name"]?["value"]?.string ?? "")"
      }
      for expected in [
        "switch Wi-Fi", "checkbox With a box", "group Copies", "button Increase Copies",
        "slider Volume", "radio One", "progressbar Upload", "progressbar Waiting",
        "toolbar Actions", "button Save", "button Refresh", "switch Row 0",
      ] {
        #expect(nodes.contains(expected), "\(expected) is not among \(nodes)")
      }
    }
  }

  @Test func rowsHaveNamesColoursAndPicturesInLightAndDark() async throws {
    try await withControls { browser, _ in
      #expect(try await browser.texts(".row-0 .picture") == ["☆"])
      #expect(try await browser.texts(".row-0 .title.text-green") == ["Row <0>"])
      var colours: Set<String> = []
      for scheme in ["light", "dark"] {
        try await browser.prefer(colours: scheme)
        for css in [".row-0", ".row-1"] {
          // A colour on its way to another one is neither.
          try await browser.wait(
            until: "!document.querySelector('\(css)').getAnimations({ subtree: true }).length")
          let colour = try await browser.script(
            "return getComputedStyle(document.querySelector(arguments[0])).backgroundColor",
            [.string(css)])
          colours.insert(colour.string ?? "")
        }
      }
      #expect(colours.count == 4)
      if let folder = ProcessInfo.processInfo.environment["SCREENSHOTS"] {
        for scheme in ["light", "dark"] {
          try await browser.prefer(colours: scheme)
          try await browser.screenshot(to: URL(fileURLWithPath: "\(folder)/controls-\(scheme).png"))
        }
      }
    }
  }
}
