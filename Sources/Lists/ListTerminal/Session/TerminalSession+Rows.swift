import Foundation
import ListKit
import ListSnapshots

// Commands in a list.
extension TerminalSession {
  func rowCommands(_ table: ListView, letters: inout LetterPool) -> [Command] {
    guard let row = viewport(table).currentRow else { return emptyCommands(table) }
    // First: Space belongs to a switch in the row rather than to choosing the row.
    var commands = outlineCommands(row, table: table) + controlCommands(row, letters: &letters)
    let isSpaceTaken = commands.contains { $0.keys.contains(.character(" ")) }
    let space: [KeyPress] = isSpaceTaken ? [] : [.character(" ")]
    let isInGrid = viewport(table).columns > 1
    if table.isSelectable || row.cell.formControl != nil || row.cell.titleField != nil {
      commands.append(
        Command(
          keys: [.plain(.enter)] + space
            + (opens(row) && !isInGrid ? [.plain(.right), .character("l")] : []),
          title: openTitle(row, table: table), group: .row, rank: 9
        ) { [weak self] in self?.open(row.id, in: table) })
    }
    if table.isForm, !table.isSelectable, row.cell.formControl == nil {
      commands.append(
        // Of no use as a hint where everything is only read.
        Command(
          keys: [.plain(.enter)], title: "Next", group: .row,
          rank: table.rows.contains { $0.cell.formControl != nil } ? 3 : 0
        ) { [weak self] in self?.leaveRow() })
    }
    if row.cell.titleField?.isEnabled == true {
      commands.append(
        Command(
          keys: [.plain(.function(2)), .character("r")], title: "Rename", group: .row, rank: 4
        ) { [weak self] in self?.rename(row.id, in: table) })
    }
    let actions = actions(row, table: table)
    for action in actions {
      let isDelete = action === destructive(actions)
      let letter = isDelete ? "d" : letters.letter(for: action.title ?? "")
      let keys = letter.map { [KeyPress.character($0)] } ?? []
      commands.append(
        Command(
          keys: keys + (isDelete ? [.plain(.delete)] : []), title: action.title ?? "",
          group: .row, rank: isDelete ? 6 : 3
        ) { [weak self] in self?.perform(action, on: row.id, in: table) })
    }
    if !actions.isEmpty || !row.cell.controls.isEmpty {
      commands.append(
        Command(keys: [.character(".")], title: "All actions…", group: .row) {
          [weak self] in self?.showMenu(row.id, in: table)
        })
    }
    if table.canMoveRow(at: row.indexPath) { commands += stepCommands(row, table: table) }
    return commands
  }

  /// The command of a list without rows: the first act that it offers.
  private func emptyCommands(_ table: ListView) -> [Command] {
    guard table.counts.total == 0, let controller = topController,
      let button = ScreenParts(controller: controller).emptyButtons.first
    else { return [] }
    return [
      Command(keys: [.plain(.enter)], title: button.currentTitle ?? "", group: .list, rank: 9) {
        button.press()
      }
    ]
  }

  /// The commands of an outline: Right expands a row and then enters it, Left collapses it and then
  /// goes to its parent.
  private func outlineCommands(_ row: ListRow, table: ListView) -> [Command] {
    guard let outline = row.cell.rowContent.outline else { return [] }
    let viewport = viewport(table)
    func command(
      _ keys: [KeyPress], _ title: String, rank: Int = 0,
      _ perform: @escaping @MainActor () -> Void
    ) -> Command { Command(keys: keys, title: title, group: .row, rank: rank, perform: perform) }
    let right: [KeyPress] = [.plain(.right), .character("l")]
    let left: [KeyPress] = [.plain(.left), .character("h")]
    if let isExpanded = outline.isExpanded {
      let toggle = command(
        isExpanded ? left : right, isExpanded ? "Fold up" : "Unfold", rank: 8
      ) { [weak self] in self?.toggleRow(row.id, in: table) }
      let next = table.rows.first { $0.indexPath == row.indexPath.next }
      let isEmpty = next.map { $0.cell.rowContent.indentation <= row.cell.rowContent.indentation }
      if isExpanded, isEmpty == false {
        return [toggle, command(right, "Into it") { viewport.moveCursor(to: viewport.place + 1) }]
      }
      if isExpanded { return [toggle] }
      return [toggle] + leaveCommands(row, table: table, keys: left)
    }
    return leaveCommands(row, table: table, keys: left)
  }

