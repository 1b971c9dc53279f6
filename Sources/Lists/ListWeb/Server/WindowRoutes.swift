#if Web
  import Foundation
  import HTTPTypes
  import Hummingbird
  import ListKit

  /// The requests that the server answers.
  ///
  /// | request | answer |
  /// |---|---|
  /// | GET /, /at/PLACE | a page that asks for a window at the place by its script, with the key |
  /// | | or a session; without a key the page of a new window |
  /// | GET /w/TOKEN, /w/TOKEN/at/PLACE | the page of a window; else leads to /at/PLACE |
  /// | POST /w | a new window at the place in the body: its name, or the state for a page whose |
  /// | | window is gone; and the session that the key has opened |
  /// | POST /session | 204 if the session is open, whose day begins anew, else 403 |
  /// | GET /w/TOKEN/alive | 204 if the window exists, else 404 |
  /// | GET /w/TOKEN/stream?after=N | the window's messages from N + 1 on, as server-sent events |
  /// | GET /stream?windows=TOKEN.N,TOKEN.N | the messages of several windows |
  /// | POST /w/TOKEN/events | 204 when the event is carried out and saved, or a reason as text |
  /// | GET /w/TOKEN/events/PAGE/N | 204 if the event is known to be carried out, else 404; also |
  /// | | for a window that is gone (`EventRecord`) |
  /// | GET /page/NAME | a script, a style sheet or the icon |
  /// | HEAD | of an address that GET has, without a body; opens no window |
  /// | any other GET | 404, a page that leads to the beginning (`RequestGuard`) |
  /// | other methods, and addresses that are too long | 405 and 414, such a page; 400 without one |
  /// | | for heads beyond 256 KiB |
  ///
  /// The header `Field: emptied` of an event's answer reports that Return has emptied its field.
  ///
  /// Events are carried out one after the other (`EventGate`), and each once (`EventLedger`).
  ///
  /// Opening a window needs the key or a session (`AccessGuard`). All other requests are authorised
  /// by the window's token.
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
          try await page(request, token: context.parameters.require("token"))
        }
      }
      router.post("/w") { request, _ in try await newWindow(request) }
      router.get("/w/:token/alive") { _, context in
        let token = try context.parameters.require("token")
        return await registry.session(token) == nil ? Self.gone : Response(status: .noContent)
      }
      router.get("/w/:token/stream") { request, context in
        try await stream(request, token: context.parameters.require("token"))
      }
      router.get("/stream") { request, _ in await sharedStream(request) }
      router.post("/w/:token/events") { request, context in
        try await event(request, token: context.parameters.require("token"))
      }
      router.get("/w/:token/events/:page/:number") { _, context in
        let token = try context.parameters.require("token")
        let page = try context.parameters.require("page", as: Int.self)
        let number = try context.parameters.require("number", as: Int.self)
        let isDone = registry.record.has(page: page, number: number, of: token)
        return isDone ? Response(status: .noContent) : Self.unknown
      }
      router.post("/session") { request, _ in
        access.check(request) == .refused ? Self.refusal : Response(status: .noContent)
      }
      for file in PageFile.served {
        router.get("/page/\(file.name)") { _, _ in file.response }
        router.head("/page/\(file.name)") { _, _ in file.response.withoutBody }
      }
      // Browsers ask for it where a page names no icon.
      router.get("/favicon.ico") { _, _ in
        Response(status: .movedPermanently, headers: [.location: "/page/icon.svg"])
      }
      addHeads(to: router)
    }

    /// Opens no window: a program that looks whether there is something gets the head of the page
    /// that asks for one.
    private func addHeads(to router: Router<BasicRequestContext>) {
      for path in ["/", "/at/**"] {
        router.head("\(path)") { _, _ in await headOfNewPage.withoutBody }
      }
      for path in ["/w/:token", "/w/:token/at/**"] {
        router.head("\(path)") { request, context in
          let token = try context.parameters.require("token")
          guard await registry.session(token) == nil else {
            return MessagePageHTML.door.response(.ok).withoutBody
          }
          return Response(
            status: .seeOther, headers: [.location: Self.place(in: request).address])
        }
      }
    }

    /// Where no key is needed, the page of a new window says when there are too many.
    private var headOfNewPage: Response {
      get async {
        guard access.isOpen, await !registry.hasRoom else {
          return MessagePageHTML.door.response(.ok)
        }
        return MessagePageHTML.tooManyWindows.response(.serviceUnavailable)
      }
    }

    // MARK: Pages

    private func newPage(_ request: Request) async throws -> Response {
      // The address has no key: it is in the fragment, or the browser has a session.
      guard access.isOpen else { return MessagePageHTML.door.response(.ok) }
      let place = Self.place(in: request)
      do {
        let locale = Self.locale(of: request)
        let markup = try await MainActor.run {
          try registry.open(at: place, locale: locale).map(draw)
        }
        return markup.map(Self.page) ?? MessagePageHTML.tooManyWindows.response(.serviceUnavailable)
      } catch {
        return MessagePageHTML(title: "The window could not be opened", text: "\(error)")
          .response(.internalServerError)
      }
    }

    /// Answers a reload. If the address names another place, the window goes there.
    private func page(_ request: Request, token: String) async throws -> Response {
      let place = Self.place(in: request)
      let markup = await MainActor.run {
        registry.session(token).map { session in
          if !place.path.isEmpty, session.place != place {
            session.restore(place)
            session.tellIfNotReached(place)
          }
          return draw(session)
        }
      }
      if let markup { return Self.page(markup) }
      return Response(status: .seeOther, headers: [.location: place.address])
    }

    private static func locale(of request: Request) -> Locale {
      ReaderLanguage.locale(request.headers[.acceptLanguage])
    }

    /// The place after `/at/` in the request's path; empty without one.
    private static func place(in request: Request) -> Place {
      let path = request.uri.path
      return path.range(of: "/at/").map { Place(text: String(path[$0.upperBound...])) } ?? Place([])
    }

    @MainActor
    private func draw(_ session: WindowSession) -> String {
      session.isAwaited = false
      session.flushBeforeDrawing()
      session.lastSeen = .now
      session.isClosing = false
      session.page += 1
      let screen = session.drawScreen()
      session.scheduleFlush()
      return PageHTML(
        title: title, token: session.token, sequence: session.log.last,
        page: session.page, place: session.notePlace(), isWorking: session.isWorking,
        waitingText: session.waitingText, isWide: session.scene.isWide,
        locale: session.scene.locale,
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

    // MARK: New windows for pages whose window is gone

    /// A new window: its name for a page that is loaded then, or its whole state for a page whose
    /// window is gone.
    private struct NewWindow: Encodable {
      let window: String
      var session: String?
      var place: String?
      var sequence: Int?
      var page: Int?
      var operations: [PatchOperation]?
    }

    private struct WantedWindow: Decodable {
      let place: String
      /// Whether the page of the window is loaded next.
      var isLoaded: Bool?
      /// The width of the page in pixels.
      var width: Int?
    }

    private static var refusal: Response {
      .plain(.forbidden, text: "A key is needed: open the address that the program printed.")
    }

    private func newWindow(_ incoming: Request) async throws -> Response {
      guard case .allowed(let session) = access.check(incoming) else { return Self.refusal }
      var request = incoming
      let body = try await request.collectBody(upTo: maximumBody)
      guard
        let wanted = try? JSONDecoder().decode(
          WantedWindow.self, from: Data(body.readableBytesView))
      else { return .plain(.badRequest, text: "A window is asked for with its place.") }
      let locale = Self.locale(of: incoming)
      do {
        let text = try await MainActor.run {
          try registry.open(
            at: Place(text: wanted.place), locale: locale, width: wanted.width ?? 0
          ).map {
            var made = wanted.isLoaded == true ? named($0) : drawnAgain($0)
            made.session = session
            return JSON.text(made)
          }
        }
        return text.map { Self.json($0) }
          ?? .plain(.serviceUnavailable, text: "Too many windows are open. Close one of them.")
      } catch {
        return .plain(.internalServerError, text: "The window could not be opened: \(error)")
      }
    }

    @MainActor
    private func named(_ session: WindowSession) -> NewWindow {
      session.isAwaited = true
      return NewWindow(window: session.token, place: session.place.text)
    }

    @MainActor
    private func drawnAgain(_ session: WindowSession) -> NewWindow {
      session.flushBeforeDrawing()
      session.lastSeen = .now
      session.page += 1
      let operations = session.wholeState(how: "renew")
      return NewWindow(
        window: session.token, sequence: session.log.last, page: session.page,
        operations: operations)
    }

    private static func json(_ text: String) -> Response {
      Response(
        status: .ok,
        headers: [.contentType: "application/json", .cacheControl: "no-store"],
        body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    // MARK: Events

    private func event(_ incoming: Request, token: String) async throws -> Response {
      var request = incoming
      guard await registry.session(token) != nil else { return Self.gone }
      let body: ByteBuffer
      do {
        body = try await request.collectBody(upTo: maximumBody)
      } catch let error as any HTTPResponseError where error.status == .contentTooLarge {
        return .plain(
          .contentTooLarge,
          text: "That is too long: at most \(maximumBody / 1024) KB can be sent at once. "
            + "Nothing was changed.")
      }
      let event: WindowEvent
      do {
        event = try JSONDecoder().decode(WindowEvent.self, from: Data(body.readableBytesView))
      } catch {
        return .plain(
          .badRequest, text: "The event is no JSON object of the form that a page sends.")
      }
      let answer = await carryOut(event, token: token)
      if let answer, answer.isDone, event.isDeed {
        registry.record.note(page: event.page ?? 0, number: event.number ?? 0, of: token)
      }
      return switch answer {
      case nil: Self.gone
      case .done: Response(status: .noContent)
      case .emptied: Response(status: .noContent, headers: [Self.field: "emptied"])
      case .refused(let reason): .plain(.badRequest, text: reason)
      }
    }

    private static let field = HTTPField.Name("Field")!

    /// Carries an event out. When it returns, the event's changes are saved. Nil for a window that
    /// was closed while the event waited.
    @MainActor
    private func carryOut(_ event: WindowEvent, token: String) async -> EventLedger.Answer? {
      // What changes nothing waits for nothing. Rows are drawn for a page even while an event of
      // another page waits for another program.
      let isRange = event.type == "range" && UIApplication.shared.waitingText != nil
      if isRange || event.type == "editing" {
        return registry.session(token)?.carryOut(event)
      }
      return await EventGate.shared.run {
        registry.session(token)?.carryOut(event)
      } finish: {
        // Looked up again: the window may have been closed while the event waited.
        await registry.session(token)?.scene.finishPendingWork()
      } settled: {
        registry.session(token)?.settle()
      }
    }

    private static var unknown: Response {
      .plain(.notFound, text: "It is not known whether this was done.")
    }

    private static var gone: Response {
      .plain(.notFound, text: "This window has expired. Reload the page to go on.")
    }

    // MARK: Stream

    private func stream(_ request: Request, token: String) async throws -> Response {
      guard let session = await registry.session(token) else { return Self.gone }
      let reconnected = request.headers[HTTPField.Name("Last-Event-ID")!]
      let after = reconnected ?? request.uri.queryParameters["after"].map(String.init)
      let window = MessageStream.Window(
        token: token, session: session, after: after.flatMap(Int.init) ?? -1)
      return Self.response(MessageStream(windows: [window], isShared: false))
    }

    /// The maximum number of windows on one connection; further ones are ignored.
    private static let mostWindows = 1024

    private func sharedStream(_ request: Request) async -> Response {
      let wanted = (request.uri.queryParameters["windows"] ?? "").split(separator: ",")
        .prefix(Self.mostWindows)
      var windows: [String: MessageStream.Window] = [:]
      for one in wanted {
        let parts = one.split(separator: ".")
        guard parts.count == 2, Token.isOne(String(parts[0])), let after = Int(parts[1]) else {
          return .plain(
            .badRequest, text: "A stream is asked for with its windows: TOKEN.NUMBER, …")
        }
        let token = String(parts[0])
        windows[token] = .init(
          token: token, session: await registry.session(token), after: after)
      }
      guard windows.values.contains(where: { $0.session != nil }) else { return Self.gone }
      return Self.response(MessageStream(windows: Array(windows.values), isShared: true))
    }

    private static func response(_ stream: MessageStream) -> Response {
      Response(
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

  extension Response {
    /// The head alone, with the length that the body would have.
    var withoutBody: Response {
      var headers = headers
      headers[.contentLength] = body.contentLength.map { "\($0)" }
      return Response(status: status, headers: headers)
    }
  }
#endif
