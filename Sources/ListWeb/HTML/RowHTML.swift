import Foundation
import ListKit

/// Draws one row of a table.
@MainActor
struct RowHTML {
  let table: UITableView
  let names: ElementNames

  func markup(_ row: TableRow) -> HTML {
    let content = row.cell.rowContent
    return """
      <li class="row" role="listitem" tabindex="-1" data-row="\(row.id)"\(flags(row, content))>\
      \(grip(row))\(texts(content))\(control(row, content))\(actions(row, content))\
      \(trailing(content))</li>
      """
  }

  private func flags(_ row: TableRow, _ content: RowContent) -> HTML {
    let label = content.accessibilityLabel
    return """
      \(" aria-current=\"true\"", if: row.cell.isSelected)\
      \(" data-editable", if: content.hasTitleField)\
      \(" data-labelled", if: content.isLabelled)\
      \(label.map { HTML(" aria-label=\"\($0)\"") } ?? "")
      """
  }

  private func grip(_ row: TableRow) -> HTML {
    guard row.cell.showsReorderControl, table.canMoveRow(at: row.indexPath) else { return "" }
    return "<span class=\"grip\" aria-hidden=\"true\" title=\"Drag to move\">⠿</span>"
  }

  private func texts(_ content: RowContent) -> HTML {
    let title: HTML =
      content.title.isEmpty && content.placeholder != nil
      ? "<span class=\"placeholder\">\(content.placeholder ?? "")</span>" : .text(content.title)
    let detail: HTML = content.detail.map { "<div class=\"detail\">\($0)</div>" } ?? ""
    return "<div class=\"texts\"><div class=\"title\">\(title)</div>\(detail)</div>"
  }

  private func control(_ row: TableRow, _ content: RowContent) -> HTML {
    row.cell.formControl.map { ViewHTML(names: names).input($0, label: content.title) } ?? ""
  }

  private func actions(_ row: TableRow, _ content: RowContent) -> HTML {
    let rename: HTML = """
      <button type="button" class="rename" aria-label="Rename \(content.title)" \
      title="Rename (F2)">✎</button>
      """
    let leading = buttons(table.leadingActions(at: row.indexPath), "leading", content)
    let trailing = buttons(table.trailingActions(at: row.indexPath), "trailing", content)
      .reversed()
    // As in UIKit, the first action stands at the edge of its side.
    let all: HTML = "\(rename, if: content.hasTitleField)\(leading.joined())\(trailing.joined())"
    return all == "" ? "" : "<span class=\"actions\">\(all)</span>"
  }

  private func buttons(
    _ actions: [UIContextualAction], _ side: String, _ content: RowContent
  ) -> [HTML] {
    actions.enumerated().map { index, action in
      let title = action.title ?? ""
      return """
        <button type="button" class="action\(" destructive", if: action.style == .destructive)" \
        data-side="\(side)" data-index="\(index)" \
        aria-label="\(title) \(content.title)">\(title)</button>
        """
    }
  }

  private func trailing(_ content: RowContent) -> HTML {
    let kind: HTML = table.style == .plain ? "count" : "value"
    let badge: HTML = content.badge.map { "<span class=\"\(kind)\">\($0)</span>" } ?? ""
    switch content.accessory {
    case .none: return badge
    case .checkmark: return badge + "<span class=\"check\" aria-label=\"Checked\">✓</span>"
    case .disclosureIndicator, .detailDisclosureButton, .detailButton:
      return badge + "<span class=\"chevron\" aria-hidden=\"true\">›</span>"
    }
  }
}
