import Foundation
import ListKit
import ListSnapshots

// Commands of plain mode.
extension PlainSession {
  /// A command: its names, its help, and its action on the rest of the line.
  private struct PlainCommand {
    let names: [String]
    let usage: String
    let help: String
    let perform: @MainActor (PlainSession, String) -> Void
  }

  private static let commands: [PlainCommand] = [
    .init(names: ["list", "l"], usage: "list", help: "print the screen again") { session, _ in
      session.printScreen()
    },
    .init(names: ["more", "next"], usage: "more", help: "the next rows") { $0.turn(1, rest: $1) },
    .init(names: ["before"], usage: "before", help: "the rows before") { $0.turn(-1, rest: $1) },
    .init(names: ["open", "o"], usage: "open N, or N", help: "choose row N") { $0.open($1) },
    .init(names: ["new", "+"], usage: "new TEXT", help: "add a row") { $0.add($1) },
    .init(names: ["rename"], usage: "rename N TEXT", help: "another title") { $0.rename($1) },
    .init(
      names: ["set"], usage: "set N VALUE, or set NAME VALUE",
      help: "fill in row N, or a field or control of the screen"
    ) { $0.set($1) },
    .init(names: ["check"], usage: "check N", help: "switch row N on or off") { $0.check($1) },
    .init(names: ["unfold"], usage: "unfold N", help: "show what stands under row N") {
      $0.toggle($1, isExpanding: true)
    },
    .init(names: ["fold"], usage: "fold N", help: "hide what stands under row N") {
      $0.toggle($1, isExpanding: false)
    },
    .init(names: ["delete", "d"], usage: "delete N", help: "delete row N") { $0.delete($1) },
    .init(names: ["do"], usage: "do N ACTION", help: "another action of row N; do N lists them") {
      $0.act($1)
    },
    .init(names: ["move"], usage: "move N M", help: "move row N to place M") { $0.move($1) },
    .init(names: ["find", "/"], usage: "find TEXT", help: "search; find alone ends it") {
      $0.find($1)
    },
    .init(names: ["go"], usage: "go TITLE", help: "go to a section of the index") { $0.go($1) },
    .init(names: ["tab"], usage: "tab NAME", help: "another tab") { $0.chooseTab($1) },
    .init(names: ["press"], usage: "press NAME, or NAME", help: "press a button or a switch") {
      if !$0.press($1) { $0.say("There is no button “\($1)”.") }
    },
    .init(names: ["back", "b"], usage: "back", help: "the screen before") { session, _ in
      session.goBack()
    },
    .init(names: ["undo", "u"], usage: "undo", help: "take the last change back") { session, _ in
      session.takeBack(isRedo: false)
    },
    .init(names: ["redo"], usage: "redo", help: "bring it again") { session, _ in
      session.takeBack(isRedo: true)
    },
    .init(names: ["help", "?"], usage: "help", help: "this list") { session, _ in
      for command in commands { session.say("\(command.usage): \(command.help)") }
    },
    .init(names: ["quit", "q", "exit"], usage: "quit", help: "save and end") { session, _ in
      session.isQuitting = true
    },
  ]

  func perform(_ line: String) {
    let line = line.trimmingCharacters(in: .whitespaces)
    if line.isEmpty { return printScreen() }
    let word = line.prefix { $0 != " " }
    let rest = line.dropFirst(word.count).trimmingCharacters(in: .whitespaces)
    if Int(word) != nil, rest.isEmpty { return open(line) }
    // A button with the name of a command is pressed by its complete title.
    if rest.isEmpty, isButton(line) { _ = press(line); return }
    if let command = Self.commands.first(where: { $0.names.contains(word.lowercased()) }) {
      return command.perform(self, rest)
    }
    if !press(line) { say("“\(line)” is no command; help lists them.") }
  }

  // MARK: Content

  var parts: ScreenParts? { window.visibleViewController.map { ScreenParts(controller: $0) } }
  var table: ListView? { parts?.tables.first }

  /// The row of the number at the start of a text, and the rest of the text.
  func row(_ text: String) -> (table: ListView, row: ListRow, rest: String)? {
    let word = text.prefix { $0 != " " }
    guard let table, let number = Int(word), let row = PlainRows.row(number - 1, of: table) else {
      say("There is no row “\(word)”.")
      return nil
    }
    return (table, row, text.dropFirst(word.count).trimmingCharacters(in: .whitespaces))
  }

  private func turn(_ pages: Int, rest: String) {
    guard let table else { return }
    let target = firstPlace + pages * Self.pageLength
    guard (0..<table.counts.total).contains(target) else { return say("There are no more rows.") }
    firstPlace = target
    printScreen()
  }

  // MARK: Rows

  private func open(_ text: String) {
    guard let (table, row, _) = row(text) else { return }
    guard table.isSelectable else {
      let editable = row.cell.formControl != nil ? "set fills it in" : "it leads nowhere"
      return say("Row \(text) cannot be chosen: \(editable).")
    }
    table.choose(row.indexPath)
    tell(row, of: table)
  }

