/// Keys that have no character, by WebDriver's code points.
public enum Key: String, Sendable {
  case enter = "\u{E007}"
  case escape = "\u{E00C}"
  case tab = "\u{E004}"
  case delete = "\u{E017}"
  case backspace = "\u{E003}"
  case up = "\u{E013}"
  case down = "\u{E015}"
  case left = "\u{E012}"
  case right = "\u{E014}"
  case home = "\u{E011}"
  case end = "\u{E010}"
  case pageUp = "\u{E00E}"
  case pageDown = "\u{E00F}"
  case f2 = "\u{E032}"
  case f6 = "\u{E036}"
  case shift = "\u{E008}"
  case control = "\u{E009}"
  case alternate = "\u{E00A}"
}

extension Browser {
  /// Presses a key with modifiers, wherever the keyboard is.
  public func press(_ key: Key, _ modifiers: Key...) async throws {
    try await press(key.rawValue, with: modifiers)
  }

  public func press(_ character: Character, _ modifiers: Key...) async throws {
    try await press(String(character), with: modifiers)
  }

  /// Types characters wherever the keyboard is.
  public func type(_ text: String) async throws {
    for character in text { try await press(character) }
  }

  private func press(_ key: String, with modifiers: [Key]) async throws {
    let keys = modifiers.map(\.rawValue) + [key]
    let actions =
      keys.map { Self.action("keyDown", $0) } + keys.reversed().map { Self.action("keyUp", $0) }
    try await perform(["type": "key", "id": "keyboard", "actions": .array(actions)])
  }

  private static func action(_ type: String, _ key: String) -> JSONValue {
    ["type": .string(type), "value": .string(key)]
  }
}
