extension LineEditor {
  /// Handles a key like the line editors of shells. Returns false for a key without a meaning.
  mutating func handle(_ key: KeyPress) -> Bool {
    if let character = key.typed {
      insert(String(character))
      return true
    }
    guard let command = Self.commands[key] else { return false }
    command(&self)
    return true
  }

  private typealias Command = @Sendable (inout LineEditor) -> Void

  private static let commands: [KeyPress: Command] = [
    .plain(.left): { $0.moveLeft() },
    .plain(.right): { $0.moveRight() },
    .control("b"): { $0.moveLeft() },
    .control("f"): { $0.moveRight() },
    .plain(.home): { $0.moveToStart() },
    .plain(.end): { $0.moveToEnd() },
    .control("a"): { $0.moveToStart() },
    .control("e"): { $0.moveToEnd() },
    .alt(.character("b")): { $0.moveWordLeft() },
    .alt(.character("f")): { $0.moveWordRight() },
    .alt(.left): { $0.moveWordLeft() },
    .alt(.right): { $0.moveWordRight() },
    .init(key: .left, modifiers: .control): { $0.moveWordLeft() },
    .init(key: .right, modifiers: .control): { $0.moveWordRight() },
    .plain(.backspace): { $0.deleteBackward() },
    .shift(.backspace): { $0.deleteBackward() },
    .plain(.delete): { $0.deleteForward() },
    .control("d"): { $0.deleteForward() },
    .control("k"): { $0.cutToEnd() },
    .control("u"): { $0.cutToStart() },
    .control("w"): { $0.cutWordBackward() },
    .alt(.backspace): { $0.cutWordBackward() },
    .alt(.character("d")): { $0.cutWordForward() },
    .init(key: .delete, modifiers: .control): { $0.cutWordForward() },
    .control("y"): { $0.yank() },
  ]

  /// The part of the text that fits into some columns, and the column of the cursor, which is
  /// always visible.
  func window(columns: Int, secret: String?) -> (glyphs: [Glyph], cursor: Int) {
    func glyphs(_ text: String) -> [Glyph] {
      guard let secret else { return SafeText.glyphs(text) }
      return text.map { _ in Glyph(text: secret, width: 1) }
    }
    let head = glyphs(before)
    let tail = glyphs(after)
    var start = 0
    var used = TextLayout.width(head)
    // The cursor needs a column after the last character.
    while used > max(0, columns - 1), start < head.count {
      used -= head[start].width
      start += 1
    }
    return (Array(head[start...] + tail), used)
  }

  /// The index of the character at a column of the window.
  func index(atColumn column: Int, columns: Int) -> Int {
    let (glyphs, cursor) = window(columns: columns, secret: nil)
    let hidden = before.count - Self.count(glyphs, columns: cursor)
    return hidden + Self.count(glyphs, columns: column)
  }

  private static func count(_ glyphs: [Glyph], columns: Int) -> Int {
    var used = 0
    return glyphs.prefix {
      used += $0.width
      return used <= columns
    }.count
  }
}
