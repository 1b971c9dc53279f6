/// What the page says that the user did.
///
/// | type | fields | meaning |
/// |---|---|---|
/// | back, undo, redo | | the bar's buttons |
/// | visit | text | the browser's Back, Forward: another place, as an address says it |
/// | press | id | a bar button or a button |
/// | key | text, modifiers | a key command: `z` with `command`, `shift`, `control`, `alternate` |
/// | cancel | | Escape in a sheet, or a click beside it |
/// | type | id, text | what a field says while the user types, where that is of interest |
/// | return, text | id, text | Return in a field; the field's text after it lost the keyboard |
/// | date | id, text | another date in a date picker |
/// | value | id, text | another value of a switch, a stepper, a slider or a segmented control |
/// | slide | id, text | the value of a slider that is still being moved |
/// | open | text | the part of the address behind `#`, which names a place within the screen |
/// | cancelSearch | id | the Cancel button of a search bar |
/// | tab | id | a tab of a tab bar |
/// | select, edit | id, row (, text, old) | a click on a row; a new title for it, and the one that it had when that was begun |
/// | action | id, row, side, index | a button of a row |
/// | move, drop | id, row, target (, after) | a row dragged beside or onto another one |
/// | toggle | id, row | opens or closes what stands under a row in a tree |
/// | step | id, row, index | a row moved by keys, up (-1) or down (1) |
/// | range | id, first, count, anchor | the page wants to hold these rows and sees `anchor` at the top |
/// | | row, index | a row that it holds, and its place there, for what it does not know of yet |
/// | index | id, index | a title of the index bar |
/// | answer | id, choice, texts | a button of an alert; no choice is Escape |
/// | toast | id | the button of a message |
/// | shown, hidden, closing | page | the page came to the front, went to the back, goes away |
///
/// Rows are meant by their names, never by their places: an event may arrive late.
///
/// Each event but those of the last line has `page`, the page that sent it, and `number`, which counts the
/// events of that page: one that arrives again is not carried out again (`EventLedger`).
struct WindowEvent: Decodable, Sendable {
  let type: String
  var id: String?
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
}

/// Why an event was not carried out, in words for the user.
struct WindowEventError: Error, Sendable {
  let text: String

  /// The page sent what no page of ours sends.
  static func malformed(_ text: String) -> Self { Self(text: text) }
}
