import ListKit

/// Draws a search bar. `data-live` marks a field whose text is reported while the user types.
@MainActor
struct SearchHTML {
  let bar: UISearchBar
  let names: ElementNames

  var markup: HTML {
    let field = bar.searchTextField
    let placeholder = field.placeholder ?? ""
    let label = bar.accessibilityLabel ?? (placeholder.isEmpty ? "Search" : placeholder)
    return """
      <div class="search" role="search" data-view="\(names.name(for: bar))">\
      <label class="field">\(Self.glass)<input type="search" data-live \
      data-field="\(names.name(for: field))" value="\(field.text ?? "")" \
      placeholder="\(placeholder.isEmpty ? "Search" : placeholder)" aria-label="\(label)" \
      autocomplete="off" dir="auto" spellcheck="false" enterkeyhint="search"\
      \(" disabled", if: !field.isEnabled)></label>\
      <button type="button" class="cancel" data-cancel-search="\(names.name(for: bar))">Cancel</button>\
      </div>
      """
  }

  private static let glass: HTML = """
    <svg class="glass" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">\
    <circle cx="6.5" cy="6.5" r="4.5"></circle><path d="M10 10l4.5 4.5"></path></svg>
    """
}
