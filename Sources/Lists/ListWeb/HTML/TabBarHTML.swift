import ListKit

/// Draws a tab bar.
@MainActor
struct TabBarHTML {
  let bar: UITabBar
  let names: ElementNames

  var markup: HTML {
    let label = bar.accessibilityLabel ?? "Tabs"
    return """
      <nav aria-label="\(label)" data-view="\(names.name(for: bar))">\
      <div class="tabs" role="tablist" aria-label="\(label)">\
      \((bar.items ?? []).map(tab).joined())</div></nav>
      """
  }

  private func tab(_ item: UITabBarItem) -> HTML {
    let label: HTML = item.accessibilityLabel.map { " aria-label=\"\($0)\"" } ?? ""
    let badge: HTML = item.badgeValue.map { " <span class=\"count\">\($0)</span>" } ?? ""
    let isSelected = item === bar.selectedItem
    return """
      <button type="button" role="tab" aria-selected="\(isSelected ? "true" : "false")" \
      tabindex="\(isSelected ? 0 : -1)" data-tab="\(names.name(for: item))"\(label)\
      \(" disabled", if: !item.isEnabled)>\(item.title ?? "")\(badge)</button>
      """
  }
}
