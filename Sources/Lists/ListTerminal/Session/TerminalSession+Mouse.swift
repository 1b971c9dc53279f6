import Foundation
import ListKit
import ListSnapshots

/// A part of the screen that reacts to the mouse, as last drawn.
@MainActor
struct Region {
  let area: Rectangle
  var press: (@MainActor (MouseReport) -> Void)?
  /// The row drawn here.
  var row: (table: ListView, id: String)?
}

/// A row that is being dragged.
struct RowDrag {
  let table: ListView
  let id: String
  let start: MouseReport
  var hasMoved = false
  /// The target row, and whether the row goes into it, or after it.
  var target: (id: String, isInto: Bool, isAfter: Bool)?
}

struct Click {
  let screen: ObjectIdentifier?
  let report: MouseReport
  let time: ContinuousClock.Instant
}

extension TerminalSession {
  func mouse(_ report: MouseReport) {
    adrift = nil
    switch report.action {
    case .wheelUp: scroll(-3, at: report)
    case .wheelDown: scroll(3, at: report)
    case .press:
      attend(to: report)
      press(report)
    case .menu:
      attend(to: report)
      if popup == nil { openMenu(report) }
    case .drag: moveDrag(report)
    case .release: release(report)
    }
  }

  private func scroll(_ lines: Int, at report: MouseReport) {
    if case .help(let scroll) = popup { return popup = .help(scroll: max(0, scroll + lines)) }
    if popup != nil { return }
    if window.visibleAlert != nil { return focusNext(lines.signum()) }
    if window.visibleSheets.isEmpty, let other = columnUnder(report), other !== topController {
      let table = ScreenParts(controller: other).tables.first
      return table.map { viewport($0).scroll(by: lines) } ?? ()
    }
    guard let layer = top, layer.editing == nil || focusedTable == nil else {
      // The edited row stays visible.
      return
    }
    let table = focusedTable ?? topController.flatMap { ScreenParts(controller: $0).tables.first }
    if let table { viewport(table).scroll(by: lines) }
  }

  private func region(_ report: MouseReport) -> Region? {
    regions.last { $0.area.contains(x: report.x, y: report.y) }
  }

  private func press(_ report: MouseReport) {
    drag = nil
    guard let region = region(report) else {
      if case .help = popup { popup = nil }
      return
    }
    if let row = region.row {
      guard popup == nil else { return popup = nil }
      return pressRow(row.table, id: row.id, report: report)
    }
    region.press?(report)
  }

  private func pressRow(_ table: ListView, id: String, report: MouseReport) {
    finishBefore(table, id: id)
    guard let path = table.indexPath(forID: id) else { return }
    focus(StopID(table))
    viewport(table).moveCursor(to: table.counts.place(of: path))
    drag = RowDrag(table: table, id: id, start: report)
  }

  /// Commits a title edited in another row, before this row is used.
  func finishBefore(_ table: ListView, id: String) {
    guard let layer = top, case .title(_, let row) = layer.editing?.target, row != id else {
      return
    }
    finishEditing(of: layer)
  }

  private func openMenu(_ report: MouseReport) {
    guard let row = region(report)?.row, let path = row.table.indexPath(forID: row.id) else {
      return
    }
    focus(StopID(row.table))
    viewport(row.table).moveCursor(to: row.table.counts.place(of: path))
    settle()
    draw()
    showMenu(row.id, in: row.table)
  }

  // MARK: Rows

  private func release(_ report: MouseReport) {
    guard let drag else { return }
    self.drag = nil
    if drag.hasMoved { return drop(drag) }
    if case .title(_, drag.id) = top?.editing?.target { return }
    // The second click of a double click was meant for the screen before.
    let screen = topController.map { ObjectIdentifier($0) }
    let now = ContinuousClock.now
    let last = lastClick
    lastClick = Click(screen: screen, report: drag.start, time: now)
    if let last, last.screen != screen, now - last.time < .milliseconds(400),
      last.report.x == drag.start.x, last.report.y == drag.start.y
    {
      return
    }
    open(drag.id, in: drag.table)
  }

  /// Updates a drag: beside a row in the left half of the column, into it in the right half, as far
  /// as the list allows.
  private func moveDrag(_ report: MouseReport) {
    guard var drag, drag.hasMoved || report.y != drag.start.y,
      let path = drag.table.indexPath(forID: drag.id)
    else { return }
    let canDrop = drag.table.isDroppable
    let canMove = drag.table.canMoveRow(at: path)
    guard canDrop || canMove else { return }
    drag.hasMoved = true
    drag.target = nil
    if let row = region(report)?.row, row.table === drag.table, row.id != drag.id,
      let target = drag.table.indexPath(forID: row.id)
    {
      let column = columns.first { $0.area.contains(x: report.x, y: report.y) }?.area
      let middle = column.map { $0.x + $0.width / 2 } ?? size.columns / 2
      let isInto = canDrop && (!canMove || report.x >= middle)
      drag.target = (row.id, isInto, target > path && target.section == path.section)
    }
    self.drag = drag
  }

  private func drop(_ drag: RowDrag) {
    guard let target = drag.target, let path = drag.table.indexPath(forID: drag.id),
      let place = drag.table.indexPath(forID: target.id)
    else { return }
    guard target.isInto else { return drag.table.moveByUser(from: path, toProposed: place) }
    if !drag.table.drop(path, onto: place) { tell("A row cannot be moved there") }
  }
}