  /// Prints the current content of a row, if it is still visible.
  func tell(_ row: ListRow, of table: ListView) {
    guard table.window != nil, let path = table.indexPath(forID: row.id),
      window.visibleAlert == nil, window.visibleViewController === table.viewController
    else { return }
    let place = table.counts.place(of: path)
    say("\(place + 1). \(PlainRows.text(place, of: table))")
  }

  private func add(_ text: String) {
    guard let field = parts?.headerFields.first(where: \.isEnabled) else {
      return say("This list has no field for new rows.")
    }
    guard !text.isEmpty else { return say("new takes a text.") }
    guard field.beginEditing() else { return }
    field.receive(text)
    field.pressReturn()
    field.endEditing()
  }

  private func rename(_ text: String) {
    guard let (table, row, title) = row(text) else { return }
    guard let field = row.cell.titleField, field.isEnabled, !title.isEmpty, field.beginEditing()
    else { return say("That row cannot be renamed so.") }
    field.receive(title)
    field.pressReturn()
    field.endEditing()
    tell(row, of: table)
  }

  private func toggle(_ text: String, isExpanding: Bool) {
    guard let (table, row, _) = row(text) else { return }
    guard let isExpanded = row.cell.rowContent.outline?.isExpanded else {
      return say("Nothing can stand under that row.")
    }
    guard isExpanded != isExpanding else {
      return say("That row is \(isExpanded ? "open" : "closed") already.")
    }
    table.toggleRow(at: row.indexPath)
    printScreen()
  }

  private func delete(_ text: String) {
    guard let (table, row, _) = row(text) else { return }
    let actions = table.trailingActions(at: row.indexPath)
    guard let action = actions.first(where: { $0.style == .destructive }) else {
      return say("That row cannot be deleted.")
    }
    table.perform(action, at: row.indexPath)
  }

  private func act(_ text: String) {
    guard let (table, row, name) = row(text) else { return }
    let actions =
      table.trailingActions(at: row.indexPath) + table.leadingActions(at: row.indexPath)
    let buttons = row.cell.controls.compactMap { $0 as? UIButton }.filter(\.isEnabled)
    if let button = buttons.first(where: { Self.matches($0.currentTitle ?? "", typed: name) }),
      !name.isEmpty
    {
      button.press()
      return tell(row, of: table)
    }
    guard let action = actions.first(where: { Self.matches($0.title ?? "", typed: name) }),
      !name.isEmpty
    else {
      let titles = buttons.compactMap(\.currentTitle) + actions.compactMap(\.title)
      let names = titles.joined(separator: ", ")
      return say(names.isEmpty ? "That row has no actions." : "Actions: \(names)")
    }
    table.perform(action, at: row.indexPath)
  }

  private func move(_ text: String) {
    guard let (table, row, target) = row(text) else { return }
    guard let number = Int(target), (1...table.counts.total).contains(number),
      table.canMoveRow(at: row.indexPath)
    else { return say("That row cannot be moved there.") }
    table.moveByUser(from: row.indexPath, toProposed: table.counts.indexPath(at: number - 1))
    tell(row, of: table)
  }

  // MARK: Screens

  private func find(_ text: String) {
    guard let bar = parts?.searchBar else { return say("There is nothing to search here.") }
    firstPlace = 0
    guard !text.isEmpty else {
      bar.cancel()
      return printScreenAfterWork()
    }
    guard bar.searchTextField.beginEditing() else { return }
    bar.searchTextField.receive(text)
    bar.searchTextField.pressReturn()
    bar.searchTextField.endEditing()
    printScreenAfterWork()
  }

  private func go(_ title: String) {
    guard let table, let titles = table.indexTitles, !titles.isEmpty else {
      return say("This list has no index.")
    }
    guard let index = titles.firstIndex(where: { Self.matches($0, typed: title) }), !title.isEmpty
    else {
      return say("Index: \(titles.joined(separator: " "))")
    }
    guard let place = table.place(ofIndexTitleAt: index) else { return }
    firstPlace = place
    printScreen()
  }

  private func chooseTab(_ name: String) {
    guard let bar = parts?.tabBar, let items = bar.items,
      let item = Int(name).flatMap({ items.indices.contains($0 - 1) ? items[$0 - 1] : nil })
        ?? items.first(where: { Self.matches($0.title ?? "", typed: name) }), !name.isEmpty
    else { return say("There is no tab “\(name)”.") }
    bar.choose(item)
  }

  private func goBack() {
    if let back = parts?.back { return back.press() }
    if window.visibleViewController?.sheet != nil { return window.cancelSheet() }
    say("This is the first screen.")
  }

  private func takeBack(isRedo: Bool) {
    let manager = window.visibleUndoManager
    guard let manager, isRedo ? manager.canRedo : manager.canUndo else {
      // What a message has offered, where the screen has no undo of its own.
      if !isRedo, let undo = takeOfferedUndo() { return undo.perform(sender: nil) }
      return say("There is nothing to \(isRedo ? "redo" : "undo").")
    }
    say(isRedo ? manager.redoMenuItemTitle : manager.undoMenuItemTitle)
    if isRedo { window.redo() } else { window.undo() }
  }
}
