import Foundation
import ListKit
import ListSnapshots

// A list: sections, rows and index.
extension TerminalSession {
  func drawTable(_ frame: Frame, table: ListView, area: Rectangle) {
    guard !area.isEmpty else { return }
    var area = area
    // A grid uses the width.
    if table.counts.total > 0, table.grid(inSection: 0) == nil {
      area.width = min(area.width, Self.mostOfContent)
    }
    let titles = indexTitles(table, area: area)
    if !titles.isEmpty {
      let width = min(3, titles.map { TextLayout.width($0) }.max() ?? 1) + 1
      area.width -= width
      drawIndex(
        frame, table: table, titles: titles,
        area: Rectangle(x: area.right, y: area.y, width: width, height: area.height))
    }
    let viewport = viewport(table)
    let isRoomy = area.height >= 6
    viewport.layOut(width: area.width, height: area.height) { row in
      isRoomy && row.cell.rowContent.detail?.isEmpty == false ? 2 : 1
    }
    if table.counts.total == 0 { drawEmpty(frame, table: table, area: area) }
    for entry in viewport.entries { drawEntry(frame, table: table, placed: entry, area: area) }
    drawStickyHeader(frame, table: table, viewport: viewport, area: area)
    drawDrag(frame, table: table, viewport: viewport, area: area)
  }

  private func drawEntry(
    _ frame: Frame, table: ListView, placed: TableViewport.PlacedEntry, area: Rectangle
  ) {
    let all = TableEntries(table)
    switch placed.entry {
    case .header(let section):
      drawHeader(frame, title: all.title(section) ?? "", line: area.line(placed.y), area: area)
    case .footer(let section):
      let line = area.line(placed.y)
      guard area.contains(x: area.x, y: line.y) else { return }
      frame.canvas.write(
        all.footer(section) ?? "", x: line.x + 2, y: line.y, limit: line.right - 1,
        style: isInvalid(section, table: table) ? .danger : .muted)
    case .row:
      for placedRow in placed.rows {
        let place = placedRow.area
        RowPainter(
          session: self, frame: frame, table: table, area: placed.column(placedRow, area: area)
        )
        .draw(placedRow.row, y: placed.y + place.y, height: place.height)
      }
      drawMore(frame, placed: placed, area: area)
    }
  }

  /// Whether a section of a form has a value that is not valid, which its footer explains.
  private func isInvalid(_ section: Int, table: ListView) -> Bool {
    table.isForm && table.rows.contains { $0.indexPath.section == section && $0.isInvalid }
  }

  /// Marks a section that continues sideways.
  private func drawMore(
    _ frame: Frame, placed: TableViewport.PlacedEntry, area: Rectangle
  ) {
    let y = area.y + placed.y
    guard area.contains(x: area.x, y: y) else { return }
    if placed.more.left { frame.canvas.write(symbols.back, x: area.x, y: y, style: .tint) }
    if placed.more.right {
      frame.canvas.write(symbols.disclosure, x: area.right - 1, y: y, style: .tint)
    }
  }

  private func drawHeader(_ frame: Frame, title: String, line: Rectangle, area: Rectangle) {
    guard area.contains(x: area.x, y: line.y) else { return }
    frame.canvas.fill(line, style: .plain)
    let end = frame.canvas.write(
      title, x: line.x + 1, y: line.y, limit: line.right - 1, style: Style.muted.bold)
    for x in (end + 1)..<max(end + 1, line.right - 1) {
      frame.canvas.write(symbols.line, x: x, y: line.y, style: Style(tone: .muted, isFaint: true))
    }
  }

  /// Draws the title of the topmost visible section, which stays at the top.
  private func drawStickyHeader(
    _ frame: Frame, table: ListView, viewport: TableViewport, area: Rectangle
  ) {
    guard let first = viewport.entries.first, area.height >= 3 else { return }
    if case .header = first.entry, first.y >= 0 { return }
    guard let title = TableEntries(table).title(first.entry.section) else { return }
    // The header covers this region.
    frame.regions.removeAll {
      $0.row?.table === table && $0.area.y == area.y && $0.area.height == 1
    }
    drawHeader(frame, title: title, line: area.line(0), area: area)
  }

