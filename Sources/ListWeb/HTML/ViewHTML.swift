import Foundation
import ListKit

/// Draws views of every kind.
@MainActor
struct ViewHTML {
  let names: ElementNames

  func markup(_ view: UIView) -> HTML {
    if view.isHidden { return "<span hidden data-view=\"\(names.name(for: view))\"></span>" }
    switch view {
    case let table as UITableView: return self.table(table)
    case let bar as UITabBar: return TabBarHTML(bar: bar, names: names).markup
    case let bar as UISearchBar: return SearchHTML(bar: bar, names: names).markup
    case let field as UITextField: return self.field(field, icon: nil)
    case let picker as UIDatePicker: return self.picker(picker)
    case let label as UILabel: return self.label(label)
    case let button as UIButton: return self.button(button)
    default:
      return """
        <div class="view" data-view="\(names.name(for: view))">\
        \(view.subviews.map(markup).joined())</div>
        """
    }
  }

  private func table(_ table: UITableView) -> HTML {
    let header: HTML =
      switch table.tableHeaderView {
      case let field as UITextField: self.field(field, icon: "+")
      case let view?: markup(view)
      case nil: ""
      }
    let empty: HTML =
      table.backgroundView.map { "<div class=\"empty\" hidden>\(markup($0))</div>" } ?? ""
    let footer = table.tableFooterView.map(markup) ?? ""
    let rows = TableHTML(table: table, name: names.name(for: table), names: names).markup
    return "\(header)\(rows)\(empty)\(footer)"
  }

  func field(_ field: UITextField, icon: String?) -> HTML {
    let plus: HTML = icon.map { "<span class=\"plus\" aria-hidden=\"true\">\($0)</span>" } ?? ""
    return """
      <label class="field" data-view="\(names.name(for: field))">\(plus)\
      \(input(field, label: field.placeholder ?? ""))</label>
      """
  }

  /// What can be typed in or chosen from, without a frame. `label` says what it is for, unless the
  /// control has a label of its own.
  func input(_ control: UIControl, label: String) -> HTML {
    switch control {
    case let field as UITextField: input(field, label)
    case let picker as UIDatePicker: input(picker, label)
    default: ""
    }
  }

  private func input(_ field: UITextField, _ label: String) -> HTML {
    let mode = field.keyboardType == .numberPad || field.keyboardType == .decimalPad
    return """
      <input data-field="\(names.name(for: field))" value="\(field.text ?? "")" \
      placeholder="\(field.placeholder ?? "")" \
      aria-label="\(field.accessibilityLabel ?? label)" autocomplete="off" \
      type="\(field.isSecureTextEntry ? "password" : "text")"\
      \(" inputmode=\"decimal\"", if: mode)\
      \(" data-live", if: field.hears(.editingChanged))\(" disabled", if: !field.isEnabled)>
      """
  }

  private func input(_ picker: UIDatePicker, _ label: String) -> HTML {
    let type: HTML =
      switch picker.datePickerMode {
      case .date: "date"
      case .time: "time"
      case .dateAndTime: "datetime-local"
      }
    func bound(_ name: HTML, _ date: Date?) -> HTML {
      date.map { " \(name)=\"\(picker.text(of: $0))\"" } ?? ""
    }
    return """
      <input type="\(type)" data-date="\(names.name(for: picker))" value="\(picker.dateText)"\
      \(bound("min", picker.minimumDate))\(bound("max", picker.maximumDate)) \
      aria-label="\(picker.accessibilityLabel ?? label)" required\
      \(" disabled", if: !picker.isEnabled)>
      """
  }

  private func picker(_ picker: UIDatePicker) -> HTML {
    "<label class=\"field\" data-view=\"\(names.name(for: picker))\">\(input(picker, "Date"))</label>"
  }

  private func label(_ label: UILabel) -> HTML {
    "<p class=\"label\" data-view=\"\(names.name(for: label))\">\(label.text ?? "")</p>"
  }

  private func button(_ button: UIButton) -> HTML {
    """
    <button type="button" data-view="\(names.name(for: button))" \
    data-press="\(names.name(for: button))"\(" disabled", if: !button.isEnabled)>\
    \(button.currentTitle ?? "")</button>
    """
  }
}