  private func leaveCommands(
    _ row: ListRow, table: ListView, keys: [KeyPress]
  ) -> [Command] {
    guard let parent = table.parentOfRow(at: row.indexPath) else { return [] }
    let viewport = viewport(table)
    return [
      Command(keys: keys, title: "To what it stands under", group: .row) {
        viewport.moveCursor(to: table.counts.place(of: parent))
      }
    ]
  }

  /// Expands or collapses a row, like a click on its disclosure sign.
  func toggleRow(_ id: String, in table: ListView) {
    guard let path = table.indexPath(forID: id) else { return tell("That row was deleted") }
    focus(StopID(table))
    viewport(table).moveCursor(to: table.counts.place(of: path))
    table.toggleRow(at: path)
  }

  private func opens(_ row: ListRow) -> Bool { row.cell.accessory != .none }

  private func openTitle(_ row: ListRow, table: ListView) -> String {
    if row.cell.rowContent.outline?.isChosenToToggle == true {
      return row.cell.rowContent.outline?.isExpanded == true ? "Fold up" : "Unfold"
    }
    if row.cell.formControl != nil { return "Edit" }
    if table.allowsMultipleSelection { return row.cell.isSelected ? "Unselect" : "Select" }
    if !table.isSelectable { return "Rename" }
    if row.cell.choosingAdds == 1 { return "Add one" }
    if opens(row) { return "Open" }
    return row.cell.accessibilityHint.map(deed) ?? "Choose"
  }

  /// What choosing a row does, as its hint says it: “Edit” for “edits”.
  private func deed(_ hint: String) -> String {
    let verb = hint.prefix { $0 != " " }
    let plain = verb.hasSuffix("s") ? verb.dropLast() : verb
    return plain.prefix(1).uppercased() + plain.dropFirst() + hint.dropFirst(verb.count)
  }

  private func stepCommands(_ row: ListRow, table: ListView) -> [Command] {
    func command(_ keys: [KeyPress], _ title: String, _ step: Int) -> Command {
      Command(keys: keys, title: title, group: .row) { [weak self] in
        self?.step(row.id, in: table, by: step)
      }
    }
    return [
      command([.shift(.up), .alt(.up), .character("K")], "Move up", -1),
      command([.shift(.down), .alt(.down), .character("J")], "Move down", 1),
    ]
  }

  func moveCommands(_ table: ListView) -> [Command] {
    let viewport = viewport(table)
    let half = max(1, viewport.height / 2)
    func command(
      _ keys: [KeyPress], _ title: String, _ move: @escaping @MainActor () -> Void
    ) -> Command { Command(keys: keys, title: title, group: .list, perform: move) }
    return sideCommands(viewport, command: command) + [
      command([.plain(.down), .character("j"), .control("n")], "Down") {
        [weak self] in self?.moveDown(table)
      },
      command([.plain(.up), .character("k"), .control("p")], "Up") {
        [weak self] in self?.moveUp(table)
      },
      command([.plain(.pageDown), .control("f")], "A page down") { viewport.page(by: 1) },
      command([.plain(.pageUp), .control("b")], "A page up") { viewport.page(by: -1) },
      command([.control("d")], "Half a page down") {
        viewport.moveCursor(to: viewport.place + half)
      },
      command([.control("u")], "Half a page up") { viewport.moveCursor(to: viewport.place - half) },
      command([.plain(.home), .character("g")], "To the start") { viewport.moveCursor(to: 0) },
      command([.plain(.end), .character("G")], "To the end") {
        viewport.moveCursor(to: table.counts.total - 1)
      },
    ]
  }

