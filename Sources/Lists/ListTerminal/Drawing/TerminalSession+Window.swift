import Foundation
import ListKit

// The window as a whole: screens, sheets, messages, key hints.
extension TerminalSession {
  func drawWindow(_ frame: Frame) {
    var area = frame.canvas.bounds
    // A small screen has no key hints, and an even smaller one no messages.
    let hasHints = area.height >= 5
    if hasHints { area.height -= 1 }
    let messages = area.height >= 3 ? toastLines(area.width, most: max(1, area.height / 4)) : []
    area.height -= messages.count
    drawLayers(frame, area: area)
    if let alert = window.visibleAlert {
      frame.cover()
      drawAlert(frame, alert: alert, area: area)
    }
    drawPopup(frame, area: area)
    for (index, text) in messages.enumerated() {
      let line = frame.canvas.bounds.line(area.bottom + index)
      if index + 1 == messages.count {
        drawToast(frame, line: line, text: text)
      } else {
        drawMessage(frame, line: line, text: text)
      }
    }
    if hasHints { drawHints(frame, line: frame.canvas.bounds.line(frame.canvas.height - 1)) }
  }

  private func drawLayers(_ frame: Frame, area: Rectangle) {
    drawColumns(frame, controllers: window.visibleColumns, area: area)
    let sheets = window.visibleSheets
    for (index, controller) in sheets.enumerated() {
      let isActive = index == sheets.count - 1 && window.visibleAlert == nil
      frame.cover()
      var place = sheetArea(controller, in: area)
      // A click beside the sheet dismisses it, if its delegate allows that.
      frame.onPress(area) { [weak self] _ in
        self?.commitTyped()
        self?.window.cancelSheet()
      }
      frame.onPress(place) { _ in }
      drawBox(frame, area: place)
      place = place == area ? place : place.inset(2, lines: 1)
      drawScreen(frame, controller: controller, area: place, isActive: isActive)
    }
  }

  private func sheetArea(_ controller: UIViewController, in area: Rectangle) -> Rectangle {
    guard area.width >= 50, area.height >= 14 else { return area }
    let style = controller.sheet?.modalPresentationStyle
    let isPopover = style == .popover
    let width = min(area.width - 6, isPopover ? 44 : style == .formSheet ? 76 : 120)
    let height = min(area.height - 2, isPopover ? 16 : .max)
    return Rectangle(
      x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width: width,
      height: height)
  }

  /// Draws an empty box with a frame; without one if it fills the screen.
  func drawBox(_ frame: Frame, area: Rectangle) {
    frame.canvas.fill(area, style: .plain)
    guard area.width < frame.canvas.width || area.height + 1 < frame.canvas.height else { return }
    let signs = symbols.frame
    let style = Style.muted
    for x in area.x..<max(area.x, area.right) {
      for y in [area.y, area.bottom - 1] {
        frame.canvas.write(signs.horizontal, x: x, y: y, style: style)
      }
    }
    for y in area.y..<max(area.y, area.bottom) {
      for x in [area.x, area.right - 1] {
        frame.canvas.write(signs.vertical, x: x, y: y, style: style)
      }
    }
    frame.canvas.write(signs.topLeft, x: area.x, y: area.y, style: style)
    frame.canvas.write(signs.topRight, x: area.right - 1, y: area.y, style: style)
    frame.canvas.write(signs.bottomLeft, x: area.x, y: area.bottom - 1, style: style)
    frame.canvas.write(signs.bottomRight, x: area.right - 1, y: area.bottom - 1, style: style)
  }

  // MARK: Bottom lines

  private static let messageStyle = Style.plain.on(.raised).bold

  /// The messages as lines. Lost text is shown in full, within the limit.
  private func toastLines(_ width: Int, most: Int) -> [String] {
    guard let toast = toast?.toast else { return [] }
    let button = TextLayout.width(toastButton(toast))
    let own = TextLayout.wrapped(toast.message, to: max(1, width - button - 3), most: most)
    let earlier = earlierToasts.flatMap {
      TextLayout.wrapped($0, to: max(1, width - 2), most: most)
    }
    return earlier.suffix(max(0, most - own.count)) + own
  }

  private func toastButton(_ toast: Toast) -> String {
    toast.action.map { "[\($0.title.prefix(1).lowercased())] \($0.title)" } ?? ""
  }

