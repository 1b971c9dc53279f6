import ListKit

/// Draws the frame of a screen: the one that fills the window, or a sheet over it.
struct ScreenHTML {
  let name: String
  let keys: String
  let bar: HTML
  let title: String
  let content: HTML
  /// The toolbar and the tab bar, which stay at the bottom while the content scrolls.
  let tabs: HTML
  /// Whether it stands before the last of several columns, whose content is the main one.
  var isBeside = false
  /// The presentation style of a sheet; `nil` for the screen that fills the window.
  let sheet: UIModalPresentationStyle?
  /// The attributes of a popover; `nil` for other screens.
  let popover: Popover?

  /// The attributes by which the page positions a popover.
  struct Popover {
    /// The names of its source: a view or a button, or a table together with its row.
    let source: String
    let row: String?
    /// The permitted directions of the arrow.
    let arrows: UIPopoverArrowDirection
    /// The maximum size in pixels; zero is up to the page.
    let width: Int
    let height: Int
    /// Whether it stays a popover in a narrow window.
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
    let heading: HTML = "<h1 tabindex=\"-1\" dir=\"auto\">\(title)</h1>"
    // A page has one main landmark and one banner: the other columns are regions.
    if isBeside {
      let label = title.isEmpty ? "Nothing chosen" : title
      return """
        <section class="screen" data-screen="\(name)" data-keys="\(keys)" aria-label="\(label)">\(bar)\
        <div class="main">\(heading)\(content)</div>\(tabs)</section>
        """
    }
    return """
      <div class="screen" data-screen="\(name)" data-keys="\(keys)"\(role)>\(bar)\
      <main>\(heading)\(content)</main>\(tabs)</div>
      """
  }
}
