import ListKit

/// A change of the page, one element of a message.
///
/// | op | fields | effect in the page |
/// |---|---|---|
/// | screen | html, how, first | replaces the layer `first` and those above it by a screen |
/// | column | html, how, first | replaces the screen of a column |
/// | columns | html | replaces the lowest layer, whose columns or whose width are others now |
/// | place | text, how | sets the place in the address; `how` is push, pop or replace |
/// | dismiss | first | removes the layers from `first` on |
/// | bar, heading | id, html, text | changes the bar, the large title of a screen |
/// | view | id, html | replaces one element |
/// | control | id, html | redraws a control, whose parts keep the keyboard focus |
/// | hidden | id, enabled | hides a view that holds a table, or shows it again |
/// | field | id, text, title, enabled, clears | sets a field's text and placeholder |
/// | table | id, html | replaces all rows of a table |
/// | rows | id, first, removed, moved, inserted, reloaded, | replays a change of the held rows |
/// | | counts or sections, index, grids | |
/// | row | id, row, html | redraws one row |
/// | select | id, rows | marks these rows, and no others, as selected |
/// | scroll | id, first, how | scrolls to a row |
/// | alert | html | shows an alert; without html removes it |
/// | toast | id, text, title, typed | shows a message, with a button if it has a title; one with |
/// | | | typed text stays until the user closes it |
/// | working | enabled | shows that work is going on, or has ended |
/// | waiting | text | shows the reason for which all windows wait; without text removes it |
/// | others | first, others | shows the other windows on its lists: their number, and, if they are
/// | | | few, the colour of each and the row that it edits |
/// | status | text | announces changes to screen readers |
/// | focus | id or row | gives the keyboard to a field, or starts editing a row's title |
/// | sync | html, alert, how | replaces the whole page; `how` is renew for a new window |
///
/// In `screen`, `how` is push, pop, replace, or present for a sheet. A `field` that the user has
/// edited since keeps its text; `clears` marks a field that Return empties.
///
/// `byOthers` marks a change of screens, rows or tables that no event of this window has caused:
/// keys that the user pressed for the old content must not reach the new one.
struct PatchOperation: Encodable {
  struct Removed: Encodable {
    let row: String
    let cause: String
  }

  struct Moved: Encodable {
    let row: String
    let place: Int
  }

  struct Inserted: Encodable {
    let place: Int
    let cause: String
    let html: String
  }

  struct Reloaded: Encodable {
    let row: String
    let html: String
  }

  let op: String
  var id: String?
  var html: String?
  var alert: String?
  var how: String?
  var text: String?
  var title: String?
  var typed: String?
  var enabled: Bool?
  var clears: Bool?
  var byOthers: Bool?
  var row: String?
  var rows: [String]?
  var first: Int?
  var removed: [Removed]?
  var moved: [Moved]?
  var inserted: [Inserted]?
  var reloaded: [Reloaded]?
  /// Changed counts as pairs of section and rows.
  var counts: [[Int]]?
  var sections: [TableState.Section]?
  /// The titles of the index, if the sections changed.
  var index: [String]?
  var others: [Company.Other]?
  /// The grids of sections, if they changed; empty if all rows are one below the other.
  var grids: [TableState.Grid?]?

  init(_ op: String) { self.op = op }
}