  private func drawMessage(_ frame: Frame, line: Rectangle, text: String) {
    frame.canvas.fill(line, style: Self.messageStyle)
    frame.canvas.write(text, x: line.x + 1, y: line.y, limit: line.right, style: Self.messageStyle)
  }

  private func drawToast(_ frame: Frame, line: Rectangle, text: String) {
    guard let toast = toast?.toast else { return }
    drawMessage(frame, line: line, text: text)
    let button = toastButton(toast)
    let width = TextLayout.width(button)
    guard let action = toast.action else { return }
    let area = Rectangle(x: line.right - width - 1, y: line.y, width: width, height: 1)
    frame.canvas.write(button, x: area.x, y: area.y, style: Style.tint.on(.raised).bold)
    frame.onPress(area) { [weak self] _ in
      self?.toast = nil
      self?.earlierToasts = []
      action.perform(sender: self?.window)
    }
  }

  /// Draws the bottom line: the most important keys, always with the way out and Help, the state of
  /// work, and the position in the list.
  private func drawHints(_ frame: Frame, line: Rectangle) {
    let style = Style.muted
    if let waitingText {
      frame.canvas.write(
        waitingText, x: line.x + 1, y: line.y, limit: line.right, style: Style.plain.bold)
      return
    }
    let position = [isWorking ? "Working…" : "", positionText].filter { !$0.isEmpty }
      .joined(separator: "  ")
    let right = line.right - (position.isEmpty ? 0 : position.count + 2)
    frame.canvas.write(position, x: right + 1, y: line.y, style: style)
    let all = popup == nil ? commands : popupHints
    var x = line.x + 1
    let last = ["Quit", "Help"].compactMap { title in
      all.first { $0.title == title && $0.rank > 0 && !$0.keys.isEmpty }
    }
    let reserved = last.reduce(0) { $0 + hintWidth($1) + 2 }
    let others = all.filter { command in
      command.rank > 0 && !command.keys.isEmpty && !last.contains { $0.title == command.title }
    }
    .enumerated().sorted { ($1.element.rank, $0.offset) < ($0.element.rank, $1.offset) }
    .map(\.element)
    for command in others where x + hintWidth(command) + reserved <= right {
      x = drawHint(frame, command: command, x: x, y: line.y, limit: right)
    }
    for command in last { x = drawHint(frame, command: command, x: x, y: line.y, limit: right) }
  }

  private var popupHints: [Command] {
    func hint(_ key: KeyPress, _ title: String) -> Command {
      Command(keys: [key], title: title, group: .general, rank: 5) { [weak self] in
        self?.press(key)
      }
    }
    if case .help = popup {
      return [hint(.plain(.escape), "Close"), hint(.plain(.down), "Down"), hint(.plain(.up), "Up")]
    }
    return [
      hint(.plain(.enter), "Choose"), hint(.plain(.escape), "Close"), hint(.plain(.down), "Down"),
      hint(.plain(.up), "Up"),
    ]
  }

  private func hintText(_ command: Command) -> (key: String, title: String) {
    let title = SafeText.line(command.title)
    return (
      command.keys.first?.name(symbols) ?? "", title.count > 24 ? title.prefix(23) + "…" : title
    )
  }

  private func hintWidth(_ command: Command) -> Int {
    let text = hintText(command)
    return TextLayout.width(text.key) + 1 + TextLayout.width(text.title)
  }

  private func drawHint(_ frame: Frame, command: Command, x: Int, y: Int, limit: Int) -> Int {
    let text = hintText(command)
    var end = frame.canvas.write(text.key, x: x, y: y, limit: limit, style: Style.tint.bold)
    end = frame.canvas.write(text.title, x: end + 1, y: y, limit: limit, style: .muted)
    frame.onPress(Rectangle(x: x, y: y, width: end - x, height: 1)) { _ in command.perform() }
    return end + 2
  }

  /// The position in the focused list, such as `12 of 1,000`.
  private var positionText: String {
    guard popup == nil, window.visibleAlert == nil, let table = focusedTable,
      !table.isForm, table.counts.total > 0
    else { return "" }
    let viewport = viewport(table)
    return
      "\(Self.number(viewport.place + 1)) of \(Self.number(table.counts.total))\(table.isPart ? "+" : "")"
  }

  static func number(_ value: Int) -> String {
    var digits = String(value)
    var grouped = ""
    while digits.count > 3 {
      grouped = "," + digits.suffix(3) + grouped
      digits.removeLast(3)
    }
    return digits + grouped
  }
}
