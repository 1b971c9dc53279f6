#if Web
  import Foundation
  import HTTPTypes
  import Hummingbird

  /// What a browser can ask for.
  ///
  /// | request | answer |
  /// |---|---|
  /// | GET / | the page of a new window |
  /// | GET /at/PLACE | the page of a new window at a place |
  /// | GET /w/TOKEN, /w/TOKEN/at/PLACE | the page of a window that is still alive, else a new one there |
  /// | POST /w | makes a window again at the place that a page says, and answers with its state |
  /// | GET /w/TOKEN/alive | 204 for a window that there is, else 404 |
  /// | GET /w/TOKEN/stream?after=N | its messages from N + 1 on, as server-sent events |
  /// | POST /w/TOKEN/events | does what the user did; 204 when it is done and saved, or a reason in words |
  /// | GET /page/NAME | a script or the style |
  ///
  /// Making a window needs the key (`AccessGuard`); all else is allowed by the window's token.
  struct WindowRoutes: Sendable {
    let title: String
    let access: AccessGuard
    let registry: WindowRegistry
    let maximumBody: Int

    func add(to router: Router<BasicRequestContext>) {
      router.get("/") { request, _ in try await newPage(request) }
      router.get("/at/**") { request, _ in try await newPage(request) }
      for path in ["/w/:token", "/w/:token/at/**"] {
        router.get("\(path)") { request, context in
          try await page(request, context.parameters.require("token"))
        }
      }
      router.post("/w") { request, _ in try await newWindow(request) }
      router.get("/w/:token/alive") { _, context in
        let token = try context.parameters.require("token")
        return await registry.session(token) == nil ? Self.gone : Response(status: .noContent)
      }
      router.get("/w/:token/stream") { request, context in
        try await stream(request, context.parameters.require("token"))
      }
      router.post("/w/:token/events") { request, context in
        try await event(request, context.parameters.require("token"))
      }
      for file in PageFile.all {
        router.get("/page/\(file.name)") { _, _ in file.response }
      }
    }

    // MARK: Pages

    private func newPage(_ request: Request) async throws -> Response {
      if case .instead(let response) = access.check(request) { return response }
      let place = Self.place(in: request)
      do {
        let markup = try await MainActor.run { try registry.open(at: place).map(draw) }
        return markup.map(Self.page) ?? MessagePageHTML.tooManyWindows.response(.serviceUnavailable)
      } catch {
        return .plain(.internalServerError, "The window could not be opened: \(error)")
      }
    }

    /// A reload. Whoever types another place into the address goes there.
    private func page(_ request: Request, _ token: String) async throws -> Response {
      let place = Self.place(in: request)
      let markup = await MainActor.run {
        registry.session(token).map { session in
          if !place.path.isEmpty, session.place != place { session.restore(place) }
          return draw(session)
        }
      }
      if let markup { return Self.page(markup) }
      if case .instead(let response) = access.check(request) { return response }
      return Response(status: .seeOther, headers: [.location: place.address])
    }

    /// What stands behind `/at/`.
    private static func place(in request: Request) -> Place {
      let path = request.uri.path
      return path.range(of: "/at/").map { Place(text: String(path[$0.upperBound...])) } ?? Place([])
    }

    @MainActor
    private func draw(_ session: WindowSession) -> String {
      session.flush()
      session.lastSeen = .now
      session.isClosing = false
      session.page += 1
      let screen = session.drawScreen()
      return PageHTML(
        title: title, token: session.token, sequence: session.log.last,
        page: session.page, place: session.notePlace(), isWorking: session.isWorking,
        waitingText: session.waitingText,
        screen: screen,
        alert: session.drawAlert() ?? ""
      ).markup.markup
    }

    private static func page(_ markup: String) -> Response {
      Response(
        status: .ok,
        headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
        body: .init(byteBuffer: ByteBuffer(string: markup)))
    }

    // MARK: Windows that are made again

    /// The answer to a page whose window is gone.
    private struct NewWindow: Encodable {
      let window: String
      let sequence: Int
      let page: Int
      let operations: [PatchOperation]
    }

    private struct WantedWindow: Decodable { let place: String }

    private func newWindow(_ incoming: Request) async throws -> Response {
      guard case .allowed = access.check(incoming) else {
        return .plain(.forbidden, "A key is needed: open the address that the program printed.")
      }
      var request = incoming
      let body = try await request.collectBody(upTo: maximumBody)
      guard
        let wanted = try? JSONDecoder().decode(
          WantedWindow.self, from: Data(body.readableBytesView))
      else { return .plain(.badRequest, "A window is asked for with its place.") }
      do {
        let text = try await MainActor.run {
          try registry.open(at: Place(text: wanted.place)).map(drawAgain)
        }
        return text.map { Self.json($0) }
          ?? .plain(.serviceUnavailable, "Too many windows are open. Close one of them.")
      } catch {
        return .plain(.internalServerError, "The window could not be opened: \(error)")
      }
    }

    @MainActor
    private func drawAgain(_ session: WindowSession) -> String {
      session.flush()
      session.lastSeen = .now
      session.page += 1
      let operations = session.wholeState(how: "renew")
      return JSON.text(
        NewWindow(
          window: session.token, sequence: session.log.last, page: session.page,
          operations: operations))
    }

    private static func json(_ text: String) -> Response {
      Response(
        status: .ok,
        headers: [.contentType: "application/json", .cacheControl: "no-store"],
        body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    // MARK: Events

    private func event(_ incoming: Request, _ token: String) async throws -> Response {
      var request = incoming
      guard let session = await registry.session(token) else { return Self.gone }
      let body: ByteBuffer
      do {
        body = try await request.collectBody(upTo: maximumBody)
      } catch let error as any HTTPResponseError where error.status == .contentTooLarge {
        return .plain(
          .contentTooLarge,
          "That is too long: at most \(maximumBody / 1024) KB can be sent at once. "
            + "Nothing was changed.")
      }
      let event: WindowEvent
      do {
        event = try JSONDecoder().decode(WindowEvent.self, from: Data(body.readableBytesView))
      } catch {
        return .plain(.badRequest, "The event is no JSON object of the form that a page sends.")
      }
      let response = await handle(event, session)
      // An answer says that nothing of it can be lost any more.
      await session.scene.endTurn()
      return response
    }

    @MainActor
    private func handle(_ event: WindowEvent, _ session: WindowSession) -> Response {
      do {
        try session.handle(event)
        return Response(status: .noContent)
      } catch {
        return .plain(.badRequest, error.text)
      }
    }

    private static var gone: Response {
      .plain(.notFound, "This window has expired. Reload the page to go on.")
    }

    // MARK: Stream

    private func stream(_ request: Request, _ token: String) async throws -> Response {
      guard let session = await registry.session(token) else { return Self.gone }
      let reconnected = request.headers[HTTPField.Name("Last-Event-ID")!]
      let after = reconnected ?? request.uri.queryParameters["after"].map(String.init)
      let stream = MessageStream(session: session, after: after.flatMap(Int.init) ?? -1)
      return Response(
        status: .ok,
        headers: [
          .contentType: "text/event-stream", .cacheControl: "no-store",
          HTTPField.Name("X-Accel-Buffering")!: "no",
        ],
        body: .init { writer in
          try await stream.run(&writer)
          try await writer.finish(nil)
        })
    }
  }
#endif
