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

    /// Without cookies: each request is a stranger's.
    private func get(_ path: String, _ server: RunningServer, cookie: String? = nil) async throws
      -> (status: Int, text: String, cookie: String?)
    {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpShouldSetCookies = false
      configuration.httpCookieAcceptPolicy = .never
      configuration.timeoutIntervalForRequest = 10 * Patience.seconds
      let session = URLSession(configuration: configuration, delegate: Stay(), delegateQueue: nil)
      let url = try #require(URL(string: "\(server.origin)\(path)"))
      var request = URLRequest(url: url)
      if let cookie { request.setValue(cookie, forHTTPHeaderField: "Cookie") }
      let (data, response) = try await session.data(for: request)
      let http = response as? HTTPURLResponse
      let set = http?.value(forHTTPHeaderField: "Set-Cookie")
      return (http?.statusCode ?? 0, String(decoding: data, as: UTF8.self), set)
    }

    /// Follows no redirection.
    private final class Stay: NSObject, URLSessionTaskDelegate {
      func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
      ) { completionHandler(nil) }
    }

    @Test func withoutTheKeyNobodyGetsAWindow() async throws {
      try await withServer(Titles(["Secret"]), key: key) { server in
        #expect(server.url.query == "token=\(key.text)")
        let wrong = AccessKey().text
        for path in ["/", "/at/Secret", "/?token=\(wrong)", "/?token=", "/at/x?token=\(wrong)"] {
          let answer = try await get(path, server)
          #expect(answer.status == 403, "\(path)")
          #expect(answer.text.contains("Open the address that the program printed"))
          #expect(!answer.text.contains("data-window"))
        }
        let made = try await server.post("/w", #"{"place":""}"#)
        #expect(made.status == 403)
        let token = String(repeating: "0", count: 32)
        #expect(try await get("/w/\(token)", server).status == 403)
      }
    }

    @Test func theKeySetsACookieThatLetsIn() async throws {
      try await withServer(Titles(["Secret"]), key: key) { server in
        let answer = try await get("/at/Secret?token=\(key.text)", server)
        #expect(answer.status == 303)
        let cookie = try #require(answer.cookie)
        #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
        let pair = String(try #require(cookie.split(separator: ";").first))
        let page = try await get("/at/Secret", server, cookie: pair)
        #expect(page.status == 200)
        #expect(page.text.contains("data-window"))
        #expect(try await get("/", server, cookie: pair + "0").status == 403)
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

    @Test(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"))
    func atTheLimitAPageSaysSoAndLeadsBackWhenAWindowCloses() async throws {
      try await withServer(Titles(["Bread"]), windows: 1) { server in
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
