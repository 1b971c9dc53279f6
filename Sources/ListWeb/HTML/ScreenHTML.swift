import ListKit

/// Draws the frame of a screen: what fills the window, or a sheet over it.
struct ScreenHTML {
  let name: String
  let keys: String
  let bar: HTML
  let title: String
  let content: HTML
  /// What stays at the end of the window while the content scrolls.
  let tabs: HTML
  /// How a sheet is presented; `nil` for what fills the window.
  let sheet: UIModalPresentationStyle?

  var markup: HTML {
    guard let sheet else { return screen("") }
    let kind: HTML =
      sheet == .popover ? "form popover" : sheet == .formSheet ? "form" : "page"
    let role: HTML = " role=\"dialog\" aria-modal=\"true\" aria-label=\"\(title)\""
    return "<div class=\"modal \(kind)\">\(screen(role))</div>"
  }

  private func screen(_ role: HTML) -> HTML {
    """
    <div class="screen" data-screen="\(name)" data-keys="\(keys)"\(role)>\(bar)\
    <main><h1 tabindex="-1" dir="auto">\(title)</h1>\(content)</main>\(tabs)</div>
    """
  }
}
