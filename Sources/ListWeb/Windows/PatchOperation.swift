import ListKit

/// One change of the page, as the message of a patch carries it.
///
/// | op | fields | the page |
/// |---|---|---|
/// | screen | html, how, first | shows another screen in the layer `first`, and none above it; `how` is push, pop, replace, or present for a sheet |
/// | place | text, how | says the place in the address; `how` is push, pop or replace |
/// | dismiss | first | takes the layers from `first` on away |
/// | bar, heading | id, html, text | changes the bar, the large title of a screen |
/// | view | id, html | replaces one element |
/// | control | id, html | draws a switch or the like anew; what has the keyboard in it keeps it |
/// | hidden | id, enabled | hides a view that holds a table, or shows it again |
/// | field | id, text, title, enabled, clears | sets a field's text, unless the user has typed since, and its placeholder; `clears` for one that Return empties |
/// | table | id, html | replaces all rows of a table |
/// | rows | id, first, removed, moved, inserted, reloaded, counts or sections, index, grids | replays a change of the held rows |
/// | row | id, row, html | redraws one row |
/// | select | id, rows | marks these rows, and no others, as selected |
/// | scroll | id, first, how | brings a row into view |
/// | alert | html | shows an alert; no html takes it away |
/// | toast | id, text, title | shows a message, with a button when it has a title |
/// | working | enabled | shows that work goes on, or that it is done |
/// | waiting | text | says what everything waits for, until there is no text |
/// | status | text | says what changed to a screen reader |
/// | focus | id or row | gives the keyboard to a field, or starts editing a row's title |
/// | sync | html, alert, how | starts anew with the whole state; `how` is renew for a window made again |
///
/// `byOthers` says of a screen, of rows or of a table that they went without an event of this window: keys that
/// were meant for them must not reach what came in their place.
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
  /// Changed counts as pairs: section, rows.
  var counts: [[Int]]?
  var sections: [TableState.Section]?
  /// The titles of the index bar, when the sections changed.
  var index: [String]?
  /// How rows stand side by side, when that changed; empty for one below the other.
  var grids: [TableState.Grid?]?

  init(_ op: String) { self.op = op }
}
