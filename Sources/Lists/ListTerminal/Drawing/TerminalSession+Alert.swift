import Foundation
import ListKit

// Alerts, in the middle of the screen, and action sheets, at the bottom.
extension TerminalSession {
  /// One line of an alert.
  private enum AlertLine {
    case title(String)
    case message(String)
    case blank
    case field(UITextField)
    case action(UIAlertAction)
    case actions([UIAlertAction])

    /// The elements of the line that Tab reaches.
    @MainActor var ids: [StopID] {
      switch self {
      case .field(let field): [StopID(field)]
      case .action(let action): [StopID(action)]
      case .actions(let actions): actions.map(StopID.init)
      default: []
      }
    }
  }

  func drawAlert(_ frame: Frame, alert: UIAlertController, area: Rectangle) {
    let isFramed = area.width >= 24 && area.height >= 7
    let width = min(area.width, 64)
    let room = isFramed ? width - 4 : width
    let lines = alertLines(alert, width: room)
    let height = min(area.height, lines.count + (isFramed ? 2 : 0))
    let isSheet = alert.preferredStyle == .actionSheet
    let box = Rectangle(
      x: area.x + (area.width - width) / 2,
      y: isSheet ? area.bottom - height : area.y + (area.height - height) / 2,
      width: width, height: height)
    frame.canvas.fill(box, style: .plain)
    if isFramed { drawBox(frame, area: box) }
    let inside = isFramed ? box.inset(2, lines: 1) : box
    let labels = labelWidth(alert, width: inside.width)
    let first = firstLine(lines, height: inside.height)
    for (index, line) in lines.dropFirst(first).prefix(inside.height).enumerated() {
      draw(frame, line: line, area: inside.line(index), labels: labels, alert: alert)
    }
    drawMore(frame, area: inside, first: first, count: lines.count)
  }

  private func alertLines(_ alert: UIAlertController, width: Int) -> [AlertLine] {
    let parts = AlertParts(alert: alert)
    var lines = TextLayout.wrapped(alert.title ?? "", to: width, most: 6).map(AlertLine.title)
    if let message = alert.message, !message.isEmpty {
      lines += TextLayout.wrapped(message, to: width, most: 100).map(AlertLine.message)
    }
    let fields = alert.textFields ?? []
    if !fields.isEmpty { lines.append(.blank) }
    lines += fields.map(AlertLine.field)
    lines.append(.blank)
    let isRow = parts.isRow && buttonsWidth(parts.actions) <= width
    return lines + (isRow ? [.actions(parts.actions)] : parts.actions.map(AlertLine.action))
  }

  /// The first visible line, such that the focused line is visible; otherwise the first of all.
  private func firstLine(_ lines: [AlertLine], height: Int) -> Int {
    let place = focused.flatMap { stop in lines.firstIndex { $0.ids.contains(stop.id) } } ?? 0
    let last = max(0, lines.count - height)
    // The title stays visible with the first element.
    let isFirst = lines.firstIndex { !$0.ids.isEmpty } == place
    if isFirst, place < height { return 0 }
    return min(last, max(0, place - height + 1))
  }

  private func drawMore(_ frame: Frame, area: Rectangle, first: Int, count: Int) {
    let style = Style.muted
    let x = area.right - 1
    if first > 0 {
      frame.canvas.write(symbols.isUnicode ? "↑" : "^", x: x, y: area.y, style: style)
    }
    if first + area.height < count, area.height > 1 {
      frame.canvas.write(symbols.isUnicode ? "↓" : "v", x: x, y: area.bottom - 1, style: style)
    }
  }

  private func draw(
    _ frame: Frame, line: AlertLine, area: Rectangle, labels: Int,
    alert: UIAlertController
  ) {
    switch line {
    case .title(let text):
      frame.canvas.write(text, x: area.x, y: area.y, limit: area.right, style: .bold)
    case .message(let text):
      frame.canvas.write(text, x: area.x, y: area.y, limit: area.right, style: .plain)
    case .blank: break
    case .field(let field):
      let label = field.accessibilityLabel ?? field.placeholder ?? ""
      frame.canvas.write(label, x: area.x, y: area.y, limit: area.x + labels - 1, style: .muted)
      drawField(
        frame, field: field,
        area: Rectangle(x: area.x + labels, y: area.y, width: area.width - labels, height: 1))
    case .action(let action):
      _ = drawAnswer(frame, action: action, x: area.x, area: area, alert: alert)
    case .actions(let actions):
      var x = max(area.x, area.right - buttonsWidth(actions))
      for action in actions {
        x = drawAnswer(frame, action: action, x: x, area: area, alert: alert) + 2
      }
    }
  }

  private func labelWidth(_ alert: UIAlertController, width: Int) -> Int {
    let labels = (alert.textFields ?? []).map { $0.accessibilityLabel ?? $0.placeholder ?? "" }
    let longest = labels.map { TextLayout.width($0) }.max() ?? 0
    return longest == 0 ? 0 : min(longest + 2, width * 2 / 5)
  }

  private func buttonsWidth(_ actions: [UIAlertAction]) -> Int {
    actions.reduce(-2) { $0 + TextLayout.width($1.title ?? "") + 6 }
  }

  private func drawAnswer(
    _ frame: Frame, action: UIAlertAction, x: Int, area: Rectangle,
    alert: UIAlertController
  ) -> Int {
    var style = action.style == .destructive ? Style.danger : .tint
    if !action.isEnabled { style = .muted }
    if action === AlertParts(alert: alert).preferred { style.isBold = true }
    if isFocused(StopID(action)) { style = style.reversed }
    let title = TextLayout.truncated(action.title ?? "", to: area.right - x - 4).map(\.text)
      .joined()
    let end = frame.canvas.write("[ \(title) ]", x: x, y: area.y, limit: area.right, style: style)
    if action.isEnabled {
      frame.onPress(Rectangle(x: x, y: area.y, width: end - x, height: 1)) { [weak self] _ in
        self?.commitTyped()
        alert.choose(action)
      }
    }
    return end
  }
}
