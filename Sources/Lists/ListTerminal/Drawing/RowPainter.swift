import Foundation
import ListKit
import ListSnapshots

/// Draws the rows of one list.
@MainActor
struct RowPainter {
  let session: TerminalSession
  let frame: Frame
  let table: ListView
  let area: Rectangle

  private var symbols: Symbols { session.symbols }

  func draw(_ row: ListRow, y: Int, height: Int) {
    let content = row.cell.rowContent
    let place = Rectangle(x: area.x, y: area.y + y, width: area.width, height: height)
    let clipped = clip(place)
    guard !clipped.isEmpty else { return }
    let isCurrent = isCurrent(row)
    let ground: Tone = isCurrent ? .current : self.ground(content)
    frame.canvas.fill(clipped, style: Style.plain.on(ground))
    frame.regions.append(Region(area: clipped, row: (table, row.id)))
    guard place.y >= area.y else {
      // The first line is above the visible area.
      return drawDetail(content, line: place.inset(1).line(height - 1), ground: ground)
    }
    let start = drawLeading(
      row, content: content, place: place, ground: ground,
      start: drawSigns(row, place: place, ground: ground, isCurrent: isCurrent))
    var end = drawTrailing(row, content: content, place: place, ground: ground, start: start)
    end = drawTrailingControls(row, place: place, ground: ground, start: start, end: end)
    drawTexts(
      row, content: content,
      place: Rectangle(x: start, y: place.y, width: end - start, height: height), ground: ground,
      isCurrent: isCurrent)
  }

  private func clip(_ place: Rectangle) -> Rectangle {
    let top = max(place.y, area.y)
    return Rectangle(
      x: place.x, y: top, width: place.width, height: min(place.bottom, area.bottom) - top)
  }

  /// Whether the row is the current one, which is marked while the list has the keyboard focus.
  private func isCurrent(_ row: ListRow) -> Bool {
    session.focusedTable === table && session.viewport(table).rowID == row.id
  }

  // MARK: Leading edge

  /// Draws the cursor, the selection and the signs for editing. Returns the column of the title.
  private func drawSigns(
    _ row: ListRow, place: Rectangle, ground: Tone, isCurrent: Bool
  ) -> Int {
    var x = place.x
    if isCurrent {
      for line in 0..<place.height where place.y + line < area.bottom {
        frame.canvas.write(
          symbols.cursor, x: x, y: place.y + line, limit: area.right,
          style: Style.tint.on(ground).bold)
      }
    }
    x += 2
    func sign(_ text: String, _ style: Style) {
      frame.canvas.write(text, x: x, y: place.y, limit: area.right, style: style.on(ground))
      x += 2
    }
    if table.allowsMultipleSelection {
      sign(
        row.cell.isSelected ? symbols.chosen : symbols.unchosen,
        row.cell.isSelected ? .tint : .muted)
    } else if let editor = session.editor(of: row) {
      frame.canvas.write(
        symbols.edited, x: x - 1, y: place.y, limit: area.right,
        style: Style(tone: editor).on(ground))
    } else if row.cell.isSelected {
      frame.canvas.write(
        symbols.arrow, x: x - 1, y: place.y, limit: area.right, style: Style.tint.on(ground))
    }
    guard place.width >= 16 else { return x }
    x = drawOutline(row, place: place, ground: ground, start: x)
    if table.isEditing, isDeletable(row) { sign(symbols.remove, .danger) }
    if row.cell.hasGrip, table.canMoveRow(at: row.indexPath) {
      sign(symbols.grip, Style(tone: .muted, isFaint: true))
    }
    return x
  }

  /// Draws the indentation and the disclosure sign of an outline. Returns the column after them.
  private func drawOutline(
    _ row: ListRow, place: Rectangle, ground: Tone, start: Int
  ) -> Int {
    let content = row.cell.rowContent
    // The title keeps half of the line at any depth.
    let x = start + min(2 * content.indentation, place.width / 2)
    guard let outline = content.outline else { return x }
    if let isExpanded = outline.isExpanded {
      frame.canvas.write(
        isExpanded ? symbols.open : symbols.closed, x: x, y: place.y, limit: area.right,
        style: Style.tint.on(ground))
      let (table, id) = (table, row.id)
      frame.onPress(Rectangle(x: x, y: place.y, width: 2, height: 1)) { [weak session] _ in
        session?.toggleRow(id, in: table)
      }
    }
    return x + 2
  }

