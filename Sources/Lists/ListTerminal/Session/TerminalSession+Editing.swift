import Foundation
import ListKit

// Editing of fields, date pickers and titles of rows.
extension TerminalSession {
  // MARK: Beginning and ending

  func beginEditing(_ control: UIControl, layer: Layer) {
    switch control {
    case let field as UITextField:
      guard field.beginEditing() else {
        layer.focus = nil
        layer.restingRow = focusedTable.flatMap { viewport($0).rowID }
        return
      }
      layer.editing = Editing(target: .field(field), editor: LineEditor(field.text ?? ""))
    case let picker as UIDatePicker:
      var editor = LineEditor(picker.dateText)
      editor.moveToStart()
      layer.editing = Editing(target: .picker(picker), editor: editor)
    default: break
    }
  }

  /// Begins editing the title of a row, if it can be edited.
  func beginTitle(_ row: ListRow, in table: ListView, layer: Layer) {
    guard let field = row.cell.titleField, field.isEnabled else { return }
    finishEditing(of: layer)
    layer.editing = Editing(
      target: .title(table, row: row.id), editor: LineEditor(field.text ?? ""))
  }

  /// Ends editing and takes over the typed text.
  func finishEditing(of layer: Layer) {
    guard let editing = layer.editing else { return }
    commit(editing)
    layer.editing = nil
    switch editing.target {
    case .field(let field): field.endEditing()
    case .picker(let picker):
      guard editing.isInvalid else { return }
      tell("“\(editing.editor.text)” is no \(picker.kindOfValue): \(picker.dateText) stays")
    case .title(let table, let row): rename(row, in: table, editing: editing)
    }
  }

  /// Ends editing after the screen has gone. If the target no longer exists, shows the typed text
  /// in a message.
  func abandonEditing(of layer: Layer) {
    guard let editing = layer.editing else { return }
    switch editing.target {
    case .title(let table, let row):
      guard table.window == nil || table.indexPath(forID: row) == nil else { break }
      layer.editing = nil
      return loseEditing(editing, what: "That row is no longer shown.")
    case .field(let field) where field.window == nil && !isTaking:
      layer.editing = nil
      return loseEditing(editing, what: "That field is no longer there.")
    default: break
    }
    finishEditing(of: layer)
  }

  private func rename(_ row: String, in table: ListView, editing: Editing) {
    let text = editing.editor.text
    guard let path = table.indexPath(forID: row), let field = table.cell(at: path)?.titleField
    else {
      guard text != editing.former else { return }
      return tell(EditWords.gone("That row was deleted.", typed: text), staysUntilKey: true)
    }
    let question = RenameQuestion(old: editing.former, now: field.text ?? "", typed: text)
    if let question {
      return question.ask(in: window) { [weak self, weak table] in
        if let table { self?.rename(row, in: table, to: text) }
      }
    }
    if text != editing.former { rename(row, in: table, to: text) }
  }

  private func rename(_ row: String, in table: ListView, to text: String) {
    guard let path = table.indexPath(forID: row), let field = table.cell(at: path)?.titleField
    else { return tell(EditWords.gone("That row was deleted.", typed: text), staysUntilKey: true) }
    guard field.text != text, field.beginEditing() else { return }
    field.receive(text)
    field.pressReturn()
    field.endEditing()
  }

  // MARK: Targets removed by another user

  /// Shows the lost text in a message. The user may still be typing: until another key ends this
  /// state, typed characters are added to the message instead of being handled as keys.
  private func loseEditing(_ editing: Editing, what: String) {
    let typed = editing.editor.text == editing.former ? "" : editing.editor.text
    let lost = Adrift(what: what, typed: typed)
    if !isTaking { adrift = lost }
    tell(lost.words, staysUntilKey: true)
  }

  /// Handles a key while the user types for a removed target. Returns false for a key that ends
  /// this state.
  func pressAdrift(_ key: KeyPress) -> Bool {
    guard var lost = adrift else { return false }
    switch key.key {
    case .character(let character) where key.modifiers.subtracting(.shift).isEmpty:
      lost.typed.append(character)
    case .character("u"), .character("w"): lost.typed = ""
    case .character: return true
    case .backspace: lost.typed = String(lost.typed.dropLast())
    case .enter, .delete: break
    case .escape:
      adrift = nil
      return true
    default:
      adrift = nil
      return false
    }
    adrift = lost
    tell(lost.words, staysUntilKey: true)
    return true
  }

  // MARK: Changes meanwhile

  /// Follows changes of the edited element: the application may have set the field's text, and
  /// another user may have deleted the row.
  func refreshEditing(of layer: Layer) {
    guard let editing = layer.editing else { return }
    switch editing.target {
    case .field(let field):
      if field.window == nil || !field.isEnabled {
        layer.editing = nil
        guard !isTaking, editing.editor.text != editing.former else { return }
        return loseEditing(editing, what: "That field is no longer there.")
      }
      if field.text != editing.editor.text { layer.editing?.editor.replace(with: field.text ?? "") }
    case .picker(let picker):
      if picker.window == nil || !picker.isEnabled { return layer.editing = nil }
      if !editing.isInvalid, picker.dateText != editing.editor.text {
        layer.editing?.editor.replace(with: picker.dateText)
      }
    case .title(let table, let row):
      guard table.indexPath(forID: row) == nil else { return }
      layer.editing = nil
      loseEditing(editing, what: "That row was deleted.")
    }
  }

