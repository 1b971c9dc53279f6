#if Web
  import BrowserDriver
  import Testing

  @testable import ListWeb

  /// What is pressed while the page's scripts are on their way.
  @MainActor
  @Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
  struct EarlyActsTests {
    @Test func whatIsPressedBeforeTheScriptsAreThereIsCarriedOut() async throws {
      let model = Titles(["Bread", "Rolls"])
      try await withServer(model) { server in
        let browser = try await Browser()
        do {
          try await browser.open(server.url)
          try await browser.wait(until: "document.body.dataset.connected === 'true'")
          try await browser.developerCommand("Network.enable")
          try await block("*/page/main.js", in: browser)
          try await browser.reload()
          try await browser.wait(until: "document.querySelector('.row')")
          try await browser.script("document.querySelector('.row').focus()")
          try await browser.press(.delete)
          try await browser.type("Milk\n", into: "input[data-field]")
          // Twice is once: nothing was to be seen of the first time.
          for _ in 0..<2 {
            try await browser.script(
              "document.querySelectorAll('.row')[1].dispatchEvent(new MouseEvent('click', { bubbles: true }))"
            )
          }
          #expect(model.titles == ["Bread", "Rolls"])
          try await block(in: browser)
          try await browser.script("import('/page/main.js?again')")
          try await wait(for: { model.titles == ["Rolls", "Milk"] }, "what was pressed")
          try await browser.wait(until: "location.pathname.endsWith('/at/Rolls')")
        } catch {
          await browser.quit()
          throw error
        }
        await browser.giveBack()
      }
    }

    @Test func theFieldThatHasTheKeyboardGetsItBeforeTheScriptsAreThere() async throws {
      let model = Titles(["Bread"])
      model.startsWithKeyboard = true
      try await withServer(model) { server in
        let browser = try await Browser()
        do {
          try await browser.open(server.url)
          try await browser.wait(until: "document.activeElement.matches('input[data-field]')")
          try await browser.developerCommand("Network.enable")
          try await block("*/page/main.js", in: browser)
          try await browser.reload()
          try await browser.wait(until: "document.activeElement.matches('input[data-field]')")
          let messages = try await browser.consoleMessages().filter { !$0.contains("main.js") }
          #expect(messages == [])
        } catch {
          await browser.quit()
          throw error
        }
        await browser.giveBack()
      }
    }

    private func block(_ addresses: JSONValue..., in browser: Browser) async throws {
      try await browser.developerCommand("Network.setBlockedURLs", ["urls": .array(addresses)])
    }
  }
#endif