  /// Draws what stands in place of the rows: texts and buttons, in the middle.
  private func drawEmpty(_ frame: Frame, table: ListView, area: Rectangle) {
    let views = table.backgroundView.map { ScreenParts.views(in: $0) } ?? []
    var lines = views.flatMap { emptyLines($0, width: area.width - 2) }
    if lines.isEmpty {
      let text = table.backgroundView?.accessibilityLabel ?? "Nothing here yet"
      lines = emptyLines(text, style: .muted, width: area.width - 2)
    }
    // A blank line before a button, where there is room.
    if let index = lines.firstIndex(where: { $0.button != nil }), lines.count < area.height {
      lines.insert((text: "", style: .muted, button: nil), at: index)
    }
    for (index, line) in lines.prefix(area.height).enumerated() {
      let x = area.x + max(1, (area.width - TextLayout.width(line.text)) / 2)
      let y = area.y + max(0, (area.height - lines.count) / 2) + index
      let end = frame.canvas.write(line.text, x: x, y: y, limit: area.right, style: line.style)
      guard let button = line.button else { continue }
      frame.onPress(Rectangle(x: x, y: y, width: end - x, height: 1)) { _ in button.press() }
    }
  }

  private typealias EmptyLine = (text: String, style: Style, button: UIButton?)

  private func emptyLines(_ view: UIView, width: Int) -> [EmptyLine] {
    switch view {
    case let label as UILabel:
      return emptyLines(
        label.text ?? "", style: view === firstLabel(view) ? .plain : .muted, width: width)
    case let button as UIButton:
      var style = button.isEnabled ? Style.tint : .muted
      if isFocused(StopID(button)) { style = style.reversed }
      return [("[ \(button.currentTitle ?? "") ]", style, button.isEnabled ? button : nil)]
    default: return []
    }
  }

  /// The first label beside a label of several.
  private func firstLabel(_ view: UIView) -> UIView? {
    let labels = view.superview?.subviews.filter { $0 is UILabel } ?? []
    return labels.count > 1 ? labels.first : nil
  }

  private func emptyLines(_ text: String, style: Style, width: Int) -> [EmptyLine] {
    TextLayout.wrapped(text, to: min(width, 60), most: 100).map { ($0, style, nil) }
  }

  // MARK: Index

  private func indexTitles(_ table: ListView, area: Rectangle) -> [String] {
    guard !table.isForm, area.width >= 24, area.height >= 4 else { return [] }
    return table.indexTitles ?? []
  }

  /// Draws the titles of the index; only every n-th if there are more titles than lines.
  private func drawIndex(
    _ frame: Frame, table: ListView, titles: [String], area: Rectangle
  ) {
    let lines = min(area.height, titles.count)
    for line in 0..<lines {
      let index = lines == titles.count ? line : line * (titles.count - 1) / max(1, lines - 1)
      let y = area.y + (area.height - lines) / 2 + line
      frame.canvas.write(
        titles[index], x: area.x + 1, y: y, limit: area.right, style: Style.tint.bold)
      frame.onPress(Rectangle(x: area.x, y: y, width: area.width, height: 1)) {
        [weak self] _ in
        self?.focus(StopID(table))
        self?.jump(to: index, in: table)
      }
    }
  }

  // MARK: Dragging

  /// Draws the target of a drag: an underlined row edge, or the reversed row that receives the
  /// drop.
  private func drawDrag(
    _ frame: Frame, table: ListView, viewport: TableViewport, area: Rectangle
  ) {
    guard let drag, drag.table === table, let target = drag.target,
      let entry = viewport.entries.first(where: { $0.row(target.id) != nil }),
      let row = entry.row(target.id)
    else { return }
    let area = entry.column(row, area: area)
    let top = area.y + entry.y + row.area.y
    if target.isInto {
      let place = Rectangle(x: area.x, y: top, width: area.width, height: row.area.height)
      return frame.canvas.restyle(place) { $0.isReversed = true }
    }
    let y = target.isAfter ? top + row.area.height - 1 : top
    frame.canvas.restyle(Rectangle(x: area.x, y: y, width: area.width, height: 1)) {
      $0.isUnderlined = true
    }
    frame.canvas.write(symbols.arrow, x: area.x, y: y, style: Style.tint.bold)
  }
}

extension TableViewport.PlacedEntry {
  func row(_ id: String) -> TableViewport.PlacedRow? { rows.first { $0.row.id == id } }

  /// The columns of an area in which a row is drawn.
  func column(_ row: TableViewport.PlacedRow, area: Rectangle) -> Rectangle {
    Rectangle(x: area.x + row.area.x, y: area.y, width: row.area.width, height: area.height)
  }
}
