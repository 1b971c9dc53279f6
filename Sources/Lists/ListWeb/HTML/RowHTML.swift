import Foundation
import ListKit

/// Draws a row of a table.
@MainActor
struct RowHTML {
  let table: ListView
  let names: ElementNames
  /// The path of the table's screen, for links in rows; nil if it cannot be restored.
  private let path: [String]?

  init(table: ListView, names: ElementNames) {
    self.table = table
    self.names = names
    path = table.nearestController?.restorationPath
  }

  func markup(_ row: ListRow) -> HTML {
    names.drawing(row.id, of: table) { draw(row) }
  }

  private func draw(_ row: ListRow) -> HTML {
    let content = row.cell.rowContent
    return """
      <li class="row \(level(content))\(background(content))\(row.cell.classNames)" \
      role="\(content.outline == nil ? "listitem" : "treeitem")" tabindex="-1" \
      data-row="\(row.id)"\(flags(row, content: content))>\
      \(grip(row))\(disclosure(content))\(controls(row.cell.leadingControls))\(texts(row, content: content))\(control(row, content: content))\
      \(actions(row, content: content))\(controls(row.cell.trailingControls))\(trailing(content))</li>
      """
  }

  private func flags(_ row: ListRow, content: RowContent) -> HTML {
    return """
      \(" aria-current=\"true\"", if: row.cell.isSelected)\
      \(" data-editable", if: content.hasTitleField)\
      \(" data-labelled", if: content.isLabelled)\(adds(row.cell))\(tree(content))\
       aria-label="\(content.label)"\(hint(content))\
      \(editor(row))
      """
  }

  private func adds(_ cell: ListCell) -> HTML {
    cell.choosingAdds == 0 ? "" : " data-adds=\"\(cell.choosingAdds)\""
  }

  /// The maximum indentation level; deeper rows are drawn at this one.
  private static let deepestLevel = 12

  private func level(_ content: RowContent) -> HTML {
    content.indentation <= 0
      ? "" : "level-\(min(content.indentation, Self.deepestLevel)) "
  }

  private func tree(_ content: RowContent) -> HTML {
    guard let outline = content.outline else { return "" }
    let expanded: HTML =
      outline.isExpanded.map { " aria-expanded=\"\($0 ? "true" : "false")\"" } ?? ""
    return " aria-level=\"\(content.indentation + 1)\"\(expanded)"
  }

  /// The button that expands and collapses a row of an outline. The arrow keys do so while the row
  /// has the keyboard focus.
  private func disclosure(_ content: RowContent) -> HTML {
    guard let outline = content.outline else { return "" }
    guard let isExpanded = outline.isExpanded else { return "<span class=\"leaf\"></span>" }
    return """
      <button type="button" class="disclosure" tabindex="-1" \
      aria-label="\(isExpanded ? "Close" : "Open") \(content.title)">\
      <span aria-hidden="true">›</span></button>
      """
  }

  /// The identifier of the title's text field, for the page's editor.
  private func editor(_ row: ListRow) -> HTML {
    row.cell.titleField?.accessibilityIdentifier.map { " data-editor=\"\($0)\"" } ?? ""
  }

  private func controls(_ controls: [UIView]) -> HTML {
    controls.isEmpty
      ? ""
      : "<span class=\"controls\">\(controls.map(ViewHTML(names: names).markup).joined())</span>"
  }

  /// A description for screen readers: the effect of Return, and keys without a visible sign.
  private func hint(_ content: RowContent) -> HTML {
    let leadsOn = content.accessory == .disclosure
    let use: String? =
      content.control != nil
      ? "Return edits" : !table.isSelectable ? nil : leadsOn ? "Return opens" : "Return chooses"
    let rename =
      content.hasTitleField ? (table.isSelectable ? "F2 renames" : "Return renames") : nil
    let toggle = content.outline?.isChosenToToggle == true ? "Return opens and closes" : nil
    let words = [toggle ?? content.hint.map { "Return: \($0)" } ?? use, rename].compactMap { $0 }
    return words.isEmpty
      ? "" : " aria-description=\"\(words.joined(separator: ", "))\""
  }

