import Foundation
import ListKit

/// Draws an alert or an action sheet.
@MainActor
struct AlertHTML {
  let alert: UIAlertController
  let names: ElementNames

  var markup: HTML {
    let views = ViewHTML(names: names)
    return dialog((alert.textFields ?? []).map { views.field($0, icon: nil) }.joined())
  }

  /// The alert without the texts of its fields, compared to find out whether it must be redrawn.
  /// Typing must not redraw it.
  var frame: HTML {
    dialog((alert.textFields ?? []).map { "<i>\(names.name(for: $0))</i>" }.joined())
  }

  private func dialog(_ fields: HTML) -> HTML {
    let message: HTML = alert.message.map { "<p dir=\"auto\">\($0)</p>" } ?? ""
    let isSheet = alert.preferredStyle == .actionSheet
    return """
      <dialog class="\(isSheet ? "sheet" : "alert")" data-alert="\(names.name(for: alert))" \
      aria-labelledby="alert-title"><h3 id="alert-title" dir="auto">\(alert.title ?? "")</h3>\(message)\
      \(fields)<menu>\(ordered.map(button).joined())</menu></dialog>
      """
  }

  /// The buttons as UIKit orders them: the cancel action first in a pair, last in a column.
  private var ordered: [UIAlertAction] {
    let cancel = alert.actions.filter { $0.style == .cancel }
    let others = alert.actions.filter { $0.style != .cancel }
    return alert.preferredStyle == .alert && others.count == 1 ? cancel + others : others + cancel
  }

  private func button(_ action: UIAlertAction) -> HTML {
    let preferred = alert.preferredAction ?? alert.actions.last { $0.style == .default }
    let isDefault = alert.preferredStyle == .alert && action === preferred
    return """
      <button type="button" class="\("default", if: isDefault)\
      \("destructive", if: action.style == .destructive)" \
      data-choice="\(names.name(for: action))"\(" data-cancel", if: action.style == .cancel)\
      \(" disabled", if: !action.isEnabled)>\(action.title ?? "")</button>
      """
  }
}
