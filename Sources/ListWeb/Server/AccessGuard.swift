#if Web
  import HTTPTypes
  import Hummingbird

  /// Checks the access key of requests that open a window. Requests for an existing window need
  /// none: its token is as secret as the key.
  ///
  /// The key comes in a cookie, or once in the address: `?token=KEY` sets the cookie and redirects
  /// to the address without the key.
  struct AccessGuard: Sendable {
    /// The key; nil gives access to everyone who can reach the port.
    let key: AccessKey?

    enum Answer {
      case allowed
      case instead(Response)
    }

    func check(_ request: Request) -> Answer {
      guard let key else { return .allowed }
      if let token = request.uri.queryParameters["token"] {
        return key.opens(with: String(token)) ? .instead(welcome(request, key)) : refusal
      }
      return key.opens(with: cookie(of: request)) ? .allowed : refusal
    }

    private func welcome(_ request: Request, _ key: AccessKey) -> Response {
      let cookie =
        "\(Self.cookieName(request))=\(key.text); Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000"
      return Response(
        status: .seeOther,
        headers: [.location: request.uri.path, .setCookie: cookie, .cacheControl: "no-store"])
    }

    private var refusal: Answer {
      .instead(
        MessagePageHTML(
          title: "A key is needed",
          text: "Open the address that the program printed when it started: it has the key in it.",
          isWaiting: false
        ).response(.forbidden))
    }

    private func cookie(of request: Request) -> String {
      let name = Self.cookieName(request)
      let pairs = (request.headers[.cookie] ?? "").split(separator: ";")
        .map { $0.trimmingPrefix { $0 == " " } }
      let mine = pairs.first { $0.hasPrefix("\(name)=") }
      return mine.map { String($0.dropFirst(name.count + 1)) } ?? ""
    }

    /// The cookie's name. Browsers share cookies between all ports of a host: the port in the name
    /// separates programs.
    private static func cookieName(_ request: Request) -> String {
      let port = request.head.authority?.split(separator: ":").last.flatMap { Int($0) } ?? 80
      return "lists-key-\(port)"
    }
  }
#endif
