import Foundation
import ListKit

// The commands that are available now.
extension TerminalSession {
  /// All commands; a key that several have belongs to the first of them.
  var commands: [Command] {
    var taken: Set<KeyPress> = []
    return allCommands.map { command in
      Command(
        keys: command.keys.filter { taken.insert($0).inserted }, title: command.title,
        group: command.group, rank: command.rank, perform: command.perform)
    }
  }

  /// All commands, in the order in which keys are looked up.
  private var allCommands: [Command] {
    if let alert = window.visibleAlert { return alertCommands(alert) + generalCommands(false) }
    guard let controller = topController else { return generalCommands(true) }
    let parts = ScreenParts(controller: controller)
    if top?.editing != nil { return fieldCommands(parts) + generalCommands(false) }
    var letters = LetterPool()
    var commands = toastCommands
    let bar = barCommands(parts, letters: &letters)
    if let table = focusedTable {
      commands +=
        rowCommands(table, letters: &letters) + moveCommands(table)
        + listCommands(parts, table: table)
    } else {
      commands += stopCommands
    }
    commands +=
      bar + tabCommands(parts) + segmentCommands(parts) + screenCommands(controller, parts: parts)
    return commands + generalCommands(true)
  }

  private var toastCommands: [Command] {
    guard let action = toast?.toast.action, let letter = action.title.lowercased().first else {
      return []
    }
    return [
      Command(keys: [.character(letter)], title: action.title, group: .general, rank: 9) {
        [weak self] in
        self?.toast = nil
        action.perform(sender: self?.window)
      }
    ]
  }

  // MARK: Screens

  /// The letter keys of the buttons in bars, also for underlining them.
  func barLetters(_ parts: ScreenParts) -> [StopID: Character] {
    var letters = LetterPool()
    var found: [StopID: Character] = [.undo: "u", .redo: "U"]
    for button in parts.buttons where found[button.id] == nil && button.id != .back {
      found[button.id] = letters.letter(for: button.title)
    }
    for field in parts.headerFields {
      found[StopID(field)] = letters.letter(for: field.placeholder ?? "")
    }
    for (view, title) in pressedViews(parts) {
      found[StopID(view)] = letters.letter(for: title)
    }
    return found
  }

  /// Buttons and switches in the screen's content.
  private func pressedViews(_ parts: ScreenParts) -> [(view: UIControl, title: String)] {
    parts.views.compactMap { view in
      switch view {
      case let button as UIButton where button.isEnabled:
        (button, button.currentTitle ?? button.accessibilityLabel ?? "")
      case let toggle as UISwitch where toggle.isEnabled: (toggle, toggle.spokenName)
      default: nil
      }
    }
  }

  private func barCommands(_ parts: ScreenParts, letters: inout LetterPool) -> [Command] {
    let found = barLetters(parts)
    letters = LetterPool(taken: LetterPool.reserved.union(found.values))
    let buttons = parts.buttons.compactMap { button -> Command? in
      guard button.isEnabled, button.id != .back, let letter = found[button.id] else { return nil }
      let save: [KeyPress] = button.isDone ? [.control("s")] : []
      return Command(
        keys: [.character(letter)] + save, title: button.title, group: .screen, rank: 6,
        perform: button.press)
    }
    let fields = parts.headerFields.compactMap { field -> Command? in
      guard field.isEnabled, let letter = found[StopID(field)] else { return nil }
      return Command(
        keys: [.character(letter), .plain(.insert)], title: field.placeholder ?? "Type",
        group: .screen, rank: 7
      ) { [weak self] in self?.focus(StopID(field)) }
    }
    let views = pressedViews(parts).compactMap { view, title -> Command? in
      guard let letter = found[StopID(view)] else { return nil }
      return Command(keys: [.character(letter)], title: title, group: .screen, rank: 4) {
        (view as? UIButton)?.press()
        (view as? UISwitch)?.toggleByUser()
      }
    }
    return fields + buttons + views
  }

  private func screenCommands(_ controller: UIViewController, parts: ScreenParts) -> [Command] {
    var commands = [
      Command(keys: [.plain(.tab)], title: "Next part of the screen", group: .screen) {
        [weak self] in self?.focusNext(1)
      },
      Command(keys: [.shift(.tab)], title: "Part before", group: .screen) {
        [weak self] in self?.focusNext(-1)
      },
    ]
    if let search = parts.searchBar {
      commands.append(
        Command(keys: [.character("/")], title: "Search", group: .screen, rank: 7) {
          [weak self] in self?.focus(StopID(search.searchTextField))
        })
    }
    if let leave = leaveCommand(controller, parts: parts) { commands.append(leave) }
    return commands + columnCommands
  }

