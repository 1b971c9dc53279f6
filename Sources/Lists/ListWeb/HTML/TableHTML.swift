import Foundation
import ListKit

/// Draws the rows of a table that the window holds, by section, and adds the state of the whole
/// table for the page.
@MainActor
struct TableHTML {
  let table: ListView
  let name: String
  let names: ElementNames

  var markup: HTML {
    let state = TableState(table)
    let json = JSON.text(state)
    return """
      <div class="sections\(" form", if: table.isForm) \(table.classNames)" data-table="\(name)" data-state="\(json)" role="group" tabindex="-1" \
      aria-label="\(table.accessibilityLabel ?? "Items")">\(sections(state))</div>
      """
  }

  private func sections(_ state: TableState) -> HTML {
    let rows = RowHTML(table: table, names: names)
    let bySection = Dictionary(grouping: table.rows, by: \.indexPath.section)
    return bySection.keys.sorted().map { section in
      let words = state.sections[section].title
      let title: HTML = words.map { "<h2 dir=\"auto\">\($0)</h2>" } ?? ""
      let label: HTML = words.map { " aria-label=\"\($0)\"" } ?? ""
      let footer: HTML =
        state.sections[section].footer.map { "<p class=\"footnote\" dir=\"auto\">\($0)</p>" } ?? ""
      let items = (bySection[section] ?? []).map(rows.markup).joined()
      let kind: HTML = table.grid(inSection: section) == nil ? "" : " class=\"grid\""
      let isTree = bySection[section]?.first?.cell.rowContent.outline != nil
      let role: HTML = isTree ? "tree" : "list"
      return "<section\(kind)>\(title)<ul role=\"\(role)\"\(label)>\(items)</ul>\(footer)</section>"
    }.joined()
  }
}

/// The state of a table besides its rows, for the page.
struct TableState: Encodable, Equatable {
  struct Section: Encodable, Equatable {
    let title: String?
    let count: Int
    let footer: String?

    var texts: [String?] { [title, footer] }

    /// Encodes a pair or, with a footer, a triple: long lists of sections stay short.
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
  /// True while more rows are on their way.
  var part: Bool?
  var sections: [Section]
  var index: [String]?
  /// The grid of each section, `nil` for rows one below the other. If all are equal, there is one
  /// entry.
  var grids: [Grid?]?

  @MainActor
  init(_ table: ListView) {
    first = table.firstPlace
    anchor = table.anchorPlace
    editing = table.isEditing
    selectable = table.isSelectable
    droppable = table.isDroppable
    part = table.isPart ? true : nil
    sections = table.counts.rows.enumerated().map { section, count in
      let title = table.headerTitle(inSection: section)
      let footer = table.footerTitle(inSection: section)
      return Section(title: title, count: count, footer: footer)
    }
    // One title leads nowhere else.
    index = table.indexTitles.flatMap { $0.count > 1 ? $0 : nil }
    let all = table.counts.rows.indices.map { table.grid(inSection: $0).map(Grid.init) }
    let isUniform = all.dropFirst().allSatisfy { $0 == all.first }
    grids = all.contains { $0 != nil } ? (isUniform ? Array(all.prefix(1)) : all) : nil
  }

  /// A grid for the page, which computes positions from its width.
  struct Grid: Encodable, Equatable {
    /// The frames of a group's items: left, top, width and height of each; and the width of the
    /// group. A length is three numbers: a share of the width, a share of the height, and pixels.
    var places: [[[Double]]]?
    var width: [Double]?
    /// Of a grid of columns: the minimum width of an item, the space between two items, and the
    /// distances around each: top, leading, bottom, trailing.
    var least: Double?
    var gap: Double?
    var itemInsets: [Double]?
    var height: [Double]
    var line: Double
    var insets: [Double]
    var sideways: String?

    init(_ grid: ListGrid) {
      switch grid.pattern {
      case .group(let frames, let width, let height):
        places = frames.map { [$0.x, $0.y, $0.width, $0.height].map(Self.numbers) }
        self.width = Self.numbers(width)
        self.height = Self.numbers(height)
      case .columns(let least, let height, let spacing, let insets):
        self.least = least
        gap = spacing
        itemInsets = Self.numbers(insets)
        self.height = Self.numbers(height)
      }
      line = grid.spacing
      insets = Self.numbers(grid.insets)
      sideways = grid.sideways?.rawValue
    }

    private static func numbers(_ length: ListGrid.Length) -> [Double] {
      [length.width, length.height, length.points]
    }

    private static func numbers(_ insets: ListGrid.Insets) -> [Double] {
      [insets.top, insets.leading, insets.bottom, insets.trailing]
    }
  }
}

enum JSON {
  /// The value as JSON text. Cannot fail: all values encoded here consist of strings, numbers,
  /// booleans and arrays of them.
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
