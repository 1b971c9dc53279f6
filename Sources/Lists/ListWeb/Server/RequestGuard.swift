#if Web
  import HTTPTypes
  import Hummingbird

  /// Refuses requests that do not come from the server's own pages. Web sites that the user visits
  /// can also send requests to this machine, and can make their own name resolve to its address
  /// (DNS rebinding).
  struct RequestGuard<Context: RequestContext>: RouterMiddleware {
    /// The host names that the server answers to, without ports; `nil` for any.
    let allowedHosts: Set<String>?

    func handle(
      _ request: Request, context: Context,
      next: (Request, Context) async throws -> Response
    ) async throws -> Response {
      // The first one is the authority: these are further ones.
      if !request.headers[values: HTTPField.Name("Host")!].isEmpty {
        return .plain(.badRequest, text: "A request names its host once, in a Host header.")
      }
      let authority = request.head.authority ?? ""
      if let allowedHosts, !allowedHosts.contains(Self.name(of: authority)) {
        return .plain(.misdirectedRequest, text: "This server does not answer to “\(authority)”.")
      }
      if let refusal = refusal(request, authority: authority) { return refusal }
      var response = try await answer(request, context: context, next: next)
      for (name, value) in Self.headers { response.headers[name] = value }
      return response
    }

    /// The length in bytes of the longest target: a place of many screens has some thousand.
    private static var longestTarget: Int { 16_384 }
    private static var methods: Set<HTTPRequest.Method> { [.get, .head, .post] }

    /// A page where there is nothing, for whoever looks at it.
    private func answer(
      _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
      if request.uri.description.utf8.count > Self.longestTarget {
        let page = MessagePageHTML.tooLong.response(.uriTooLong)
        return request.method == .head ? page.withoutBody : page
      }
      if !Self.methods.contains(request.method) {
        var page = MessagePageHTML.notAllowed.response(.methodNotAllowed)
        page.headers[.allow] = "GET, HEAD, POST"
        return page
      }
      do {
        return try await next(request, context)
      } catch let error as HTTPError where error.status == .notFound {
        let page = MessagePageHTML.notFound.response(.notFound)
        switch request.method {
        case .get: return page
        case .head: return page.withoutBody
        default: throw error
        }
      }
    }

    private func refusal(_ request: Request, authority: String) -> Response? {
      let origin = request.headers[.origin]
      if let origin, origin != "http://\(authority)", origin != "https://\(authority)" {
        return .plain(.forbidden, text: "Requests from other sites are refused.")
      }
      let site = request.headers[HTTPField.Name("Sec-Fetch-Site")!]
      let isForeign = site == "cross-site" || site == "same-site"
      let isNavigation = request.headers[HTTPField.Name("Sec-Fetch-Mode")!] == "navigate"
      if isForeign, request.method != .get || !isNavigation {
        return .plain(.forbidden, text: "Requests from other sites are refused.")
      }
      // Browsers send the origin with every POST.
      if request.method == .post, origin == nil {
        return .plain(.forbidden, text: "An event needs an Origin header.")
      }
      return nil
    }

    /// The host of an authority such as `[::1]:8080`.
    private static func name(of authority: String) -> String {
      if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
        return String(authority[authority.startIndex...end])
      }
      return authority.split(separator: ":").first.map(String.init) ?? ""
    }

    private static var headers: [(HTTPField.Name, String)] {
      [
        (
          .contentSecurityPolicy,
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
            + "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
            + "require-trusted-types-for 'script'; trusted-types page"
        ),
        (.xContentTypeOptions, "nosniff"),
        (HTTPField.Name("Referrer-Policy")!, "no-referrer"),
        (HTTPField.Name("Cross-Origin-Opener-Policy")!, "same-origin"),
        (HTTPField.Name("Cross-Origin-Resource-Policy")!, "same-origin"),
      ]
    }
  }

  extension Response {
    /// A plain text response.
    static func plain(_ status: HTTPResponse.Status, text: String) -> Response {
      Response(
        status: status, headers: [.contentType: "text/plain; charset=utf-8"],
        body: .init(byteBuffer: ByteBuffer(string: text)))
    }
  }
#endif
