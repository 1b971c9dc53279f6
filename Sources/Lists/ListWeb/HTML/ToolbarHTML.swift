import ListKit

/// Draws the toolbar at the bottom of a screen.
@MainActor
struct ToolbarHTML {
  let bar: UIToolbar
  let names: ElementNames

  var markup: HTML {
    let label = bar.accessibilityLabel ?? "Actions"
    return """
      <section aria-label="\(label)" data-view="\(names.name(for: bar))"\(" hidden", if: bar.isHidden)>\
      <div class="toolbar \(bar.classNames)" role="toolbar" aria-label="\(label)">\
      \((bar.items ?? []).map(button).joined())</div></section>
      """
  }

  private func button(_ item: UIBarButtonItem) -> HTML {
    if item.isSpace { return "<span class=\"spring\"></span>" }
    let label: HTML = item.accessibilityLabel.map { " aria-label=\"\($0)\"" } ?? ""
    return """
      <button type="button" class="\("done", if: item.style == .done)" \
      data-press="\(names.name(for: item))"\(label)\(" disabled", if: !item.isEnabled)>\
      \(item.title ?? "")</button>
      """
  }
}
