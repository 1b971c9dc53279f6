/// An event that a page sends for its user.
///
/// | type | fields | meaning |
/// |---|---|---|
/// | back, undo, redo | | a button of the bar |
/// | visit | text | Back or Forward in the browser: the place in the address |
/// | press | id | a bar button or a button |
/// | key | text, modifiers | a key command: `z` with `command`, `shift`, `control`, `alternate` |
/// | cancel | | Escape in a sheet, or a click beside it |
/// | type | id, text | a field's text while the user types, if the field reports it |
/// | return, text | id, text | Return in a field; the field's text after it lost the keyboard |
/// | return | id, text, texts | Return in a field after each of several lines |
/// | date | id, text | another date in a date picker |
/// | value | id, text | another value of a switch, a stepper, a slider or a segmented control |
/// | slide | id, text | the value of a slider that is still being moved |
/// | open | text | the part of the address from `#` on: a segment with an address |
/// | cancelSearch | id | the Cancel button of a search bar |
/// | tab | id | a tab of a tab bar |
/// | select | id, row | a click on a row |
/// | edit | id, row, text, old | a new title of a row; `old` is the title when editing began |
/// | action | id, row, side, index | a button of a row |
/// | move, drop | id, row, target (, after) | a row dragged beside or onto another one |
/// | toggle | id, row | expands or collapses a row of an outline |
/// | step | id, row, index | a row moved by keys, up (-1) or down (1) |
/// | range | id, first, count, anchor | the rows that the page wants, and the topmost visible one |
/// | | row, index | a row that the page holds, and its offset as the page knows it |
/// | index | id, index | a title of the index |
/// | answer | id, choice, texts | a button of an alert; no choice is Escape |
/// | editing | id, row | the title of a row is being edited, for others to see; no row: it ended |
/// | toast | id | the button of a message |
/// | width | count | the width of the page in pixels, when it becomes wide or narrow |
/// | shown, hidden, closing | page | the page became visible, was hidden, is being closed |
///
/// With columns beside each other every event has `screen`, the column that has the user's
/// attention.
///
/// Rows are identified by name, never by position: an event may arrive late.
///
/// Every event except the last three has `page`, the page that sent it, and `number`, which counts
/// the events of this page. An event that arrives again is not carried out again (`EventLedger`).
struct WindowEvent: Decodable, Sendable {
  let type: String
  var id: String?
  var screen: String?
  var row: String?
  var target: String?
  var after: Bool?
  var side: String?
  var index: Int?
  var first: Int?
  var count: Int?
  var anchor: Int?
  var text: String?
  var old: String?
  var texts: [String]?
  var choice: String?
  var modifiers: [String]?
  var page: Int?
  var number: Int?

  /// Whether a user has done something that is worth doing once.
  var isDeed: Bool {
    number != nil && !["range", "type", "shown", "editing", "width"].contains(type)
  }
}

/// The reason for which an event was not carried out, as a text for the user.
struct WindowEventError: Error, Sendable {
  let text: String

  /// The event has a form that no page sends.
  static func malformed(_ text: String) -> Self { Self(text: text) }
}