  /// In a grid, Left and Right move between the rows of a line.
  private func sideCommands(
    _ viewport: TableViewport,
    command: ([KeyPress], String, @escaping @MainActor () -> Void) -> Command
  ) -> [Command] {
    guard viewport.columns > 1 else { return [] }
    return [
      command([.plain(.right), .character("l")], "Right") {
        viewport.moveCursor(to: viewport.place + 1)
      },
      command([.plain(.left), .character("h")], "Left") {
        viewport.moveCursor(to: viewport.place - 1)
      },
    ]
  }

  private func moveDown(_ table: ListView) {
    top?.restingRow = nil
    viewport(table).moveCursor(lines: 1)
  }

  /// Moves up; from the first row to the field that adds rows.
  private func moveUp(_ table: ListView) {
    top?.restingRow = nil
    let viewport = viewport(table)
    if viewport.place < viewport.columns,
      let field = topController.map({ ScreenParts(controller: $0) })?
        .headerFields.first(where: \.isEnabled)
    {
      return focus(StopID(field))
    }
    viewport.moveCursor(lines: -1)
  }

  func listCommands(_ parts: ScreenParts, table: ListView) -> [Command] {
    guard let titles = table.indexTitles, !titles.isEmpty else {
      return []
    }
    return [
      Command(keys: [.character("'")], title: "Go to a section…", group: .list, rank: 3) {
        [weak self] in self?.showIndex(titles, table: table)
      }
    ]
  }

  private func showIndex(_ titles: [String], table: ListView) {
    let items = titles.enumerated().map { index, title in
      Popup.Menu.Item(title: title) { [weak self] in self?.jump(to: index, in: table) }
    }
    popup = .menu(.init(title: "Go to", items: items))
  }

  func jump(to index: Int, in table: ListView) {
    guard let place = table.place(ofIndexTitleAt: index) else { return }
    viewport(table).scroll(to: place, .top)
  }

  // MARK: One row

  /// Opens a row, like Return and a click.
  func open(_ id: String, in table: ListView) {
    guard let path = table.indexPath(forID: id), let cell = table.cell(at: path) else {
      return tell("That row was deleted")
    }
    actedRow = id
    if let control = cell.formControl, control.isEnabled {
      top?.restingRow = nil
      return
    }
    if table.isSelectable { return table.choose(path) }
    rename(id, in: table)
  }

  func rename(_ id: String, in table: ListView) {
    guard let layer = top, let row = table.rows.first(where: { $0.id == id }) else { return }
    beginTitle(row, in: table, layer: layer)
  }

  func actions(_ row: ListRow, table: ListView) -> [UIContextualAction] {
    table.trailingActions(at: row.indexPath) + table.leadingActions(at: row.indexPath)
  }

  private func destructive(_ actions: [UIContextualAction]) -> UIContextualAction? {
    actions.first { $0.style == .destructive }
  }

  /// Runs an action without a question. The controller asks before an irreversible one.
  func perform(_ action: UIContextualAction, on id: String, in table: ListView) {
    guard let path = table.indexPath(forID: id) else { return tell("That row was deleted") }
    actedRow = id
    table.perform(action, at: path)
  }

  func step(_ id: String, in table: ListView, by step: Int) {
    guard let path = table.indexPath(forID: id) else { return }
    table.stepByUser(from: path, by: step)
  }

  func showMenu(_ id: String, in table: ListView) {
    guard let row = table.rows.first(where: { $0.id == id }) else { return }
    var letters = LetterPool()
    let items = rowCommands(table, letters: &letters).filter { $0.keys != [.character(".")] }.map {
      command in
      Popup.Menu.Item(
        title: command.title, isDestructive: command.keys.contains(.character("d")),
        perform: command.perform)
    }
    if !items.isEmpty { popup = .menu(.init(title: row.cell.rowContent.title, items: items)) }
  }
}

extension IndexPath {
  /// The row after this one in its section.
  fileprivate var next: IndexPath { IndexPath(row: row + 1, section: section) }
}
