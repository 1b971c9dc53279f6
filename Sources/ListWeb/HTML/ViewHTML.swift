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
    case let field as UITextField: return self.field(field, icon: nil)
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
    let rows = TableHTML(table: table, name: names.name(for: table)).markup
    return "\(header)\(rows)\(empty)\(footer)"
  }

  func field(_ field: UITextField, icon: String?) -> HTML {
    let label = field.accessibilityLabel ?? field.placeholder ?? ""
    let plus: HTML = icon.map { "<span class=\"plus\" aria-hidden=\"true\">\($0)</span>" } ?? ""
    let mode = field.keyboardType == .numberPad || field.keyboardType == .decimalPad
    return """
      <label class="field" data-view="\(names.name(for: field))">\(plus)<input \
      data-field="\(names.name(for: field))" value="\(field.text ?? "")" \
      placeholder="\(field.placeholder ?? "")" aria-label="\(label)" autocomplete="off" \
      type="\(field.isSecureTextEntry ? "password" : "text")"\
      \(" inputmode=\"decimal\"", if: mode)\(" disabled", if: !field.isEnabled)></label>
      """
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
