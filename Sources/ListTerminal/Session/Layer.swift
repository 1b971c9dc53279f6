import Foundation
import ListKit

/// What the keyboard has to do with one screen, sheet or alert; kept while others lie over it.
@MainActor
final class Layer {
  weak var controller: UIViewController?
  var focus: StopID?
  var editing: Editing?
  /// The form's row whose field has been left, until the cursor moves on or Return is pressed.
  var restingRow: String?
  /// How far the content of an alert or of a screen without a table has been scrolled.
  var scroll = 0

  init(_ controller: UIViewController) { self.controller = controller }
}

/// What is typed into.
struct Editing {
  enum Target {
    case field(UITextField)
    case picker(UIDatePicker)
    /// The title of a row, which is told to its field at the end: the row may get another cell in
    /// the meantime.
    case title(ListView, row: String)
  }

  let target: Target
  var editor: LineEditor
  /// The text that the editing began with.
  let former: String
  /// What is typed does not make sense as it is.
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

/// What lies over everything and takes the keys.
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
    /// What was typed to find an item.
    var typed = ""
  }
}

/// One thing that can be done now, and the keys that do it. The keys, the help and the bottom line
/// are made of these.
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
  /// How much it deserves a place on the bottom line; 0 for none.
  var rank = 0
  let perform: @MainActor () -> Void
}
