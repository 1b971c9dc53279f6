import ListKit

// The other windows: a dot for each in the bar, and a mark on the row that one edits.
extension TerminalSession {
  /// The number of windows that have a dot of their own.
  private static let mostDots = 3

  /// The bar that shows the others: of several columns that of the last one with a title.
  func showsOthers(_ controller: UIViewController) -> Bool {
    guard others != .nobody else { return false }
    let titled = window.visibleColumns.last { !ScreenParts(controller: $0).title.isEmpty }
    return controller === titled
  }

  /// How many characters the others take in a bar.
  var widthOfOthers: Int { dots.count + TextLayout.width(rest) }

  private var dots: [Company.Other] { Array(others.others.prefix(Self.mostDots)) }

  /// The number of those without a dot.
  private var rest: String {
    let count = others.count - dots.count
    return count == 0 ? "" : "+\(count)"
  }

  func drawOthers(_ frame: Frame, x: Int, y: Int, limit: Int) {
    var end = x
    for other in dots {
      let style = Style(tone: .other(other.colour)).on(.bar)
      end = frame.canvas.write(symbols.other, x: end, y: y, limit: limit, style: style)
    }
    frame.canvas.write(rest, x: end, y: y, limit: limit, style: Style.muted.on(.bar))
  }

  /// The colour of the window that edits a row.
  func editor(of row: ListRow) -> Tone? {
    others.others.first { $0.row == row.id }.map { .other($0.colour) }
  }
}
