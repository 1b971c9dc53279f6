import Foundation
import ListKit

// A screen: bar, title, search field, content, tabs.
extension TerminalSession {
  func drawScreen(
    _ frame: Frame, controller: UIViewController, area: Rectangle, isActive: Bool
  ) {
    let parts = ScreenParts(controller: controller)
    let hasTitle = area.height >= 12
    var rest = area
    func take() -> Rectangle {
      defer { (rest.y, rest.height) = (rest.y + 1, rest.height - 1) }
      return rest.line(0)
    }
    if rest.height >= 2 {
      drawBar(
        frame, parts: parts, line: take(), title: hasTitle ? nil : parts.title, isActive: isActive)
    }
    if hasTitle {
      frame.canvas.write(
        parts.title, x: rest.x + 1, y: take().y, limit: area.right - 1, style: .bold)
    }
    if let prompt = parts.prompt, area.height >= 9 {
      frame.canvas.write(prompt, x: rest.x + 1, y: take().y, limit: area.right - 1, style: .muted)
    }
    if let bar = parts.searchBar, rest.height >= 3 {
      let line = take()
      drawSearch(
        frame, bar: bar, area: Rectangle(x: line.x + 1, y: line.y, width: line.width - 2, height: 1)
      )
    }
    if let tabs = parts.tabBar, rest.height >= 3 {
      rest.height -= 1
      drawTabs(
        frame, bar: tabs, line: Rectangle(x: rest.x, y: rest.bottom, width: rest.width, height: 1))
    }
    let toolbar = parts.toolbar
    if !toolbar.isEmpty, rest.height >= 3 {
      rest.height -= 1
      drawToolbar(
        frame, parts: parts, buttons: toolbar,
        line: Rectangle(x: rest.x, y: rest.bottom, width: rest.width, height: 1))
    }
    if hasTitle, rest.height >= 10 { _ = take() }
    drawContent(frame, parts: parts, area: rest)
  }

  func isFocused(_ id: StopID) -> Bool {
    focused?.id == id && popup == nil && isDrawingFocus
  }

  // MARK: Bar

  private func drawBar(
    _ frame: Frame, parts: ScreenParts, line: Rectangle, title: String?, isActive: Bool
  ) {
    frame.canvas.fill(line, style: Style.plain.on(.bar))
    let letters = isDrawingFocus ? barLetters(parts) : [:]
    // The right buttons get the room that the left buttons and the title leave.
    let left = parts.left.map { text($0, most: 24) }
    let buttons = parts.shownRight
    var right = buttons.map { text($0, most: 30) }
    let leftWidth = left.reduce(1) { $0 + TextLayout.width($1) + 2 }
    let titleWidth = title.map { min(TextLayout.width($0) + 2, line.width / 3) } ?? 0
    let showsOthers = showsOthers(parts.controller)
    let othersWidth = showsOthers ? widthOfOthers + 2 : 0
    let room = line.width - leftWidth - titleWidth - othersWidth
    // Long titles are shortened first; a button's symbol is sufficient.
    if width(right) > room { right = buttons.map { text($0, most: 12) } }
    if width(right) > room { right = buttons.map { text($0, most: 4) } }
    var x = line.x + 1
    for (button, text) in zip(parts.left, left) {
      x =
        drawButton(
          frame, button: button, text: text, letter: letters[button.id], x: x, y: line.y,
          limit: line.right) + 2
    }
    var start = max(x + othersWidth, line.right - width(right))
    if showsOthers { drawOthers(frame, x: start - othersWidth, y: line.y, limit: line.right) }
    if let title {
      let style = Style.bold.on(.bar)
      frame.canvas.write(
        title, x: x, y: line.y, limit: min(start - othersWidth - 1, line.right), style: style)
    }
    for (button, text) in zip(buttons, right) {
      start = drawButton(
        frame, button: button, text: text, letter: letters[button.id], x: start, y: line.y,
        limit: line.right)
      start += 2
    }
  }

  private func width(_ texts: [String]) -> Int { texts.reduce(0) { $0 + TextLayout.width($1) + 2 } }

  private func text(_ button: BarButton, most: Int) -> String {
    let title = TextLayout.truncated(button.title, to: most).map(\.text).joined()
    guard let symbol = button.symbol.map({ symbols[keyPath: $0] }) else { return title }
    return button.isEnabled && most > 4 ? "\(symbol) \(title)" : symbol
  }

  /// Draws a button with its letter key underlined. Returns the column after it.
  private func drawButton(
    _ frame: Frame, button: BarButton, text: String, letter: Character?, x: Int, y: Int,
    limit: Int
  ) -> Int {
    var style = (button.isEnabled ? Style.tint : .muted).on(.bar)
    if button.isDone { style.isBold = true }
    let isFocused = isFocused(button.id)
    if isFocused { style = style.reversed }
    let end = frame.canvas.write(text, x: x, y: y, limit: limit, style: style)
    if let letter, button.isEnabled, button.symbol == nil,
      let place = text.lowercased().firstIndex(of: letter)
    {
      let before = TextLayout.width(String(text.lowercased()[..<place]))
      frame.canvas.restyle(Rectangle(x: x + before, y: y, width: 1, height: 1)) {
        $0.isUnderlined = true
      }
    }
    if button.isEnabled {
      frame.onPress(Rectangle(x: x, y: y, width: end - x, height: 1)) { [weak self] _ in
        self?.commitTyped()
        button.press()
      }
    }
    return end
  }

  private func drawToolbar(
    _ frame: Frame, parts: ScreenParts, buttons: [BarButton], line: Rectangle
  ) {
    frame.canvas.fill(line, style: Style.plain.on(.bar))
    let letters = isDrawingFocus ? barLetters(parts) : [:]
    let most = max(4, line.width / buttons.count - 2)
    var x = line.x + 1
    for button in buttons {
      let text = text(button, most: most)
      x =
        drawButton(
          frame, button: button, text: text, letter: letters[button.id], x: x, y: line.y,
          limit: line.right) + 2
    }
  }

  private func drawTabs(_ frame: Frame, bar: UITabBar, line: Rectangle) {
    frame.canvas.fill(line, style: Style.plain.on(.bar))
    let items = bar.items ?? []
    guard !items.isEmpty else { return }
    let width = max(1, line.width / items.count)
    for (index, item) in items.enumerated() {
      let isSelected = item === bar.selectedItem
      var title = "\(index + 1) \(item.title ?? item.accessibilityLabel ?? "")"
      if let badge = item.badgeValue { title += " (\(badge))" }
      let glyphs = TextLayout.truncated(title, to: width - 1)
      var style = (isSelected ? Style.tint.bold.underlined : .muted).on(.bar)
      if isFocused(StopID(item)) { style = style.reversed }
      let x = line.x + index * width + max(0, (width - TextLayout.width(glyphs)) / 2)
      frame.canvas.write(glyphs, x: x, y: line.y, limit: line.right, style: style)
      frame.onPress(Rectangle(x: line.x + index * width, y: line.y, width: width, height: 1)) { _ in
        bar.choose(item)
      }
    }
  }
}
