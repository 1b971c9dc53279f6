import Foundation
import Testing

@testable import ListWeb

/// What the server lets in, over a socket.
@MainActor
@Suite struct ServerTests {
  @Test func thePageHasItsRowsAndNoScriptOfOthers() async throws {
    try await withServer(Titles(["<b>Bread</b>"])) { server in
      let page = try await server.get("/")
      #expect(page.status == 200)
      #expect(page.text.contains("&lt;b&gt;Bread&lt;/b&gt;"))
      let policy = page.headers["content-security-policy"] ?? ""
      #expect(policy.contains("default-src 'none'; script-src 'self'; style-src 'self'"))
      #expect(!policy.contains("unsafe"))
      #expect(page.headers["referrer-policy"] == "no-referrer")
    }
  }

  @Test func eventsFromOtherSitesAreRefused() async throws {
    try await withServer(Titles(["a"])) { server in
      let path = "/w/\(try await server.openWindow())/events"
      let event = #"{"type":"undo"}"#
      #expect(try await server.post(path, event).status == 204)
      for headers in [
        [:], ["Origin": "http://evil.example"], ["Origin": "null"],
        ["Origin": server.origin, "Sec-Fetch-Site": "cross-site"],
      ] {
        #expect(try await server.post(path, event, headers).status == 403, "\(headers)")
      }
    }
  }

  @Test func otherNamesForThisMachineAreRefused() async throws {
    try await withServer(Titles(["a"])) { server in
      let answer = try await server.get("/", ["Host": "evil.example"])
      #expect(answer.status == 421)
      #expect(!answer.text.contains("data-window"))
    }
  }

  @Test func aWindowIsReachedByItsTokenAlone() async throws {
    try await withServer(Titles(["a"])) { server in
      let token = try await server.openWindow()
      #expect(token.count == 32)
      let other = String(repeating: "0", count: 32)
      let answer = try await server.post("/w/\(other)/events", #"{"type":"undo"}"#)
      #expect(answer.status == 404)
      #expect(answer.text == "This window has expired. Reload the page to go on.")
    }
  }

  @Test func aTitleOfAMegabyteIsAnsweredClearlyAndChangesNothing() async throws {
    let model = Titles(["a"])
    try await withServer(model) { server in
      let path = "/w/\(try await server.openWindow())/events"
      let title = String(repeating: "x", count: 1 << 20)
      let answer = try await server.post(path, #"{"type":"text","id":"e1","text":"\#(title)"}"#)
      #expect(answer.status == 413)
      #expect(answer.text.contains("at most 1024 KB"))
      #expect(model.titles == ["a"])
      #expect(try await server.get("/").status == 200)
    }
  }

  @Test func unknownAndMalformedEventsAreRefusedInWords() async throws {
    try await withServer(Titles(["a"])) { server in
      let path = "/w/\(try await server.openWindow())/events"
      let unknown = try await server.post(path, #"{"type":"explode"}"#)
      #expect(unknown.status == 400)
      #expect(unknown.text == "There is no event of type “explode”.")
      let malformed = try await server.post(path, "hello")
      #expect(malformed.status == 400)
      #expect(malformed.text.contains("no JSON object"))
    }
  }

  @Test func theNumberOfWindowsIsBounded() async throws {
    try await withServer(Titles(["a"]), windows: 3) { server in
      let first = try await server.openWindow()
      #expect(try await server.post("/w/\(first)/events", #"{"type":"closing"}"#).status == 204)
      for _ in 0..<3 { _ = try await server.openWindow() }
      // The one that nobody looks at has made room.
      #expect(try await server.post("/w/\(first)/events", #"{"type":"undo"}"#).status == 404)
      // The others are still being loaded: none of them has to.
      #expect(try await server.get("/").status == 503)
    }
  }

  @Test func aStreamOfWindowsThatAreNotThereIsRefused() async throws {
    try await withServer(Titles(["a"])) { server in
      let none = String(repeating: "0", count: 32)
      let gone = try await server.get("/stream?windows=\(none).0")
      let malformed = try await server.get("/stream?windows=x")
      #expect(gone.status == 404)
      #expect(malformed.status == 400)
    }
  }

  @Test func aPortInUseIsNamed() async throws {
    try await withServer(Titles([])) { server in
      let port = server.url.port ?? 0
      let second = ListWebServer(title: "Second", port: port, key: nil) { _ in .init(frame: .zero) }
      let error = await #expect(throws: ListWebServerError.self) { try await second.run() }
      #expect(error?.description.contains("Port \(port) on 127.0.0.1 is in use") == true)
    }
  }

  @Test func stoppingSendsEveryWindowToTheBackground() async throws {
    let model = Titles(["a"])
    try await withServer(model) { server in
      let path = "/w/\(try await server.openWindow())/events"
      #expect(try await server.post(path, #"{"type":"shown"}"#).status == 204)
    }
    #expect(model.scenes == ["foreground", "background", "disconnected"])
  }
}
