import Foundation
import ListKit
import ListSnapshots

/// A screen as lines of text.
@MainActor
struct PlainScreen {
  let controller: UIViewController
  /// The offset of the first row to print.
  let first: Int

  var lines: [String] {
    let parts = ScreenParts(controller: controller)
    var lines = ["", "# \(parts.title)"]
    if let prompt = parts.prompt { lines.append(prompt) }
    let buttons = parts.buttons.filter(\.isEnabled).map { button in
      button.id == .back ? "back (to \(button.title))" : name(button)
    }
    if !buttons.isEmpty { lines.append("Buttons: \(buttons.joined(separator: ", "))") }
    if let search = parts.searchBar {
      let text = search.text ?? ""
      lines.append(
        text.isEmpty ? "find TEXT searches" : "Found for “\(text)”, find ends the search:")
    }
    for view in parts.views { lines += self.lines(view, parts: parts) }
    if let tabs = parts.tabBar?.items, tabs.count > 1 {
      let names = tabs.map { item in
        (item.title ?? "") + (item === parts.tabBar?.selectedItem ? " (this one)" : "")
      }
      lines.append("Tabs: \(names.joined(separator: ", "))")
    }
    return lines
  }

  private func name(_ button: BarButton) -> String {
    switch button.id {
    case .undo: "undo (\(button.title))"
    case .redo: "redo (\(button.title))"
    default: button.title
    }
  }

  private func lines(_ view: UIView, parts: ScreenParts) -> [String] {
    switch view {
    case let table as ListView: return lines(table)
    case let field as UITextField where parts.headerFields.contains(field):
      return ["new TEXT: \(field.placeholder ?? "adds a row")"]
    case let label as UILabel: return (label.text ?? "").split(separator: "\n").map(String.init)
    default: return [PlainControls.line(view)].compactMap(\.self)
    }
  }

  // MARK: Rows

  private func lines(_ table: ListView) -> [String] {
    let all = TableEntries(table)
    let total = all.counts.total
    guard total > 0 else {
      let views = table.backgroundView.map(ScreenParts.views) ?? []
      let texts = views.flatMap { self.lines($0, parts: ScreenParts(controller: controller)) }
      return texts.isEmpty ? ["Nothing here yet"] : texts
    }
    let first = max(0, min(first, total - 1))
    let end = min(total, first + PlainSession.pageLength)
    PlainRows.hold(first..<end, of: table)
    var lines: [String] = []
    var section = -1
    for place in first..<end {
      let path = all.counts.indexPath(at: place)
      if path.section != section {
        if section >= 0, let footer = all.footer(section) { lines.append(footer) }
        if let title = all.title(path.section) { lines.append("\(title):") }
      }
      section = path.section
      lines.append("\(place + 1). \(PlainRows.text(place, of: table))")
    }
    if end == total, let footer = all.footer(section) { lines.append(footer) }
    if first > 0 || end < total {
      let range = "\(first + 1) to \(end) of \(total)\(table.isPart ? "+" : "")"
      lines.append(end < total ? "(\(range); more shows the next)" : "(\(range))")
    }
    return lines
  }
}

/// Rows by their offsets in the whole table.
@MainActor
enum PlainRows {
  static func hold(_ places: Range<Int>, of table: ListView) {
    let held = table.firstPlace..<(table.firstPlace + table.rows.count)
    if places.isEmpty || (held.contains(places.lowerBound) && held.contains(places.upperBound - 1))
    {
      return
    }
    _ = table.showRows(from: places.lowerBound, count: places.count)
  }

  static func row(_ place: Int, of table: ListView) -> ListRow? {
    guard (0..<table.counts.total).contains(place) else { return nil }
    hold(place..<(place + 1), of: table)
    let index = place - table.firstPlace
    return table.rows.indices.contains(index) ? table.rows[index] : nil
  }

  /// The title of a row, or what stands in place of one.
  static func name(of row: ListRow) -> String {
    let content = row.cell.rowContent
    let label =
      content.placeholder ?? content.accessibilityLabel ?? row.cell.formControl?.accessibilityLabel
    return content.title.isEmpty ? label ?? "" : content.title
  }

  static func text(_ place: Int, of table: ListView) -> String {
    guard let row = row(place, of: table) else { return "" }
    let content = row.cell.rowContent
    var text = name(of: row)
    text = String(repeating: "  ", count: content.indentation) + text
    if let control = content.control {
      text += ": \(control.text.isEmpty ? "(\(control.placeholder ?? "empty"))" : control.text)"
      if let unit = (row.cell.formControl as? UITextField)?.unit { text += " \(unit)" }
    }
    if let detail = content.detail, !detail.isEmpty { text += " – \(detail)" }
    if let badge = content.badge, !badge.isEmpty {
      text += !table.isForm ? " (\(badge))" : ": \(badge)"
    }
    for state in row.cell.controls.compactMap({ PlainControls.state($0, in: content.title) }) {
      text += ", \(state)"
    }
    if let isExpanded = content.outline?.isExpanded { text += isExpanded ? ", open" : ", closed" }
    if content.accessory == .checkmark { text += ", checked" }
    if row.cell.isSelected { text += ", selected" }
    return text
  }
}