  private func grip(_ row: ListRow) -> HTML {
    guard row.cell.hasGrip, table.canMoveRow(at: row.indexPath) else { return "" }
    return "<span class=\"grip\" aria-hidden=\"true\" title=\"Drag to move\">⠿</span>"
  }

  private func texts(_ row: ListRow, content: RowContent) -> HTML {
    let title: HTML =
      content.title.isEmpty && content.placeholder != nil
      ? "<span class=\"placeholder\">\(content.placeholder ?? "")</span>" : .text(content.title)
    let detail: HTML =
      content.detail.map { text -> HTML in
        "<div class=\"detail\(color(content.detailColor))\" dir=\"auto\">\(text)</div>"
      } ?? ""
    // A title beside a checkbox is its label.
    let name: HTML = content.controls.isEmpty ? "div" : "label"
    let all: HTML = """
      <\(name) class="title\(color(content.titleColor))" dir="auto">\(title)</\(name)>\(detail)
      """
    // A link, to open in another tab or to bookmark. The row itself has the keyboard focus.
    guard let path, let next = content.restorationIdentifier, table.isSelectable else {
      return "\(picture(content))<div class=\"texts\">\(all)</div>"
    }
    let address = Place(path + [next]).address
    return """
      \(picture(content))<a class="texts" href="\(address)" tabindex="-1" draggable="false">\(all)</a>
      """
  }

  private func color(_ name: String?) -> HTML { name.map { " text-\($0)" } ?? "" }

  private func background(_ content: RowContent) -> HTML {
    content.background.map { "background-\($0) " } ?? ""
  }

  private func picture(_ content: RowContent) -> HTML {
    guard let sign = content.image.flatMap({ SymbolSigns.sign(of: $0) }) else { return "" }
    return "<span class=\"picture\" aria-hidden=\"true\">\(sign)</span>"
  }

  private func control(_ row: ListRow, content: RowContent) -> HTML {
    row.cell.formControl.map {
      ViewHTML(names: names).input(
        $0, label: content.title, isInvalid: content.titleColor == "red")
    } ?? ""
  }

  private func actions(_ row: ListRow, content: RowContent) -> HTML {
    let rename: HTML = """
      <button type="button" class="rename" aria-label="Rename \(content.title)" \
      title="Rename (F2)">✎</button>
      """
    let leading = buttons(
      table.leadingConfiguration(at: row.indexPath), side: "leading", content: content)
    let trailing = buttons(
      table.trailingConfiguration(at: row.indexPath), side: "trailing", content: content
    ).reversed()
    // As in UIKit, the first action is at the edge of its side.
    let all: HTML = "\(rename, if: content.hasTitleField)\(leading.joined())\(trailing.joined())"
    return all == "" ? "" : "<span class=\"actions\">\(all)</span>"
  }

  private func buttons(
    _ configuration: UISwipeActionsConfiguration, side: String, content: RowContent
  ) -> [HTML] {
    let isFull = configuration.performsFirstActionWithFullSwipe
    return configuration.actions.enumerated().map { index, action in
      let title = action.title ?? ""
      return """
        <button type="button" class="action\(" destructive", if: action.style == .destructive)" \
        data-side="\(side)" data-index="\(index)"\(" data-full", if: isFull && index == 0) \
        aria-label="\(title) \(content.title)">\(sign(action))<span>\(title)</span></button>
        """
    }
  }

  private func sign(_ action: UIContextualAction) -> HTML {
    let name = action.image?.systemName ?? (action.style == .destructive ? "trash" : nil)
    return name.flatMap(SymbolDrawing.markup) ?? ""
  }

  private func trailing(_ content: RowContent) -> HTML {
    let kind: HTML = !table.isForm ? "count" : "value"
    let badge: HTML =
      content.badge.map { "<span class=\"\(kind)\" dir=\"auto\">\($0)</span>" } ?? ""
    switch content.accessory {
    case .none: return badge
    case .checkmark: return badge + "<span class=\"check\" aria-label=\"Checked\">✓</span>"
    case .disclosure, .detail:
      return badge + "<span class=\"chevron\" aria-hidden=\"true\">›</span>"
    }
  }
}