  private func isDeletable(_ row: ListRow) -> Bool {
    table.trailingActions(at: row.indexPath).contains { $0.style == .destructive }
  }

  // MARK: Trailing edge

  /// Draws the accessory, and the badge before it. Returns the column where they begin.
  private func drawTrailing(
    _ row: ListRow, content: RowContent, place: Rectangle, ground: Tone, start: Int
  ) -> Int {
    var end = place.right - 1
    func sign(_ text: String, _ style: Style) {
      guard end - 2 > start else { return }
      frame.canvas.write(text, x: end - 1, y: place.y, limit: place.right, style: style.on(ground))
      end -= 2
    }
    switch content.accessory {
    case .none: break
    case .checkmark: sign(symbols.check, Style.tint.bold)
    case .disclosure: sign(symbols.disclosure, .muted)
    case .detail: sign(symbols.information, .tint)
    }
    guard let badge = content.badge, !badge.isEmpty, row.cell.formControl == nil else { return end }
    let room = !table.isForm ? max(6, (end - start) / 3) : (end - start) * 2 / 3
    let glyphs = TextLayout.truncated(badge, to: min(room, end - start - 4))
    let width = TextLayout.width(glyphs)
    guard width > 0 else { return end }
    frame.canvas.write(
      glyphs, x: end - width, y: place.y, limit: place.right, style: Style.muted.on(ground))
    return end - width - 1
  }

  // MARK: Texts

  private func drawTexts(
    _ row: ListRow, content: RowContent, place: Rectangle, ground: Tone, isCurrent: Bool
  ) {
    if let editing = session.top?.editing, case .title(table, row.id) = editing.target {
      return session.drawLine(
        frame, area: place.line(0), editor: editing.editor, isEdited: true,
        placeholder: content.placeholder ?? "")
    }
    if let control = row.cell.formControl {
      return drawForm(content, control: control, place: place, ground: ground)
    }
    var style = Style(tone: tone(content.titleColor)).on(ground)
    style.isBold = isCurrent
    var title = content.title
    if title.isEmpty {
      style.tone = .muted
      title = content.placeholder ?? content.accessibilityLabel ?? name(row.cell)
    }
    if content.isLabelled { style.tone = .muted }
    let end = frame.canvas.write(title, x: place.x, y: place.y, limit: place.right, style: style)
    if place.height > 1 {
      drawDetail(content, line: place.line(1), ground: ground)
    } else if let detail = content.detail, end + 3 < place.right {
      frame.canvas.write(
        detail, x: end + 2, y: place.y, limit: place.right, style: detailStyle(content).on(ground))
    }
  }

  /// The texts of a cell whose views have no drawing of their own.
  private func name(_ cell: ListCell) -> String {
    func names(_ view: UIView) -> [String] {
      if let name = view.accessibilityLabel { return [name] }
      if let label = view as? UILabel { return [label.text ?? ""] }
      return view.subviews.flatMap(names)
    }
    return names(cell.contentView).filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private func drawDetail(_ content: RowContent, line: Rectangle, ground: Tone) {
    guard let detail = content.detail, line.y < area.bottom else { return }
    frame.canvas.write(
      detail, x: line.x, y: line.y, limit: line.right, style: detailStyle(content).on(ground))
  }

  /// Draws a row of a form: the label, then the field or date picker.
  private func drawForm(
    _ content: RowContent, control: UIControl, place: Rectangle, ground: Tone
  ) {
    let label =
      content.title.isEmpty ? 0 : min(place.width * 2 / 5, max(12, content.title.count + 2))
    frame.canvas.write(
      content.title, x: place.x, y: place.y, limit: place.x + label - 1,
      style: Style(tone: tone(content.titleColor)).on(ground))
    let line = Rectangle(
      x: place.x + label, y: place.y, width: place.width - label, height: 1)
    switch control {
    case let field as UITextField: session.drawField(frame, field: field, area: line)
    case let picker as UIDatePicker: session.drawPicker(frame, picker: picker, area: line)
    default: break
    }
  }
}
