import Foundation
import ListKit

/// Draws the rows of a table that a window holds, in their sections, and says what the rest is
/// like.
@MainActor
struct TableHTML {
  let table: UITableView
  let name: String
  let names: ElementNames

  var markup: HTML {
    let state = TableState(table)
    let json = JSON.text(state)
    return """
      <div class="sections\(" form", if: table.style != .plain)" data-table="\(name)" data-state="\(json)" role="list" tabindex="-1" \
      aria-label="\(table.accessibilityLabel ?? "Items")">\(sections(state))</div>
      """
  }

  private func sections(_ state: TableState) -> HTML {
    let rows = RowHTML(table: table, names: names)
    let bySection = Dictionary(grouping: table.rows, by: \.indexPath.section)
    return bySection.keys.sorted().map { section in
      let title: HTML = state.sections[section].title.map { "<h2>\($0)</h2>" } ?? ""
      let footer: HTML =
        state.sections[section].footer.map { "<p class=\"footer\">\($0)</p>" } ?? ""
      let items = (bySection[section] ?? []).map(rows.markup).joined()
      return "<section>\(title)<ul role=\"presentation\">\(items)</ul>\(footer)</section>"
    }.joined()
  }
}

/// What a page knows of a table besides the rows that it holds.
struct TableState: Encodable, Equatable {
  struct Section: Encodable, Equatable {
    let title: String?
    let count: Int
    let footer: String?

    var texts: [String?] { [title, footer] }

    /// As a pair or a triple, to keep long lists of sections short.
    func encode(to encoder: any Encoder) throws {
      var entry = encoder.unkeyedContainer()
      try entry.encode(title)
      try entry.encode(count)
      if let footer { try entry.encode(footer) }
    }
  }

  var first: Int
  var anchor: Int
  var editing: Bool
  var selectable: Bool
  var droppable: Bool
  var sections: [Section]
  var index: [String]?

  @MainActor
  init(_ table: UITableView) {
    first = table.firstPlace
    anchor = table.anchorPlace
    editing = table.isEditing
    selectable = table.isSelectable
    droppable = table.dropDelegate != nil && table.dragDelegate != nil
    sections = table.counts.rows.enumerated().map { section, count in
      let title = table.dataSource?.tableView(table, titleForHeaderInSection: section)
      let footer = table.dataSource?.tableView(table, titleForFooterInSection: section)
      return Section(title: title, count: count, footer: footer)
    }
    index = table.dataSource?.sectionIndexTitles(for: table)
  }
}

enum JSON {
  /// The value as JSON text. What is encoded here is made of strings, numbers and arrays of them,
  /// which cannot fail.
  static func text(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    } catch {
      fatalError("A message for the page could not be written as JSON: \(error)")
    }
  }
}
