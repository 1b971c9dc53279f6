import Foundation
import ListKit

/// Draws views of all kinds.
@MainActor
struct ViewHTML {
  let names: ElementNames

  func markup(_ view: UIView) -> HTML {
    if view.isHidden, !view.isContainer {
      return
        "<span hidden class=\"\(view.classNames)\" data-view=\"\(names.name(for: view))\"></span>"
    }
    if let control = ControlHTML(names: names).markup(view) { return control }
    switch view {
    case let table as ListView: return self.table(table)
    case let bar as UITabBar: return TabBarHTML(bar: bar, names: names).markup
    case let bar as UIToolbar: return ToolbarHTML(bar: bar, names: names).markup
    case let bar as UISearchBar: return SearchHTML(bar: bar, names: names).markup
    case let field as UITextField: return self.field(field, icon: nil)
    case let picker as UIDatePicker: return self.picker(picker)
    case let label as UILabel: return self.label(label)
    case let button as UIButton: return self.button(button)
    default:
      return """
        <div class="view \(view.layoutClass)\(view.classNames)" data-view="\(names.name(for: view))"\
        \(" hidden", if: view.isHidden)>\
        \(view.subviews.map(markup).joined())</div>
        """
    }
  }

  private func table(_ table: ListView) -> HTML {
    let header: HTML =
      switch table.headerView {
      case let field as UITextField: self.field(field, icon: "+")
      case let view?: markup(view)
      case nil: ""
      }
    let empty: HTML =
      table.backgroundView.map { "<div class=\"empty\" hidden>\(markup($0))</div>" } ?? ""
    let footer = table.footerView.map(markup) ?? ""
    let rows = TableHTML(table: table, name: names.name(for: table), names: names).markup
    let refresh = table.refreshControl.map(markup) ?? ""
    return "\(header)\(refresh)\(rows)\(empty)\(footer)"
  }

  func field(_ field: UITextField, icon: String?) -> HTML {
    let plus: HTML = icon.map { "<span class=\"plus\" aria-hidden=\"true\">\($0)</span>" } ?? ""
    let label: HTML = """
      <label class="field" data-view="\(names.name(for: field))">\(plus)\
      \(input(field, label: field.placeholder ?? "", clears: icon != nil))</label>
      """
    return icon == nil ? label : "<div class=\"adding\">\(label)</div>"
  }

  /// A text field or date picker without a frame. `label` is used for a control without a label of
  /// its own. `clears` marks a field that the page empties on Return.
  /// `isInvalid` marks a value that is not accepted.
  func input(
    _ control: UIControl, label: String, clears: Bool = false, isInvalid: Bool = false
  ) -> HTML {
    let invalid: HTML = isInvalid ? " aria-invalid=\"true\"" : ""
    return switch control {
    case let field as UITextField:
      input(field, label: label, clears: clears, invalid: invalid) + unit(field)
    case let picker as UIDatePicker: input(picker, label: label, invalid: invalid)
    default: ""
    }
  }

  /// The label after the text. It is part of the field's own name where that has it.
  private func unit(_ field: UITextField) -> HTML {
    field.unit.map { "<span class=\"unit\" aria-hidden=\"true\">\($0)</span>" } ?? ""
  }

  private func input(
    _ field: UITextField, label: String, clears: Bool, invalid: HTML
  ) -> HTML {
    let mode: HTML =
      switch field.keyboardType {
      case .numberPad: " inputmode=\"numeric\""
      case .decimalPad: " inputmode=\"decimal\""
      default: ""
      }
    return """
      <input class="\(field.classNames)"\(" data-first", if: field.isFirstResponder) \
      data-field="\(names.name(for: field))" value="\(field.text ?? "")" \
      placeholder="\(field.placeholder ?? "")" \
      aria-label="\(field.accessibilityLabel ?? label)" autocomplete="off" dir="auto" \
      type="\(field.isSecureTextEntry ? "password" : "text")"\
      \(mode)\(invalid)\
      \(" data-live", if: field.hears(.editingChanged))\
      \(" data-clears", if: clears || EmptiedFields.contains(field))\
      \(" disabled", if: !field.isEnabled)>
      """
  }

  private func input(_ picker: UIDatePicker, label: String, invalid: HTML = "") -> HTML {
    let type: HTML =
      switch picker.datePickerMode {
      case .date: "date"
      case .time, .countDownTimer: "time"
      case .dateAndTime: "datetime-local"
      }
    func bound(_ name: HTML, _ date: Date?) -> HTML {
      date.map { " \(name)=\"\(picker.text(of: $0))\"" } ?? ""
    }
    return """
      <input type="\(type)" data-date="\(names.name(for: picker))" value="\(picker.dateText)"\
      \(bound("min", picker.minimumDate))\(bound("max", picker.maximumDate)) \
      aria-label="\(picker.accessibilityLabel ?? label)" required\(invalid)\
      \(" disabled", if: !picker.isEnabled)>
      """
  }

  private func picker(_ picker: UIDatePicker) -> HTML {
    "<label class=\"field\" data-view=\"\(names.name(for: picker))\">\(input(picker, label: "Date"))</label>"
  }

  private func label(_ label: UILabel) -> HTML {
    let text = label.pieces.map { piece -> HTML in
      piece.isStrong ? "<strong>\(piece.text)</strong>" : .text(piece.text)
    }
    return """
      <span class="label \(label.colorName.map { "text-\($0) " } ?? "")\(label.classNames)" dir="auto" data-view="\(names.name(for: label))">\
      \(text.joined())</span>
      """
  }

  private func button(_ button: UIButton) -> HTML {
    let label: HTML = button.accessibilityLabel.map { " aria-label=\"\($0)\"" } ?? ""
    return """
      <button type="button" class="\(button.classNames)" data-view="\(names.name(for: button))" \
      data-press="\(names.name(for: button))"\(label)\(" disabled", if: !button.isEnabled)>\
      \(button.currentTitle ?? "")</button>
      """
  }
}