  /// The command of Escape: ends a search, closes a sheet, or goes back.
  private func leaveCommand(_ controller: UIViewController, parts: ScreenParts) -> Command? {
    let search = parts.searchBar
    if controller.navigationItem.searchController?.isActive == true, let search {
      return Command(keys: [.plain(.escape)], title: "End the search", group: .screen, rank: 8) {
        search.cancel()
      }
    }
    if let back = parts.back {
      return Command(
        keys: [.plain(.left), .character("h"), .plain(.escape), .plain(.backspace)],
        title: "Back to \(back.title)", group: .screen, rank: 8, perform: back.press)
    }
    if let before = column(-1) {
      return Command(
        keys: [.plain(.left), .character("h"), .plain(.escape), .plain(.backspace)],
        title: "To \(ScreenParts(controller: before).title)", group: .screen, rank: 8
      ) { [weak self] in self?.go(to: before) }
    }
    guard controller.sheet != nil else { return nil }
    return Command(keys: [.plain(.escape)], title: "Close", group: .screen, rank: 8) {
      [weak self] in self?.window.cancelSheet()
    }
  }

  private func tabCommands(_ parts: ScreenParts) -> [Command] {
    guard let bar = parts.tabBar, let items = bar.items, items.count > 1 else { return [] }
    let index = items.firstIndex { $0 === bar.selectedItem } ?? 0
    func step(_ title: String, _ keys: [KeyPress], _ step: Int) -> Command {
      Command(keys: keys, title: title, group: .screen) {
        bar.choose(items[(index + step + items.count) % items.count])
      }
    }
    let numbers = items.prefix(9).enumerated().map { number, item in
      Command(
        keys: [.character(Character("\(number + 1)"))], title: item.title ?? "", group: .screen,
        rank: item === bar.selectedItem ? 0 : 5
      ) { bar.choose(item) }
    }
    return numbers + [
      step("Next tab", [.character("]"), .init(key: .pageDown, modifiers: .control)], 1),
      step("Tab before", [.character("["), .init(key: .pageUp, modifiers: .control)], -1),
    ]
  }

  /// The commands of a focused element that is not a list.
  private var stopCommands: [Command] {
    guard let stop = focused else { return [] }
    var commands: [Command] = []
    func press(_ title: String, _ perform: @escaping @MainActor () -> Void) {
      commands.append(
        Command(
          keys: [.plain(.enter), .character(" ")], title: title, group: .screen, rank: 9,
          perform: perform))
    }
    switch stop.kind {
    case .bar(let button): press(button.title, button.press)
    case .button(let button): press(button.currentTitle ?? "Press") { button.press() }
    case .control(let control): commands += controlCommands(control)
    case .tab(let bar, let item): press(item.title ?? "Choose") { bar.choose(item) }
    case .field(let field):
      press(field.placeholder ?? "Type") { [weak self] in self?.focus(StopID(field)) }
    case .answer, .picker, .list: break
    }
    return commands + [
      Command(
        keys: [.plain(.right), .plain(.down)], title: "Next part of the screen", group: .screen
      ) { [weak self] in self?.focusNext(1) },
      Command(keys: [.plain(.left), .plain(.up)], title: "Part before", group: .screen) {
        [weak self] in self?.focusNext(-1)
      },
      Command(keys: [.plain(.escape)], title: "To the list", group: .screen, rank: 8) {
        [weak self] in self?.focusList()
      },
    ]
  }

  // MARK: Everywhere

  /// The commands that are available everywhere.
  ///
  /// - Parameter areLettersFree: whether letters can be keys, because no field is being edited.
  private func generalCommands(_ areLettersFree: Bool) -> [Command] {
    let quit = Command(
      keys: areLettersFree ? [.character("q"), .control("c")] : [.control("c")], title: "Quit",
      group: .general, rank: 2
    ) { [weak self] in self?.quit() }
    let redraw = Command(keys: [.control("l")], title: "Draw the screen anew", group: .general) {
      [weak self] in self?.forgetScreen()
    }
    guard areLettersFree else { return [quit, redraw] }
    let undo = Command(keys: [.character("u"), .control("z")], title: "Undo", group: .general) {
      [weak self] in self?.window.undo()
    }
    let redo = Command(
      keys: [.character("U"), .control("y")] + Self.redoKeys, title: "Redo", group: .general
    ) { [weak self] in self?.window.redo() }
    let help = Command(
      keys: [.character("?"), .plain(.function(1))], title: "Help",
      group: .general, rank: 3
    ) { [weak self] in self?.popup = .help(scroll: 0) }
    let mouse = Command(
      keys: [.character("M")],
      title: isMouseOn ? "Leave the mouse to the terminal" : "Use the mouse",
      group: .general
    ) { [weak self] in self?.toggleMouse() }
    let suspend = Command(keys: [.character("Z")], title: "Suspend", group: .general) {
      [weak self] in self?.onRequest(.suspend)
    }
    return [undo, redo, help, mouse, suspend, redraw, quit]
  }

  private func toggleMouse() {
    isMouseOn.toggle()
    onRequest(.mouse(isMouseOn))
    tell(isMouseOn ? "The mouse is used here" : "The mouse selects text, as the terminal likes it")
  }
}
