import Foundation
import ListKit

// Menus and the help, drawn over everything else.
extension TerminalSession {
  func drawPopup(_ frame: Frame, area: Rectangle) {
    switch popup {
    case .menu(let menu): drawMenu(frame, menu: menu, area: area)
    case .help(let scroll): drawHelp(frame, scroll: scroll, area: area)
    case nil: break
    }
  }

  private func box(_ area: Rectangle, width: Int, lines: Int) -> (box: Rectangle, inside: Rectangle)
  {
    let isFramed = area.width >= 20 && area.height >= 6
    let width = min(area.width, width + (isFramed ? 4 : 0))
    let height = min(area.height, lines + (isFramed ? 2 : 0))
    let box = Rectangle(
      x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width: width,
      height: height)
    return (box, isFramed ? box.inset(2, lines: 1) : box)
  }

  private func drawMenu(_ frame: Frame, menu: Popup.Menu, area: Rectangle) {
    let widths = menu.items.map { TextLayout.width($0.title) + 2 } + [TextLayout.width(menu.title)]
    frame.cover()
    let (box, inside) = box(
      area, width: min(60, max(16, widths.max() ?? 0)), lines: menu.items.count + 1)
    drawBox(frame, area: box)
    frame.canvas.write(menu.title, x: inside.x, y: inside.y, limit: inside.right, style: .bold)
    let room = max(1, inside.height - 1)
    let first = max(0, min(menu.selected - room + 1, menu.items.count - room))
    for (line, index) in (first..<min(menu.items.count, first + room)).enumerated() {
      let place = inside.line(min(line + 1, max(0, inside.height - 1)))
      drawItem(frame, menu: menu, index: index, line: place)
    }
  }

  private func drawItem(_ frame: Frame, menu: Popup.Menu, index: Int, line: Rectangle) {
    let item = menu.items[index]
    let isSelected = index == menu.selected
    var style = item.isDestructive ? Style.danger : .plain
    if isSelected { style = style.on(.current).bold }
    frame.canvas.fill(line, style: style)
    if isSelected {
      frame.canvas.write(symbols.cursor, x: line.x, y: line.y, style: Style.tint.on(.current))
    }
    frame.canvas.write(item.title, x: line.x + 2, y: line.y, limit: line.right, style: style)
    frame.onPress(line) { [weak self] _ in
      self?.popup = nil
      item.perform()
    }
  }

  private func drawHelp(_ frame: Frame, scroll: Int, area: Rectangle) {
    // Closed first, so that the commands are those of the screen behind the help.
    popup = nil
    let lines = helpLines()
    let keys = min(area.width / 2, lines.map { TextLayout.width($0.keys) }.max() ?? 0) + 2
    let titles = lines.map { TextLayout.width($0.title) }.max() ?? 0
    frame.cover()
    let (box, inside) = box(area, width: keys + titles, lines: lines.count)
    drawBox(frame, area: box)
    let first = max(0, min(scroll, lines.count - inside.height))
    popup = .help(scroll: first)
    for (index, line) in lines.dropFirst(first).prefix(inside.height).enumerated() {
      let place = inside.line(index)
      frame.canvas.write(
        line.keys, x: place.x, y: place.y, limit: place.x + keys - 1, style: Style.tint.bold)
      frame.canvas.write(
        line.title, x: line.keys.isEmpty ? place.x : place.x + keys, y: place.y,
        limit: place.right, style: line.keys.isEmpty ? .bold : .plain)
    }
  }

  /// Every command that is available now, by group.
  func helpLines() -> [(keys: String, title: String)] {
    let all = commands
    return Command.Group.allCases.flatMap { group -> [(keys: String, title: String)] in
      let members = all.filter { $0.group == group && !$0.keys.isEmpty }
      if members.isEmpty { return [] }
      return [("", group.rawValue)]
        + members.map { command in
          (command.keys.map { $0.name(symbols) }.joined(separator: " "), command.title)
        }
    }
  }
}
