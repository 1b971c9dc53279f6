import Foundation

/// The complete document of a window.
struct PageHTML {
  let title: String
  let token: String
  let sequence: Int
  let page: Int
  let place: String
  let isWorking: Bool
  let waitingText: String?
  /// Whether it is drawn for a wide window.
  let isWide: Bool
  /// The reader's, for the direction of the page.
  let locale: Locale
  let screen: HTML
  let alert: HTML

  /// The language of the page's texts: the program's, which need not be the reader's.
  static let language = Bundle.main.preferredLocalizations.first ?? "en"

  private var direction: HTML {
    locale.language.characterDirection == .rightToLeft ? "rtl" : "ltr"
  }

  /// The icon of the tab.
  static let icon: HTML = "<link rel=\"icon\" type=\"image/svg+xml\" href=\"/page/icon.svg\">"

  var markup: HTML {
    """
    <!doctype html>
    <html lang="\(Self.language)" dir="\(direction)">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(title)</title>
    \(Self.icon)
    <link rel="stylesheet" href="/page/page.css">
    <link rel="stylesheet" href="/page/controls.css">
    <link rel="stylesheet" href="/page/grids.css">
    <script src="/page/early.js"></script>
    <script type="module" src="/page/main.js"></script>
    </head>
    <body data-window="\(token)" data-sequence="\(sequence)" data-page="\(page)" data-place="\(place)"\(" data-working", if: isWorking) data-waiting="\(waitingText ?? "")" data-least-wide="\(WindowSession.leastWide)"\(" data-wide", if: isWide)>
    <noscript><p class="label">This page needs JavaScript to change anything.</p></noscript>
    <div id="progress" role="progressbar" aria-label="Working" hidden></div>
    <section id="unsent" aria-label="Not sent" hidden></section>
    <div id="app">\(screen)</div>
    <div id="alerts">\(alert)</div>
    <div id="toasts" role="status" aria-live="polite"></div>
    <p id="status" class="unseen" role="status" aria-live="polite"></p>
    <div id="connection" role="alert" hidden><span></span><button type="button" hidden></button></div>
    </body>
    </html>
    """
  }
}
