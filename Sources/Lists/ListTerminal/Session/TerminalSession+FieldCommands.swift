import Foundation
import ListKit

// Commands during editing and in alerts.
extension TerminalSession {
  func fieldCommands(_ parts: ScreenParts) -> [Command] {
    guard let editing = top?.editing else { return [] }
    var commands = [
      Command(
        keys: [.plain(.enter)], title: returnTitle(editing, parts: parts), group: .field, rank: 9
      ) {
        [weak self] in self?.submit()
      },
      Command(keys: [.plain(.escape)], title: escapeTitle(editing), group: .field, rank: 8) {
        [weak self] in self?.leaveField()
      },
      Command(
        keys: [.plain(.tab), .plain(.down), .plain(.pageDown)], title: "Next",
        group: .field, rank: 4
      ) { [weak self] in self?.moveOn(1) },
      Command(keys: [.shift(.tab), .plain(.up), .plain(.pageUp)], title: "Before", group: .field) {
        [weak self] in self?.moveOn(-1)
      },
    ]
    if let done = parts.buttons.first(where: { $0.isDone && $0.isEnabled }) {
      commands.append(
        Command(keys: [.control("s")], title: done.title, group: .field, rank: 7) {
          [weak self] in
          guard let self else { return }
          commitTyped()
          if !holdsInvalidDate() { done.press() }
        })
    }
    return commands + editingKeys(editing)
  }

  /// Whether a date is being typed that is none, of which the user is told: to save would end the
  /// editing and leave the day before.
  private func holdsInvalidDate() -> Bool {
    guard let editing = top?.editing, editing.isInvalid, case .picker(let picker) = editing.target
    else { return false }
    tell("“\(editing.editor.text)” is no \(picker.kindOfValue)")
    return true
  }

  private func returnTitle(_ editing: Editing, parts: ScreenParts) -> String {
    switch editing.target {
    case .title: "Rename"
    case .picker: "Next"
    case .field(let field) where field is UISearchTextField: "To the results"
    case .field(let field) where parts.headerFields.contains(field): "Add"
    case .field(let field): field.delegate == nil ? "Next" : "Done"
    }
  }

  private func escapeTitle(_ editing: Editing) -> String {
    switch editing.target {
    case .title: "Leave as it was"
    case .field(let field) where field is UISearchTextField: "End the search"
    default: "Leave the field"
    }
  }

  private func leaveField() {
    guard let layer = top, let editing = layer.editing else { return }
    switch editing.target {
    case .title: layer.editing = nil
    case .field(let field) where field is UISearchTextField:
      layer.editing = nil
      focusList()
      (field.superview as? UISearchBar)?.cancel()
    default:
      finishEditing(of: layer)
      if let table = focusedTable {
        layer.restingRow = viewport(table).rowID
      } else {
        focusList()
        // A screen of fields has no list to focus.
        if focusedTable == nil { focusNext(1) }
        if case .field(let field) = editing.target, focused?.id == StopID(field) {
          layer.rests = true
        }
      }
    }
  }

  private func moveOn(_ step: Int) {
    guard let layer = top, let editing = layer.editing else { return }
    commitTyped()
    if case .title = editing.target { return finishEditing(of: layer) }
    guard let table = focusedTable else { return focusNext(step) }
    let viewport = viewport(table)
    let target = viewport.place + step
    if (0..<table.counts.total).contains(target) {
      viewport.moveCursor(to: target)
    } else {
      focusNext(step)
    }
  }

  /// The editor's own keys, listed for the help only.
  private func editingKeys(_ editing: Editing) -> [Command] {
    let keys: [(KeyPress, String)]
    if case .picker = editing.target {
      keys = [(.character("+"), "Later"), (.character("-"), "Earlier")]
    } else {
      keys = [
        (.control("a"), "To the start"), (.control("e"), "To the end"),
        (.alt(.character("b")), "A word back"), (.alt(.character("f")), "A word on"),
        (.control("w"), "Cut the word"), (.control("u"), "Cut to the start"),
        (.control("k"), "Cut to the end"), (.control("y"), "Put back what was cut"),
        (.control("z"), "Undo"),
      ]
    }
    return keys.map { key, title in
      Command(keys: [key], title: title, group: .field) { [weak self] in _ = self?.edit(key) }
    }
  }

  // MARK: Alerts

  func alertCommands(_ alert: UIAlertController) -> [Command] {
    let parts = AlertParts(alert: alert)
    var commands: [Command] = []
    if alert.actions.contains(where: { $0.style == .cancel }) {
      let cancel = alert.actions.first { $0.style == .cancel }
      commands.append(
        Command(
          keys: [.plain(.escape)], title: cancel?.title ?? "Cancel", group: .screen, rank: 8
        ) { alert.choose(nil) })
    }
    commands.append(returnCommand(alert))
    commands += [
      Command(keys: [.plain(.tab), .plain(.down)], title: "Next", group: .screen, rank: 4) {
        [weak self] in
        self?.commitTyped()
        self?.focusNext(1)
      },
      Command(keys: [.shift(.tab), .plain(.up)], title: "Before", group: .screen) {
        [weak self] in
        self?.commitTyped()
        self?.focusNext(-1)
      },
    ]
    guard top?.editing == nil else { return commands }
    commands += [
      Command(keys: [.plain(.right)], title: "Next", group: .screen) {
        [weak self] in self?.focusNext(1)
      },
      Command(keys: [.plain(.left)], title: "Before", group: .screen) {
        [weak self] in self?.focusNext(-1)
      },
    ]
    var letters = LetterPool(taken: [])
    for action in parts.actions where action.isEnabled {
      guard let letter = letters.letter(for: action.title ?? "") else { continue }
      commands.append(
        Command(keys: [.character(letter)], title: action.title ?? "", group: .screen, rank: 5) {
          alert.choose(action)
        })
    }
    return commands
  }

  private func returnCommand(_ alert: UIAlertController) -> Command {
    if top?.editing != nil {
      return Command(keys: [.plain(.enter)], title: "Next", group: .field, rank: 9) {
        [weak self] in self?.submit()
      }
    }
    var keys: [KeyPress] = [.plain(.enter)]
    keys.append(.character(" "))
    guard case .answer(let action) = focused?.kind else {
      return Command(keys: keys, title: "Choose", group: .screen) {}
    }
    return Command(keys: keys, title: action.title ?? "Choose", group: .screen, rank: 9) {
      alert.choose(action)
    }
  }
}
