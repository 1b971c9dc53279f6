#if Web
  import HTTPTypes
  import Hummingbird

  /// A page without a window: it says why there is none, and leads on.
  struct MessagePageHTML {
    let title: String
    let text: String
    /// Whether the page reloads itself, every three seconds.
    var isWaiting = false
    /// Whether the page has a link to the beginning.
    var leadsOn = true
    /// The name of the script that asks for a window; nil for none.
    var script: String?

    /// The page of an address without a window. It has no data: its script asks for a window with
    /// the key, or with the session that the browser keeps.
    static let door = MessagePageHTML(
      title: "Opening…", text: "", leadsOn: false, script: "door.js")

    static let tooManyWindows = MessagePageHTML(
      title: "Too many windows are open",
      text: "Close one of them. This page looks again every few seconds.", isWaiting: true,
      leadsOn: false)

    static let notFound = MessagePageHTML(
      title: "There is nothing at this address", text: "It may have been mistyped.")

    static let tooLong = MessagePageHTML(
      title: "This address is too long", text: "It may have been put together wrongly.")

    static let notAllowed = MessagePageHTML(
      title: "That cannot be asked for here", text: "Pages are read, and told what to do.")

    func response(_ status: HTTPResponse.Status) -> Response {
      var headers: HTTPFields = [
        .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
      ]
      if isWaiting { headers[.retryAfter] = "3" }
      return Response(
        status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: markup.markup))
      )
    }

    private var markup: HTML {
      let link: HTML = "<p><a class=\"on\" href=\"/\">Go to the beginning</a></p>"
      let source: HTML =
        script.map { "<script type=\"module\" src=\"/page/\($0)\"></script>" } ?? ""
      return """
        <!doctype html>
        <html lang="\(PageHTML.language)">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        \("<meta http-equiv=\"refresh\" content=\"3\">", if: isWaiting)
        <title>\(title)</title>
        \(PageHTML.icon)
        <link rel="stylesheet" href="/page/page.css">
        <link rel="stylesheet" href="/page/controls.css">
        \(source)
        </head>
        <body><main class="screen message"><h1 role="status">\(title)</h1><p class="label">\(text)</p>\(link, if: leadsOn)\(Self.needsScripts, if: script != nil)</main></body>
        </html>
        """
    }

    private static let needsScripts: HTML =
      "<noscript><p class=\"label\">This page needs JavaScript.</p></noscript>"
  }
#endif
