import Foundation
import ListKit
import ListSnapshots

// A list: sections, rows and index.
extension TerminalSession {
  func drawTable(_ frame: Frame, _ table: ListView, _ area: Rectangle) {
    guard !area.isEmpty else { return }
    var area = area
    let titles = indexTitles(table, area)
    if !titles.isEmpty {
      let width = min(3, titles.map { TextLayout.width($0) }.max() ?? 1) + 1
      area.width -= width
      drawIndex(
        frame, table, titles,
        Rectangle(x: area.right, y: area.y, width: width, height: area.height))
    }
    let viewport = viewport(table)
    let isRoomy = area.height >= 6
    viewport.layOut(width: area.width, height: area.height) { row in
      isRoomy && row.cell.rowContent.detail?.isEmpty == false ? 2 : 1
    }
    if table.counts.total == 0 { drawEmpty(frame, table, area) }
    for entry in viewport.entries { drawEntry(frame, table, entry, area) }
    drawStickyHeader(frame, table, viewport, area)
    drawDrag(frame, table, viewport, area)
  }

  private func drawEntry(
    _ frame: Frame, _ table: ListView, _ placed: TableViewport.PlacedEntry, _ area: Rectangle
  ) {
    let all = TableEntries(table)
    switch placed.entry {
    case .header(let section):
      drawHeader(frame, all.title(section) ?? "", area.line(placed.y), area)
    case .footer(let section):
      let line = area.line(placed.y)
      guard area.contains(x: area.x, y: line.y) else { return }
      frame.canvas.write(
        all.footer(section) ?? "", x: line.x + 2, y: line.y, limit: line.right - 1, .muted)
    case .row:
      for placedRow in placed.rows {
        let place = placedRow.area
        RowPainter(session: self, frame: frame, table: table, area: placed.column(placedRow, area))
          .draw(placedRow.row, y: placed.y + place.y, height: place.height)
      }
      drawMore(frame, placed, area)
    }
  }

  /// Marks a section that continues sideways.
  private func drawMore(
    _ frame: Frame, _ placed: TableViewport.PlacedEntry, _ area: Rectangle
  ) {
    let y = area.y + placed.y
    guard area.contains(x: area.x, y: y) else { return }
    if placed.more.left { frame.canvas.write(symbols.back, x: area.x, y: y, .tint) }
    if placed.more.right { frame.canvas.write(symbols.disclosure, x: area.right - 1, y: y, .tint) }
  }

  private func drawHeader(_ frame: Frame, _ title: String, _ line: Rectangle, _ area: Rectangle) {
    guard area.contains(x: area.x, y: line.y) else { return }
    frame.canvas.fill(line, .plain)
    let end = frame.canvas.write(
      title, x: line.x + 1, y: line.y, limit: line.right - 1, Style.muted.bold)
    for x in (end + 1)..<max(end + 1, line.right - 1) {
      frame.canvas.write(symbols.line, x: x, y: line.y, Style(tone: .muted, isFaint: true))
    }
  }

  /// Draws the title of the topmost visible section, which stays at the top.
  private func drawStickyHeader(
    _ frame: Frame, _ table: ListView, _ viewport: TableViewport, _ area: Rectangle
  ) {
    guard let first = viewport.entries.first, area.height >= 3 else { return }
    if case .header = first.entry, first.y >= 0 { return }
    guard let title = TableEntries(table).title(first.entry.section) else { return }
    // The header covers this region.
    frame.regions.removeAll {
      $0.row?.table === table && $0.area.y == area.y && $0.area.height == 1
    }
    drawHeader(frame, title, area.line(0), area)
  }

  private func drawEmpty(_ frame: Frame, _ table: ListView, _ area: Rectangle) {
    let label = table.backgroundView.flatMap { $0 as? UILabel ?? $0.firstDescendant(UILabel.self) }
    let text = label?.text ?? table.backgroundView?.accessibilityLabel ?? "Nothing here yet"
    let lines = TextLayout.wrapped(text, to: area.width - 2, most: area.height)
    for (index, line) in lines.enumerated() {
      let x = area.x + max(1, (area.width - TextLayout.width(line)) / 2)
      let y = area.y + max(0, (area.height - lines.count) / 2) + index
      frame.canvas.write(line, x: x, y: y, limit: area.right, .muted)
    }
  }

  // MARK: Index

  private func indexTitles(_ table: ListView, _ area: Rectangle) -> [String] {
    guard !table.isForm, area.width >= 24, area.height >= 4 else { return [] }
    return table.indexTitles ?? []
  }

  /// Draws the titles of the index; only every n-th if there are more titles than lines.
  private func drawIndex(
    _ frame: Frame, _ table: ListView, _ titles: [String], _ area: Rectangle
  ) {
    let lines = min(area.height, titles.count)
    for line in 0..<lines {
      let index = lines == titles.count ? line : line * (titles.count - 1) / max(1, lines - 1)
      let y = area.y + (area.height - lines) / 2 + line
      frame.canvas.write(titles[index], x: area.x + 1, y: y, limit: area.right, Style.tint.bold)
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
    _ frame: Frame, _ table: ListView, _ viewport: TableViewport, _ area: Rectangle
  ) {
    guard let drag, drag.table === table, let target = drag.target,
      let entry = viewport.entries.first(where: { $0.row(target.id) != nil }),
      let row = entry.row(target.id)
    else { return }
    let area = entry.column(row, area)
    let top = area.y + entry.y + row.area.y
    if target.isInto {
      let place = Rectangle(x: area.x, y: top, width: area.width, height: row.area.height)
      return frame.canvas.restyle(place) { $0.isReversed = true }
    }
    let y = target.isAfter ? top + row.area.height - 1 : top
    frame.canvas.restyle(Rectangle(x: area.x, y: y, width: area.width, height: 1)) {
      $0.isUnderlined = true
    }
    frame.canvas.write(symbols.arrow, x: area.x, y: y, Style.tint.bold)
  }
}

extension TableViewport.PlacedEntry {
  func row(_ id: String) -> TableViewport.PlacedRow? { rows.first { $0.row.id == id } }

  /// The columns of an area in which a row is drawn.
  func column(_ row: TableViewport.PlacedRow, _ area: Rectangle) -> Rectangle {
    Rectangle(x: area.x + row.area.x, y: area.y, width: row.area.width, height: area.height)
  }
}
