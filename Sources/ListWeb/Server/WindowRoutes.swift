#if Web
  import Foundation
  import HTTPTypes
  import Hummingbird

  /// What a browser can ask for.
  ///
  /// | request | answer |
  /// |---|---|
  /// | GET / | the page of a new window |
  /// | GET /w/TOKEN | the page of a window that is still alive, else a new one |
  /// | GET /w/TOKEN/stream?after=N | its messages from N + 1 on, as server-sent events |
  /// | POST /w/TOKEN/events | does what the user did; 204, or a reason in words |
  /// | GET /page/NAME | a script or the style |
  struct WindowRoutes: Sendable {
    let title: String
    let registry: WindowRegistry
    let maximumBody: Int

    func add(to router: Router<BasicRequestContext>) {
      router.get("/") { _, _ in try await newPage() }
      router.get("/w/:token") { _, context in
        try await page(context.parameters.require("token"))
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

    private func newPage() async throws -> Response {
      do {
        if let markup = try await MainActor.run(body: { try registry.open().map(draw) }) {
          return Self.page(markup)
        }
      } catch {
        return .plain(.internalServerError, "The window could not be opened: \(error)")
      }
      return .plain(.serviceUnavailable, "Too many windows are open. Close one and try again.")
    }

    private func page(_ token: String) async throws -> Response {
      let markup = await MainActor.run { registry.session(token).map(draw) }
      if let markup { return Self.page(markup) }
      return Response(status: .seeOther, headers: [.location: "/"])
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
        page: session.page, screen: screen,
        alert: session.drawAlert() ?? ""
      ).markup.markup
    }

    private static func page(_ markup: String) -> Response {
      Response(
        status: .ok,
        headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
        body: .init(byteBuffer: ByteBuffer(string: markup)))
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
      return await handle(event, session)
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
