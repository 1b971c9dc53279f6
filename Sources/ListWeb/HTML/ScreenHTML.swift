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
  /// What a popover stands beside; `nil` for every other screen.
  let popover: Popover?

  /// What a page has to know of a popover.
  struct Popover {
    /// The names of what it stands beside: of a view or a button, or of a table and its row.
    let source: String
    let row: String?
    /// Where its arrow may point.
    let arrows: UIPopoverArrowDirection
    /// In pixels; zero is up to the page.
    let width: Int
    let height: Int
    /// It stays beside its source in a narrow window.
    let isEverywhere: Bool
  }

  var markup: HTML {
    guard let sheet else { return screen("") }
    let kind: HTML =
      sheet == .popover ? "form popover" : sheet == .formSheet ? "form" : "page"
    let role: HTML = " role=\"dialog\" aria-modal=\"true\" aria-label=\"\(title)\""
    return "<div class=\"modal \(kind)\"\(place)>\(screen(role))</div>"
  }

  private var place: HTML {
    guard let popover else { return "" }
    let directions: [(UIPopoverArrowDirection, String)] = [
      (.up, "up"), (.down, "down"), (.left, "left"), (.right, "right"),
    ]
    let arrows = directions.filter { popover.arrows.contains($0.0) }.map(\.1)
    let row: HTML = popover.row.map { " data-beside-row=\"\($0)\"" } ?? ""
    return """
       data-beside="\(popover.source)"\(row) data-arrows="\(arrows.joined(separator: " "))" \
      data-width="\(popover.width)" data-height="\(popover.height)"\
      \(" data-everywhere", if: popover.isEverywhere)
      """
  }

  private func screen(_ role: HTML) -> HTML {
    """
    <div class="screen" data-screen="\(name)" data-keys="\(keys)"\(role)>\(bar)\
    <main><h1 tabindex="-1" dir="auto">\(title)</h1>\(content)</main>\(tabs)</div>
    """
  }
}
