import Foundation
import ListKit

// Handling of keys.
extension TerminalSession {
  func press(_ key: KeyPress) {
    if key == .control("c") { return quit() }
    if key == .control("l") { return forgetScreen() }
    if pressAdrift(key) { return }
    if popup != nil { return pressInPopup(key) }
    if edit(key) {
      isUntold = isTypingOn
      if !isTypingOn { commitTyped() }
      return
    }
    if window.visibleAlert == nil, pressKeyCommand(key) { return }
    commands.first { $0.keys.contains(key) }?.perform()
  }

  /// Ends the program. A sheet with changes asks first whether they are to be saved; another time
  /// ends the program nevertheless.
  func quit() {
    popup = nil
    if top?.editing != nil { commitTyped() }
    if window.asksBeforeCancelling {
      window.cancelSheet()
      if window.visibleAlert != nil { return }
    }
    onRequest(.quit)
  }

  /// Runs the application's key command for a key. Control also stands for `command`.
  private func pressKeyCommand(_ key: KeyPress) -> Bool {
    guard case .character(let character) = key.key,
      let responder = window.visibleViewController
    else { return false }
    let isUpper = character.isUppercase
    var flags: UIKeyModifierFlags = []
    if key.modifiers.contains(.alt) { flags.insert(.alternate) }
    if key.modifiers.contains(.shift) || isUpper { flags.insert(.shift) }
    let input = character.lowercased()
    guard key.modifiers.contains(.control) else {
      return responder.performKeyCommand(input: input, modifierFlags: flags)
    }
    return responder.performKeyCommand(input: input, modifierFlags: flags.union(.command))
      || responder.performKeyCommand(input: input, modifierFlags: flags.union(.control))
  }

  // MARK: Popups

  private func pressInPopup(_ key: KeyPress) {
    switch popup {
    case .help(let scroll): pressInHelp(key, scroll: scroll)
    case .menu(let menu): pressInMenu(key, menu: menu)
    case nil: break
    }
  }

  private func pressInHelp(_ key: KeyPress, scroll: Int) {
    switch key.key {
    case .down, .character("j"): popup = .help(scroll: scroll + 1)
    case .up, .character("k"): popup = .help(scroll: max(0, scroll - 1))
    case .pageDown, .character(" "): popup = .help(scroll: scroll + max(1, size.rows - 6))
    case .pageUp: popup = .help(scroll: max(0, scroll - max(1, size.rows - 6)))
    case .home: popup = .help(scroll: 0)
    default: popup = nil
    }
  }

  private func pressInMenu(_ key: KeyPress, menu: Popup.Menu) {
    var menu = menu
    let last = menu.items.count - 1
    switch key.key {
    case .escape: return popup = nil
    case .enter:
      popup = nil
      return menu.items[menu.selected].perform()
    case .down, .tab: menu.selected = menu.selected == last ? 0 : menu.selected + 1
    case .up: menu.selected = menu.selected == 0 ? last : menu.selected - 1
    case .home, .pageUp: menu.selected = 0
    case .end, .pageDown: menu.selected = last
    case .backspace: menu.typed = String(menu.typed.dropLast())
    case .character(let character) where key.modifiers.isEmpty:
      // Selects the first item that begins with the typed text.
      for typed in [menu.typed + String(character), String(character)] {
        let found = menu.items.firstIndex {
          $0.title.range(of: typed, options: [.anchored, .caseInsensitive, .diacriticInsensitive])
            != nil
        }
        guard let found else { continue }
        (menu.selected, menu.typed) = (found, typed)
        break
      }
    default: break
    }
    popup = .menu(menu)
  }
}
