/// A key with its modifiers.
struct KeyPress: Hashable, Sendable {
  enum Key: Hashable, Sendable {
    case character(Character)
    case enter, tab, escape, backspace, delete, insert
    case up, down, left, right, home, end, pageUp, pageDown
    case function(Int)
  }

  struct Modifiers: OptionSet, Hashable, Sendable {
    let rawValue: Int
    static let shift = Modifiers(rawValue: 1)
    static let alt = Modifiers(rawValue: 2)
    static let control = Modifiers(rawValue: 4)
  }

  var key: Key
  var modifiers: Modifiers = []

  static func character(_ character: Character) -> Self { Self(key: .character(character)) }
  static func control(_ character: Character) -> Self {
    Self(key: .character(character), modifiers: .control)
  }
  static func plain(_ key: Key) -> Self { Self(key: key) }
  static func alt(_ key: Key) -> Self { Self(key: key, modifiers: .alt) }
  static func shift(_ key: Key) -> Self { Self(key: key, modifiers: .shift) }

  /// The character that the key types; nil for other keys.
  var typed: Character? {
    guard case .character(let character) = key, modifiers.isEmpty else { return nil }
    return character
  }

  /// The key's name on the screen: `^Z`, `⏎`, `F2`.
  func name(_ symbols: Symbols) -> String {
    var name = modifiers.contains(.alt) ? "M-" : ""
    if modifiers.contains(.control) { name += "^" }
    if modifiers.contains(.shift) { name += symbols.isUnicode ? "⇧" : "S-" }
    guard case .character(let character) = key else { return name + keyName(symbols.isUnicode) }
    if character == " " { return name + "Space" }
    return name + (modifiers.contains(.control) ? character.uppercased() : String(character))
  }

  private func keyName(_ isUnicode: Bool) -> String {
    switch key {
    case .character(let character): String(character)
    case .enter: isUnicode ? "⏎" : "Enter"
    case .tab: "Tab"
    case .escape: "Esc"
    case .backspace: isUnicode ? "⌫" : "Bksp"
    case .delete: "Del"
    case .insert: "Ins"
    case .up: isUnicode ? "↑" : "Up"
    case .down: isUnicode ? "↓" : "Down"
    case .left: isUnicode ? "←" : "Left"
    case .right: isUnicode ? "→" : "Right"
    case .home: "Home"
    case .end: "End"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .function(let number): "F\(number)"
    }
  }
}
