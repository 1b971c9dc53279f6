import Foundation
import ListKit
import ListSnapshots

// Buttons, switches, fields and other controls, addressed by name.
extension PlainSession {
  // MARK: Setting

  func set(_ text: String) {
    if Int(text.prefix { $0 != " " }) != nil { return fill(text) }
    let views = (parts?.views ?? []).compactMap { $0 as? UIControl }
      .filter { $0.isEnabled && !PlainControls.name(of: $0).isEmpty }
    for view in views {
      let name = PlainControls.name(of: view)
      guard let range = text.range(of: name + " ", options: [.anchored, .caseInsensitive]) else {
        continue
      }
      let value = text[range.upperBound...].trimmingCharacters(in: .whitespaces)
      if fill(view, value: value) { PlainControls.line(view).map(say) }
      return
    }
    for row in formRows {
      guard let range = text.range(of: row.name + " ", options: [.anchored, .caseInsensitive])
      else { continue }
      return fill("\(row.place + 1) \(text[range.upperBound...])")
    }
    let names = views.filter { !($0 is UIButton) }.map(PlainControls.name) + formRows.map(\.name)
    say(
      names.isEmpty ? "There is nothing to set here." : "To set: \(names.joined(separator: ", "))")
  }

  /// The rows of a form that can be filled in.
  private var formRows: [(place: Int, name: String)] {
    guard let table, table.isForm else { return [] }
    return (0..<table.counts.total).compactMap { place in
      guard let row = PlainRows.row(place, of: table), row.cell.formControl?.isEnabled == true
      else { return nil }
      return (place, PlainRows.name(of: row))
    }
  }

  private func fill(_ text: String) {
    guard let (table, row, value) = row(text) else { return }
    let control =
      row.cell.formControl ?? row.cell.controls.lazy.compactMap { $0 as? any ValueControl }.first
    guard let control, control.isEnabled else { return say("That row has nothing to fill in.") }
    _ = fill(control, value: value)
    tell(row, of: table)
  }

  private func fill(_ control: UIControl, value: String) -> Bool {
    switch control {
    case let field as UITextField:
      guard field.beginEditing() else { return false }
      field.receive(value)
      field.endEditing()
      return true
    case let picker as UIDatePicker:
      if picker.receive(value) { return true }
      say("“\(value)” is no \(picker.kindOfValue); write it as \(picker.dateText).")
    case let control as any ValueControl:
      if control.receive(typed: value) { return true }
      say("“\(value)” is no value here; it takes \(control.typedForm).")
    default: say("That cannot be filled in.")
    }
    return false
  }

  func check(_ text: String) {
    guard let (table, row, _) = row(text) else { return }
    let toggle = row.cell.controls.lazy.compactMap { $0 as? UISwitch }.first
    guard let toggle, toggle.isEnabled else { return say("That row has no switch.") }
    toggle.toggleByUser()
    tell(row, of: table)
  }

  // MARK: Buttons

  private var buttons: [(title: String, press: @MainActor () -> Void)] {
    guard let parts else { return [] }
    let bar = parts.buttons.filter { $0.isEnabled && $0.id != .back }
    return bar.map { ($0.title, $0.press) }
      + (parts.views + parts.emptyButtons).compactMap { $0 as? UIControl }.filter(\.isEnabled)
      .flatMap(buttons)
  }

  private func buttons(_ view: UIControl) -> [(title: String, press: @MainActor () -> Void)] {
    switch view {
    case let button as UIButton:
      return [(button.currentTitle ?? button.accessibilityLabel ?? "", { button.press() })]
    case let refresh as UIRefreshControl:
      return [(refresh.title, { refresh.pull() })]
    case let toggle as UISwitch:
      return [
        (
          toggle.spokenName,
          { [weak self] in
            toggle.toggleByUser()
            if let line = PlainControls.line(toggle) { self?.say(line) }
          }
        )
      ]
    case let segments as UISegmentedControl:
      return (0..<segments.numberOfSegments).filter(segments.isEnabledForSegment).map { index in
        (
          segments.titleForSegment(at: index) ?? "",
          { [weak self] in
            segments.receive(value: String(index))
            self?.printScreen()
          }
        )
      }
    default: return []
    }
  }

  func isButton(_ name: String) -> Bool {
    buttons.contains { Self.plain($0.title) == Self.plain(name) }
  }

  func press(_ name: String) -> Bool {
    let found =
      buttons.first { Self.plain($0.title) == Self.plain(name) }
      ?? buttons.first { Self.matches($0.title, typed: name) }
    guard let found, !name.isEmpty else { return false }
    found.press()
    return true
  }

  /// The title in lower case, without colons and the dots that announce a question.
  private static func plain(_ title: String) -> String {
    title.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "….: "))
  }

  static func matches(_ title: String, typed: String) -> Bool {
    title.range(of: typed, options: [.anchored, .caseInsensitive, .diacriticInsensitive]) != nil
  }
}

/// Controls as text.
@MainActor
enum PlainControls {
  static func name(of view: UIControl) -> String {
    switch view {
    case let control as any ValueControl: control.spokenName
    case let field as UITextField: field.accessibilityLabel ?? field.placeholder ?? "Field"
    case let picker as UIDatePicker:
      picker.accessibilityLabel ?? (picker.datePickerMode == .countDownTimer ? "Time" : "Date")
    default: view.accessibilityLabel ?? ""
    }
  }

  /// A view as a line; nil for a view that shows nothing.
  static func line(_ view: UIView) -> String? {
    switch view {
    case let segments as UISegmentedControl:
      let titles = (0..<segments.numberOfSegments).map { index in
        (segments.titleForSegment(at: index) ?? "")
          + (index == segments.selectedSegmentIndex ? " (this one)" : "")
      }
      return "\(segments.spokenName): \(titles.joined(separator: ", "))"
    case let control as any ValueControl: return "\(control.spokenName): \(control.spokenValue)"
    case let field as UITextField: return "\(name(of: field)): \(field.text ?? "")"
    case let picker as UIDatePicker: return "\(name(of: picker)): \(picker.dateText)"
    case let refresh as UIRefreshControl:
      return refresh.isRefreshing ? "\(refresh.title): in progress" : "press \(refresh.title)"
    case let button as UIButton: return "press \(button.currentTitle ?? "")"
    case is UIProgressView, is UIActivityIndicatorView:
      let name = view.accessibilityLabel ?? "Progress"
      return state(view).map { "\(name): \($0)" }
    default: return view.accessibilityLabel
    }
  }

  /// The state of a control in a row, printed after the row's texts.
  static func state(_ view: UIView, in title: String) -> String? {
    let name = view.accessibilityLabel.flatMap { $0 == title || $0.isEmpty ? nil : "\($0) " } ?? ""
    return state(view).map { name + $0 }
  }

  private static func state(_ view: UIView) -> String? {
    switch view {
    case let control as any ValueControl: control.spokenValue
    case let progress as UIProgressView: "\(Int((progress.progress * 100).rounded()))%"
    case let indicator as UIActivityIndicatorView: indicator.isAnimating ? "in progress" : nil
    default: nil
    }
  }
}