  /// Passes the text typed so far to its field.
  func commitTyped() {
    isUntold = false
    guard let layer = top, let editing = layer.editing else { return }
    commit(editing)
    if case .picker(let picker) = editing.target {
      layer.editing?.isInvalid = picker.dateText != editing.editor.text
    }
  }

  private func commit(_ editing: Editing) {
    switch editing.target {
    case .field(let field): if field.window != nil { field.receive(editing.editor.text) }
    case .picker(let picker): picker.receive(editing.editor.text)
    case .title: break
    }
  }

  // MARK: Keys

  /// Handles a key in the edited line. Returns false for a key with another meaning.
  func edit(_ key: KeyPress) -> Bool {
    guard let layer = top, var editing = layer.editing else { return false }
    // A date is overwritten in place: its form stays.
    if case .picker(let picker) = editing.target {
      guard DateEditor.handle(key, editor: &editing.editor, picker: picker) else { return false }
    } else if key == .control("z") {
      guard editing.editor.undo() else { return false }
    } else if Self.redoKeys.contains(key) {
      guard editing.editor.redo() else { return false }
    } else {
      guard editing.editor.handle(key) else { return false }
    }
    layer.editing = editing
    return true
  }

  static let redoKeys: Set<KeyPress> = [
    KeyPress(key: .character("z"), modifiers: [.control, .shift]), .alt(.character("z")),
  ]

  /// Handles Return in the edited line.
  func submit() {
    guard let layer = top, let editing = layer.editing else { return }
    commitTyped()
    switch editing.target {
    case .title: finishEditing(of: layer)
    case .picker: leaveLine(layer)
    case .field(let field): submit(field, layer: layer)
    }
  }

  private func submit(_ field: UITextField, layer: Layer) {
    if window.visibleAlert != nil { return submitAlert(field) }
    let isSearch = field is UISearchTextField
    let doesSomething = field.doesSomethingOnReturn
    field.pressReturn()
    if isSearch { return focusList() }
    if !doesSomething { leaveLine(layer) }
  }

  private func submitAlert(_ field: UITextField) {
    let fields = window.visibleAlert?.textFields ?? []
    field.pressReturn()
    guard let index = fields.firstIndex(of: field), index + 1 < fields.count else {
      if let alert = window.visibleAlert, let preferred = AlertParts(alert: alert).preferred {
        alert.choose(preferred)
      }
      return
    }
    focus(StopID(fields[index + 1]))
  }

  /// Moves on to the element below.
  private func leaveLine(_ layer: Layer) {
    guard let table = focusedTable else { return focusNext(1) }
    let viewport = viewport(table)
    if viewport.place + 1 < table.counts.total {
      viewport.moveCursor(to: viewport.place + 1)
    } else {
      let isInvalid = layer.editing?.isInvalid ?? false
      finishEditing(of: layer)
      layer.restingRow = viewport.rowID
      if isInvalid { return }
      // Return in the last field of a sheet is its emphasised button.
      guard let controller = topController, controller.sheet != nil else { return }
      ScreenParts(controller: controller).buttons.first { $0.isDone && $0.isEnabled }?.press()
    }
  }

  /// Moves on from a row of a form that has no field.
  func leaveRow() {
    if let top { leaveLine(top) }
  }

  func focusList() {
    guard let table = topController.map({ ScreenParts(controller: $0).tables })?.first else {
      return
    }
    focus(StopID(table))
  }

  // MARK: Pasting

  /// Inserts pasted text like typed text; it is never handled as keys. In a field that adds rows,
  /// each line adds one, as a step of undo of its own.
  func paste(_ text: String) {
    if var lost = adrift {
      lost.typed += text
      adrift = lost
      return tell(lost.words, staysUntilKey: true)
    }
    guard let layer = top, layer.editing != nil else {
      return tell("Choose a field first: what is pasted is text, not keys")
    }
    let lines = text.split { $0.isNewline }.map(String.init)
    guard case .field(let field) = layer.editing?.target, lines.count > 1,
      topController.map({ ScreenParts(controller: $0).headerFields.contains(field) }) ?? false
    else {
      layer.editing?.editor.insert(lines.joined(separator: " "))
      return commitTyped()
    }
    for line in lines {
      let manager = window.visibleUndoManager
      layer.editing?.editor.insert(line)
      submit()
      manager?.endEvent()
      refreshEditing(of: layer)
      if layer.editing == nil { break }
    }
  }
}

extension UITextField {
  /// Whether Return has an effect: a delegate or an action for it.
  var doesSomethingOnReturn: Bool {
    delegate != nil || hears([.editingDidEndOnExit, .primaryActionTriggered])
  }
}
