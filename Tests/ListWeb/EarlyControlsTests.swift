#if Web
  import BrowserDriver
  import Foundation
  import ListKit
  import TestSupport
  import Testing

  @testable import ListWeb

  /// Every control, pressed in every way while the page's scripts are on their way.
  @MainActor
  @Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
  struct EarlyControlsTests {
    enum Means: String, CaseIterable { case click, key, touch }

    /// A control, and what its screen writes down for one act.
    enum Control: String, CaseIterable {
      case barButton, rowButton, box, rowSwitch, stepper, segment, search, date, link, tab

      var css: String {
        switch self {
        case .barButton: ".bar button.item"
        case .rowButton: ".row[data-row]:nth-child(2) .destructive"
        case .box: "input.box"
        case .rowSwitch: ".row input.switch"
        case .stepper: ".stepper button:last-child"
        case .segment: ".segments label:last-child"
        case .search: ".search input"
        case .date: "input[type=date]"
        case .link: ".row:nth-child(2) a.texts"
        case .tab: "[role=tab]:last-child"
        }
      }

      var acts: [String] {
        switch self {
        case .barButton: ["Press"]
        case .rowButton: ["Delete 1"]
        case .box: ["Box"]
        case .rowSwitch: ["In row"]
        case .stepper: ["Steps"]
        case .segment: ["Size"]
        case .search: ["Search x"]
        case .date: ["Day"]
        case .link: ["Row 1"]
        case .tab: []
        }
      }
    }

    private func server(_ screen: EarlyScreen, tabs: UITabBarController) -> ListWebServer {
      ListWebServer(title: "Test", limits: .init(), maximumBody: 1 << 16) { scene in
        let window = UIWindow(windowScene: scene)
        tabs.viewControllers = [screen, UITableViewController(style: .plain)].map {
          UINavigationController(rootViewController: $0)
        }
        tabs.viewControllers?.last?.tabBarItem = UITabBarItem(title: "Other", image: nil, tag: 1)
        window.rootViewController = tabs
        return window
      }
    }

    /// A link by a click or a tap is the browser's own, and an alert is opened by the scripts.
    private nonisolated static let cases = Control.allCases.flatMap { control in
      Means.allCases.filter { control != .link || $0 == .key }.map { (control, $0) }
    }

    @Test(arguments: cases)
    func whatIsPressedEarlyIsDoneOnce(_ control: Control, _ means: Means) async throws {
      let (screen, tabs) = (EarlyScreen(style: .plain), UITabBarController())
      let server = server(screen, tabs: tabs)
      let (addresses, address) = AsyncStream.makeStream(of: URL.self)
      let running = Task { try await server.run { address.yield($0) } }
      var iterator = addresses.makeAsyncIterator()
      guard let url = await iterator.next() else { return }
      let browser = try await Browser()
      do {
        try await browser.developerCommand("Network.enable")
        try await block("*/page/main.js", in: browser)
        try await browser.open(url)
        try await browser.wait(until: "document.querySelector('\(control.css)')")
        try await press(control, means, in: browser)
        #expect(screen.acts == [])
        try await block(in: browser)
        try await browser.script("import('/page/main.js?again')")
        try await browser.wait(until: "document.body.dataset.connected === 'true'")
        try await wait(
          for: {
            control == .tab ? tabs.selectedIndex == 1 : screen.acts == control.acts
          }, "\(control.acts) by \(means)")
        // Nothing else comes of it.
        try await browser.wait(until: "sessionStorage.getItem('events') === null")
        #expect(screen.acts == control.acts)
        await browser.giveBack()
      } catch {
        await browser.quit()
        server.stop()
        try await running.value
        throw error
      }
      server.stop()
      try await running.value
    }

    private func press(_ control: Control, _ means: Means, in browser: Browser) async throws {
      if control == .rowButton {
        try await browser.script("document.querySelectorAll('.row')[1].focus()")
      }
      switch (means, control) {
      case (.key, .segment):
        try await browser.script("document.querySelector('.segments input').focus()")
        try await browser.press(.right)
      case (.key, .box), (.key, .rowSwitch):
        try await focus(control, in: browser)
        try await browser.press(" ")
      case (.key, .search), (.key, .date): try await focus(control, in: browser)
      case (.key, .link):
        try await browser.script("document.querySelectorAll('.row')[1].focus()")
        try await browser.press(.enter)
      case (.key, _):
        try await focus(control, in: browser)
        try await browser.press(.enter)
      case (.click, _): try await browser.click(Selector(control.css))
      case (.touch, _):
        let tap = try await Gesture(.finger, on: Selector(control.css), in: browser)
        try await tap.end()
      }
      if control == .search { try await browser.type("x") }
      if control == .date {
        // As the browser's own picker does.
        try await browser.script(
          """
          const date = document.querySelector('\(control.css)');
          date.value = '2001-02-03';
          date.dispatchEvent(new Event('change', { bubbles: true }));
          """)
      }
    }

    private func focus(_ control: Control, in browser: Browser) async throws {
      try await browser.script("document.querySelector('\(control.css)').focus()")
    }

    private func block(_ addresses: JSONValue..., in browser: Browser) async throws {
      try await browser.developerCommand("Network.setBlockedURLs", ["urls": .array(addresses)])
    }
  }
#endif
