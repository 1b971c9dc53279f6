import Foundation
import ListKit

/// The keyboard state of one screen, sheet or alert; kept while others cover it.
@MainActor
final class Layer {
  weak var controller: UIViewController?
  var focus: StopID?
  var editing: Editing?
  /// The row of a form whose field was left; until the cursor moves or Return is pressed.
  var restingRow: String?
  /// Whether the focused field was left although there is nothing else to focus; until the focus
  /// moves.
  var rests = false
  /// The scroll position of an alert, or of a screen without a table.
  var scroll = 0

  init(_ controller: UIViewController) { self.controller = controller }
}

/// The text that is being edited.
struct Editing {
  enum Target {
    case field(UITextField)
    case picker(UIDatePicker)
    /// The title of a row. It is passed to its field at the end, since the row may get another cell
    /// meanwhile.
    case title(ListView, row: String)
  }

  let target: Target
  var editor: LineEditor
  /// The text at the start of editing.
  let former: String
  /// Whether the typed text is not a valid value.
  var isInvalid = false

  init(target: Target, editor: LineEditor) {
    self.target = target
    self.editor = editor
    former = editor.text
  }

  @MainActor
  func isOn(_ control: UIControl) -> Bool {
    switch target {
    case .field(let field): field === control
    case .picker(let picker): picker === control
    case .title: false
    }
  }
}

/// A popup over everything, which receives all keys.
@MainActor
enum Popup {
  case menu(Menu)
  case help(scroll: Int)

  struct Menu {
    struct Item {
      let title: String
      var isDestructive = false
      let perform: @MainActor () -> Void
    }

    let title: String
    let items: [Item]
    var selected = 0
    /// The text typed to find an item.
    var typed = ""
  }
}

/// A command that is available now, with its keys. Key handling, the help and the bottom line are
/// derived from it.
@MainActor
struct Command {
  enum Group: String, CaseIterable {
    case row = "Row"
    case list = "List"
    case field = "Field"
    case screen = "Screen"
    case general = "Everywhere"
  }

  let keys: [KeyPress]
  let title: String
  let group: Group
  /// The priority on the bottom line; 0 hides the command there.
  var rank = 0
  let perform: @MainActor () -> Void
}
