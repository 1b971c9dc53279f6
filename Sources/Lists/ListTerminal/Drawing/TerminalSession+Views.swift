import Foundation
import ListKit

// Views other than lists.
extension TerminalSession {
  func drawView(_ frame: Frame, view: UIView, area: Rectangle) {
    switch view {
    case let label as UILabel: drawLabel(frame, label: label, area: area)
    case let field as UITextField: drawField(frame, field: field, area: area, sign: symbols.plus)
    case let picker as UIDatePicker: drawPicker(frame, picker: picker, area: area)
    case let bar as UISearchBar: drawSearch(frame, bar: bar, area: area)
    case _ where !pieces(of: view).isEmpty: drawPieces(frame, view: view, area: area)
    case is UIActivityIndicatorView: break
    case let control as UIControl: drawControl(frame, control: control, area: area)
    default:
      frame.canvas.write(
        view.accessibilityLabel ?? "", x: area.x, y: area.y, limit: area.right, style: .muted)
    }
  }

  private func drawLabel(_ frame: Frame, label: UILabel, area: Rectangle) {
    let lines = TextLayout.wrapped(label.text ?? "", to: area.width, most: area.height)
    for (index, line) in lines.enumerated() {
      frame.canvas.write(line, x: area.x, y: area.y + index, limit: area.right, style: .muted)
    }
  }

  /// Draws a control without a drawing of its own: its name as a button.
  private func drawControl(_ frame: Frame, control: UIControl, area: Rectangle) {
    var style = control.isEnabled ? Style.tint : .muted
    if isFocused(StopID(control)) { style = style.reversed }
    let name = control.accessibilityLabel ?? "\(type(of: control))"
    frame.canvas.write("[ \(name) ]", x: area.x, y: area.y, limit: area.right, style: style)
    frame.onPress(area) { [weak self] _ in self?.focus(StopID(control)) }
  }

  // MARK: Fields

  func drawSearch(_ frame: Frame, bar: UISearchBar, area: Rectangle) {
    drawField(frame, field: bar.searchTextField, area: area, sign: "/", placeholder: "Search")
  }

  /// Draws a text field.
  ///
  /// - Parameter sign: a character before the field.
  func drawField(
    _ frame: Frame, field: UITextField, area: Rectangle, sign: String? = nil,
    placeholder: String = ""
  ) {
    var area = area
    if let sign {
      frame.canvas.write(sign, x: area.x, y: area.y, limit: area.right, style: Style.tint.bold)
      area.x += 2
      area.width -= 2
    }
    if let unit = field.unit {
      // A number needs no more room, and its unit stands beside it.
      area.width = max(0, min(area.width - TextLayout.width(unit) - 1, 12))
      frame.canvas.write(unit, x: area.right + 1, y: area.y, style: .muted)
    }
    guard area.width > 0 else { return }
    let editing = editing(of: field)
    let hint = field.placeholder ?? placeholder
    drawLine(
      frame, area: area, editor: editing?.editor ?? LineEditor(field.text ?? ""),
      isEdited: editing != nil,
      placeholder: hint, isSecret: field.isSecureTextEntry, isEnabled: field.isEnabled)
    frame.onPress(area) { [weak self] report in self?.press(field, report: report, area: area) }
  }

  private func press(_ field: UIControl, report: MouseReport, area: Rectangle) {
    if editing(of: field) == nil {
      if let table = field.enclosing(ListView.self), let row = table.row(for: field),
        row.cell.formControl === field
      {
        focus(StopID(table))
        viewport(table).moveCursor(to: table.counts.place(of: row.indexPath))
      } else {
        focus(StopID(field))
      }
      settle()
    }
    guard let editor = editing(of: field)?.editor else { return }
    top?.editing?.editor.move(
      to: editor.index(atColumn: report.x - area.x, columns: area.width))
  }

  func editing(of control: UIControl) -> Editing? {
    guard let editing = top?.editing, editing.isOn(control) else { return nil }
    return editing
  }

  /// Draws a line of text that is, or can be, edited.
  func drawLine(
    _ frame: Frame, area: Rectangle, editor: LineEditor, isEdited: Bool,
    placeholder: String = "", isSecret: Bool = false, isEnabled: Bool = true,
    isInvalid: Bool = false
  ) {
    var style = (isInvalid ? Style.danger : isEnabled ? .plain : .muted).on(.field)
    // A terminal with few colours cannot show a field's background.
    if palette.depth < .indexed { style.isUnderlined = true }
    if isEdited { style.isBold = true }
    frame.canvas.fill(area, style: style)
    if editor.isEmpty {
      var hint = Style.muted.on(.field)
      hint.isUnderlined = style.isUnderlined
      frame.canvas.write(placeholder, x: area.x, y: area.y, limit: area.right, style: hint)
    }
    let (glyphs, cursor) = editor.window(
      columns: area.width, secret: isSecret ? symbols.secret : nil)
    if isEdited {
      frame.canvas.write(glyphs, x: area.x, y: area.y, limit: area.right, style: style)
      if popup == nil { frame.cursor = .init(x: min(area.x + cursor, area.right - 1), y: area.y) }
    } else if isSecret {
      frame.canvas.write(glyphs, x: area.x, y: area.y, limit: area.right, style: style)
    } else {
      frame.canvas.write(editor.text, x: area.x, y: area.y, limit: area.right, style: style)
    }
  }

  func drawPicker(_ frame: Frame, picker: UIDatePicker, area: Rectangle) {
    let editing = editing(of: picker)
    drawLine(
      frame, area: Rectangle(x: area.x, y: area.y, width: min(area.width, 18), height: 1),
      editor: editing?.editor ?? LineEditor(picker.dateText), isEdited: editing != nil,
      isEnabled: picker.isEnabled, isInvalid: editing?.isInvalid ?? false)
    frame.onPress(area) { [weak self] report in self?.press(picker, report: report, area: area) }
  }
}
