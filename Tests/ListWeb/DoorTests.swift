#if Web
  import BrowserDriver
  import Foundation
  import TestSupport
  import Testing

  @testable import ListWeb

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// Who gets in, and what happens when it is full.
  @MainActor
  @Suite(.serialized) struct DoorTests {
    private let key = AccessKey()

    /// Asks for a window with a header, as the page of an address does.
    private func enter(
      _ server: RunningServer, _ authorization: String? = nil, place: String = ""
    ) async throws -> (status: Int, text: String, session: String?) {
      var headers = ["Origin": server.origin]
      headers["Authorization"] = authorization
      let body = #"{"place":"\#(place)","isLoaded":true}"#
      let answer = try await server.post("/w", body, headers)
      let session = answer.text.firstMatch(of: /"session":"([0-9a-f]{32})"/)
      return (answer.status, answer.text, session.map { String($0.1) })
    }

    @Test func withoutTheKeyNobodyGetsAWindow() async throws {
      try await withServer(Titles(["Secret"]), key: key) { server in
        #expect(server.url.fragment == "key=\(key.text)")
        let wrong = AccessKey().text
        // The pages of addresses have no data, whoever asks, and set no cookie.
        for path in ["/", "/at/Secret", "/?token=\(wrong)", "/?token=\(key.text)"] {
          let answer = try await server.get(path)
          #expect(answer.status == 200, "\(path)")
          #expect(answer.text.contains("/page/door.js"))
          #expect(!answer.text.contains("data-window") && !answer.text.contains("Secret"))
          #expect(answer.headers["set-cookie"] == nil)
        }
        for header in [
          nil, "", "Key", "Key \(wrong)", "Session \(wrong)", "Session \(key.text)",
          "Bearer \(key.text)", "Key \(key.text) \(key.text)", "Session ../../x",
        ] {
          #expect(try await enter(server, header).status == 403, "\(header ?? "none")")
          let used = try await server.post(
            "/session", "", ["Origin": server.origin, "Authorization": header ?? ""])
          #expect(used.status == 403)
        }
        // Nor does a cookie of before let anybody in.
        let cookie = ["Origin": server.origin, "Cookie": "lists-key=\(key.text)"]
        #expect(try await server.post("/w", #"{"place":""}"#, cookie).status == 403)
      }
    }

    @Test func theKeyOpensASessionThatLetsIn() async throws {
      try await withServer(Titles(["Secret"]), key: key) { server in
        let first = try await enter(server, "Key \(key.text)")
        #expect(first.status == 200)
        let session = try #require(first.session)
        let again = try await enter(server, "Session \(session)")
        #expect(again.status == 200 && again.session == nil)
        let token = try #require(again.text.firstMatch(of: /"window":"([0-9a-f]{32})"/)?.1)
        let page = try await server.get("/w/\(token)")
        #expect(page.status == 200 && page.text.contains("Secret"))
        let used = try await server.post(
          "/session", "", ["Origin": server.origin, "Authorization": "Session \(session)"])
        #expect(used.status == 204)
      }
    }

    @Test func aSessionLastsADayAfterItsLastUse() throws {
      let folder = try TestFolder()
      let start = Date(timeIntervalSince1970: 1_800_000_000)
      let hour = 3600.0
      // The last one cannot be written.
      for kept in [nil, folder.file("key.sessions"), folder.file("no/key.sessions")] {
        let sessions = AccessSessions(file: kept)
        let token = sessions.open(now: start)
        #expect(sessions.use(token, now: start + 23 * hour))
        #expect(sessions.use(token, now: start + 46 * hour))
        #expect(!sessions.use(token, now: start + 71 * hour))
        #expect(!sessions.use(String(repeating: "0", count: 32), now: start))
      }
    }

    @Test func sessionsOutliveTheProcessAndEndWithTheKey() throws {
      let folder = try TestFolder()
      let file = folder.file("access-key")
      let first = try AccessKey(file: file)
      let token = AccessSessions(file: first.sessionsFile).open()
      // Another process with the same key opens one at the same time.
      let other = AccessSessions(file: first.sessionsFile).open()
      let path = try #require(first.sessionsFile?.path)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect(mode as? Int == 0o600)
      let again = try AccessKey(file: file)
      let sessions = AccessSessions(file: again.sessionsFile)
      #expect(sessions.use(token) && sessions.use(other))
      let new = try AccessKey(file: file, isNew: true)
      #expect(new != first && !first.opens(with: new.text))
      #expect(try AccessKey(file: file) == new)
      #expect(!AccessSessions(file: new.sessionsFile).use(token))
    }

    @Test func sessionsAreBounded() throws {
      let sessions = AccessSessions(file: nil)
      let start = Date(timeIntervalSince1970: 1_800_000_000)
      let oldest = sessions.open(now: start)
      for second in 1...AccessSessions.most { _ = sessions.open(now: start + Double(second)) }
      #expect(!sessions.use(oldest, now: start + 2000))
    }

    @Test(arguments: [
      "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: 127.0.0.1\r\n",
      "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n",
      "GET http://127.0.0.1/ HTTP/1.1\r\nHost: 127.0.0.1\r\n",
      "GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1\r\n",
      "OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\n",
    ]) func aRequestNamesItsHostOnce(_ head: String) async throws {
      try await withServer(Titles(["Secret"])) { server in
        let port = UInt16(server.url.port ?? 0)
        let answer = try await Task.detached {
          try HalfRequest(head, port: port).answer(to: "Connection: close\r\n\r\n")
        }.value
        #expect(answer.hasPrefix("HTTP/1.1 400"), "\(answer)")
        #expect(!answer.contains("Secret"))
      }
    }

    // MARK: Addresses that have no window

    @Test func anAddressThatIsNotThereLeadsOn() async throws {
      for key in [nil, key] {
        try await withServer(Titles(["Secret"]), key: key) { server in
          for path in ["/nowhere", "/w", "/w/x/y", "/page/no.js", "/apple-touch-icon.png"] {
            let answer = try await server.get(path)
            #expect(answer.status == 404, "\(path)")
            #expect(answer.text.contains("There is nothing at this address"))
            #expect(answer.text.contains("href=\"/\"") && answer.text.contains("/page/page.css"))
            #expect(answer.headers["content-security-policy"] != nil)
          }
          let gone = try await server.post("/nowhere", "{}")
          #expect(gone.status == 404)
        }
      }
    }

    @Test(arguments: ["PUT", "DELETE", "PATCH", "TRACE", "OPTIONS"])
    func aMethodThatPagesDoNotHaveIsRefusedInTheLookOfPages(_ method: String) async throws {
      try await withServer(Titles(["Secret"])) { server in
        let port = UInt16(server.url.port ?? 0)
        for path in ["/", "/at/Secret", "/w/0", "/nowhere", "/page/page.css"] {
          let head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
          let answer = try await Task.detached {
            try HalfRequest(head, port: port).answer(to: "Connection: close\r\n\r\n")
          }.value
          #expect(answer.hasPrefix("HTTP/1.1 405"), "\(path): \(answer)")
          #expect(answer.contains("GET, HEAD, POST") && answer.contains("/page/page.css"))
          #expect(!answer.contains("Secret"))
        }
      }
    }

    @Test(arguments: [("GET", 17_000), ("HEAD", 17_000), ("GET", 100_000), ("GET", 250_000)])
    func anAddressThatIsTooLongIsRefused(_ method: String, _ length: Int) async throws {
      try await withServer(Titles(["Secret"])) { server in
        let port = UInt16(server.url.port ?? 0)
        let path = "/at/" + String(repeating: "x", count: length)
        let head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        let answer = try await Task.detached {
          try HalfRequest(head, port: port).answer(to: "Connection: close\r\n\r\n")
        }.value
        #expect(answer.hasPrefix("HTTP/1.1 414"), "\(answer.prefix(300))")
        #expect(answer.contains("This address is too long") == (method == "GET"))
      }
    }

    @Test func theHeadAtTheLimitOfWindowsIsThatOfItsPage() async throws {
      try await withServer(Titles(["Secret"]), windows: 1) { server in
        _ = try await server.openWindow()
        let port = UInt16(server.url.port ?? 0)
        for path in ["/", "/at/Secret"] {
          let head = "HEAD \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
          let answer = try await Task.detached {
            try HalfRequest(head, port: port).answer(to: "Connection: close\r\n\r\n")
          }.value
          let page = try await server.get(path)
          #expect(page.status == 503)
          #expect(answer.hasPrefix("HTTP/1.1 503"), "\(answer)")
          #expect(answer.contains("Retry-After: 3") || answer.contains("retry-after: 3"))
        }
      }
    }

    @Test(arguments: [("he-IL,he;q=0.9", "rtl"), ("ar", "rtl"), ("de", "ltr"), ("", "ltr")])
    func aPageHasTheLanguageOfItsTextsAndTheDirectionOfItsReader(
      _ languages: String, _ direction: String
    ) async throws {
      try await withServer(Titles(["Secret"])) { server in
        let page = try await server.get("/", ["Accept-Language": languages]).text
        #expect(page.contains("<html lang=\"en\" dir=\"\(direction)\">"))
      }
    }

    @Test func theTabHasAnIcon() async throws {
      try await withServer(Titles(["Secret"])) { server in
        for path in ["/page/icon.svg", "/favicon.ico"] {
          let icon = try await server.get(path)
          #expect(icon.status == 200 && icon.text.hasPrefix("<svg"), "\(path)")
          #expect(icon.headers["content-type"]?.hasPrefix("image/svg+xml") == true)
        }
        #expect(try await server.get("/").text.contains("href=\"/page/icon.svg\""))
      }
    }

    @Test func theHeadOfAnAddressOpensNoWindow() async throws {
      try await withServer(Titles(["Secret"]), windows: 1) { server in
        let port = UInt16(server.url.port ?? 0)
        for (path, status) in [
          ("/", 200), ("/at/Secret", 200), ("/page/page.css", 200), ("/nowhere", 404),
          ("/w/0", 303),
        ] {
          let head = "HEAD \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
          let answer = try await Task.detached {
            try HalfRequest(head, port: port).answer(to: "Connection: close\r\n\r\n")
          }.value
          #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(path): \(answer)")
          #expect(answer.hasSuffix("\r\n\r\n"), "\(path) has a body: \(answer)")
        }
        // The only window there may be is free.
        #expect(try await server.get("/").text.contains("data-window"))
      }
    }

    @Test(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"))
    func theKeyLetsABrowserInAndLeavesItsAddress() async throws {
      try await withServer(Titles(["Bread"]), key: key) { server in
        let browser = try await Browser()
        defer { Task { await browser.quit() } }
        func open(_ path: String) async throws {
          try await browser.open(try #require(URL(string: "\(server.origin)\(path)")))
        }
        func waitForBread() async throws {
          try await browser.wait(
            until: "document.querySelector('.row .title')?.textContent === 'Bread'")
        }
        try await open("/")
        try await browser.wait(
          until: "document.querySelector('h1').textContent === 'A key is needed'")
        try await open("/#key=\(AccessKey().text)")
        try await browser.wait(
          until: "document.querySelector('h1').textContent === 'This is another key'")
        try await open("/#key=\(key.text)%23/active")
        try await waitForBread()
        #expect(try await browser.script("return location.hash") == "#/active")
        // Without the key from now on, also at an address of before.
        for path in ["/", "/?token=\(AccessKey().text)", "/w/\(AccessKey().text)"] {
          try await browser.newWindow("tab")
          try await open(path)
          try await waitForBread()
        }
        // A place that is not there leads as near as possible, and says so.
        try await open("/at/Nowhere")
        try await waitForBread()
        try await browser.wait(
          until: "document.querySelector('.toast')?.textContent.includes('no longer there')")
        let address = try await browser.script("return location.href").string ?? ""
        #expect(!address.contains("key") && !address.contains("token"))
        #expect(try await browser.script("return document.cookie") == "")
      }
    }

    @Test func theKeyInAFileIsKeptAndTheUsersAlone() throws {
      let folder = try TestFolder()
      let file = folder.file("keys/access-key")
      let first = try AccessKey(file: file)
      let again = try AccessKey(file: file)
      #expect(again == first)
      let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
      #expect(mode as? Int == 0o600)
      // What is no key is replaced.
      try Data("hello\n".utf8).write(to: file)
      let second = try AccessKey(file: file)
      #expect(second != first)
      let third = try AccessKey(file: file)
      #expect(third == second)
    }

    @Test(arguments: [
      Data("A letter\nto somebody\n".utf8), Data(repeating: 65, count: 100), Data([0xFF, 0xFE]),
    ]) func anotherFileIsNotOverwritten(_ contents: Data) throws {
      let file = try TestFolder.make().appendingPathComponent("Lists.key")
      try contents.write(to: file)
      let error = #expect(throws: CocoaError.self) { try AccessKey(file: file) }
      #expect(error?.localizedDescription.contains("no access key") == true)
      #expect(try Data(contentsOf: file) == contents)
    }

    @Test(arguments: [
      "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: ",
      "POST /w HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{",
      "",
    ]) func whoeverSendsHalfOfARequestIsNotWaitedFor(_ half: String) async throws {
      try await withServer(Titles([]), requestTimeout: .seconds(1)) { server in
        let port = UInt16(server.url.port ?? 0)
        let isClosed = try await Task.detached {
          try HalfRequest(half, port: port).isClosedByServer()
        }.value
        #expect(isClosed)
      }
    }

    /// However steadily it drips, a head is closed and a body answered.
    @Test(arguments: [
      ("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: ", ""),
      (
        "POST /w HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\nContent-Length: 9999\r\n\r\n",
        "HTTP/1.1 408"
      ),
      (
        "POST /w HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9999\r\n\r\n", "HTTP/1.1 403"
      ),
    ]) func whoeverSendsAByteAtATimeIsNotWaitedFor(_ half: String, _ answer: String) async throws {
      try await withServer(Titles([]), requestTimeout: .seconds(1)) { server in
        let port = UInt16(server.url.port ?? 0)
        let said = try await Task.detached {
          try HalfRequest(half, port: port).drip()
        }.value
        #expect(said?.hasPrefix(answer) == true, "\(said ?? "nothing")")
      }
    }

    @Test func oneConnectionTooManyIsToldSo() async throws {
      try await withServer(Titles([]), connections: 2) { server in
        let port = UInt16(server.url.port ?? 0)
        func waitForAnswer(_ status: Int, containing text: String) async throws {
          var answer = ""
          try await Patience.waiting(for: "\(status), \(text), after \(answer)") {
            answer = try await Task.detached {
              try HalfRequest("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", port: port)
                .answer(to: "Connection: close\r\n\r\n")
            }.value
            return answer.hasPrefix("HTTP/1.1 \(status)") && answer.contains(text)
          }
        }
        // The server hears of those that come and go with the next turns of its loops.
        let others = try (0..<2).map { _ in try HalfRequest("", port: port) }
        try await waitForAnswer(503, containing: "Too many connections")
        for other in others { other.end() }
        try await waitForAnswer(200, containing: "data-window")
      }
    }

    @Test(
      .disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), arguments: [true, false])
    func atTheLimitAPageSaysSoAndLeadsBackWhenAWindowCloses(hasKey: Bool) async throws {
      try await withServer(Titles(["Bread"]), windows: 1, key: hasKey ? key : nil) { server in
        let browser = try await Browser()
        defer { Task { await browser.quit() } }
        try await browser.open(server.url)
        try await browser.wait(until: "document.body.dataset.connected === 'true'")
        let first = try await browser.currentWindow()
        try await browser.newWindow("tab")
        try await browser.open(server.url)
        try await browser.wait(
          until: "document.querySelector('h1').textContent.includes('Too many')")
        let second = try await browser.currentWindow()
        try await browser.switchTo(first)
        try await browser.closeWindow()
        try await browser.switchTo(second)
        // By itself.
        try await browser.wait(
          until: "document.querySelector('.row .title')?.textContent === 'Bread'")
      }
    }

    @Test(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"))
    func withoutJavaScriptTheNoticeIsAboveTheRows() async throws {
      try await withServer(Titles((0..<40).map { "Row \($0)" })) { server in
        let page = try await server.get("/").text
        let notice = try #require(page.range(of: "This page needs JavaScript"))
        let rows = try #require(page.range(of: "Row 0"))
        #expect(notice.lowerBound < rows.lowerBound)
      }
    }
  }
#endif
