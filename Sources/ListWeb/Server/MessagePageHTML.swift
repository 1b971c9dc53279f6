#if Web
  import HTTPTypes
  import Hummingbird

  /// A page with the reason for which there is no window.
  struct MessagePageHTML {
    let title: String
    let text: String
    /// Whether the page reloads itself, every three seconds.
    let isWaiting: Bool

    static let tooManyWindows = MessagePageHTML(
      title: "Too many windows are open",
      text: "Close one of them. This page looks again every few seconds.", isWaiting: true)

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
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      \("<meta http-equiv=\"refresh\" content=\"3\">", if: isWaiting)
      <title>\(title)</title>
      <link rel="icon" href="data:,">
      <link rel="stylesheet" href="/page/page.css">
      </head>
      <body><main class="screen message"><h1>\(title)</h1><p class="label">\(text)</p></main></body>
      </html>
      """
    }
  }
#endif
