import Foundation

/// The control sequences of xterm and compatible terminals, including kitty's keys.
enum KeySequences {
  static let shift3: [UInt8: KeyPress.Key] = [
    0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left, 0x48: .home, 0x46: .end, 0x4D: .enter,
    0x50: .function(1), 0x51: .function(2), 0x52: .function(3), 0x53: .function(4),
  ]

  private static let letters: [Character: KeyPress.Key] = [
    "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "P": .function(1),
    "Q": .function(2), "R": .function(3), "S": .function(4),
  ]

  private static let numbers: [Int: KeyPress.Key] = [
    1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5),
    17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10),
    23: .function(11), 24: .function(12),
  ]

  /// The input of a sequence after `ESC [`, final character included.
  static func input(_ sequence: String) -> TerminalInput? {
    guard let final = sequence.last else { return nil }
    let body = String(sequence.dropLast())
    // The Linux console sends `[A` to `[E` for F1 to F5.
    if body == "[" {
      let number = final.asciiValue.map { Int($0) - 0x40 } ?? 0
      return (1...5).contains(number) ? .key(.plain(.function(number))) : nil
    }
    if body.hasPrefix("<") { return mouse(body.dropFirst(), final: final) }
    if final == "I" || final == "O", body.isEmpty { return .focus(final == "I") }
    if final == "y" { return mode(body) }
    let numbers = body.split(separator: ";", omittingEmptySubsequences: false).map {
      Int($0.prefix { $0 != ":" }) ?? 0
    }
    return key(numbers, final: final).map { .key($0) }
  }

  private static func key(_ numbers: [Int], final: Character) -> KeyPress? {
    let modifiers = modifiers(numbers.count > 1 ? numbers[1] : 1)
    switch final {
    case "Z": return .shift(.tab)
    case "u": return character(numbers.first ?? 0, modifiers: modifiers)
    case "~" where numbers.first == 27 && numbers.count == 3:
      return character(numbers[2], modifiers: modifiers)
    case "~": return Self.numbers[numbers.first ?? 0].map { .init(key: $0, modifiers: modifiers) }
    default: return letters[final].map { .init(key: $0, modifiers: modifiers) }
    }
  }

  /// The modifiers of a parameter: the bits plus one.
  private static func modifiers(_ number: Int) -> KeyPress.Modifiers {
    KeyPress.Modifiers(rawValue: max(0, number - 1) & 7)
  }

  private static func character(_ code: Int, modifiers: KeyPress.Modifiers) -> KeyPress? {
    switch code {
    case 9: return .init(key: .tab, modifiers: modifiers)
    case 10, 13: return .init(key: .enter, modifiers: modifiers)
    case 27: return .init(key: .escape, modifiers: modifiers)
    case 8, 127: return .init(key: .backspace, modifiers: modifiers)
    // Kitty's private numbers for keys without a character.
    case 57344...63743, ..<32: return nil
    default:
      guard let scalar = Unicode.Scalar(UInt32(clamping: code)),
        scalar.properties.generalCategory != .control
      else { return nil }
      var modifiers = modifiers
      var character = Character(scalar)
      if modifiers == .shift {
        modifiers = []
        character = character.uppercased().first ?? character
      }
      return .init(key: .character(character), modifiers: modifiers)
    }
  }

  /// A mouse report: `button;x;y` from 1, with `M` for a press and `m` for a release.
  private static func mouse(_ body: Substring, final: Character) -> TerminalInput? {
    let numbers = body.split(separator: ";").compactMap { Int($0) }
    guard numbers.count == 3, final == "M" || final == "m" else { return nil }
    let button = numbers[0]
    let action: MouseReport.Action
    switch (button & 0b1100_0011, button & 32 != 0, final) {
    case (64, _, "M"): action = .wheelUp
    case (65, _, "M"): action = .wheelDown
    case (0, true, "M"): action = .drag
    case (0, false, "M"): action = .press
    case (0, _, "m"): action = .release
    case (2, false, "M"): action = .menu
    default: return nil
    }
    return .mouse(
      MouseReport(
        action: action, x: max(0, min(numbers[1], 10_000) - 1),
        y: max(0, min(numbers[2], 10_000) - 1)))
  }

  /// The answer about a mode: 1 and 2 mean that it is known, set or reset.
  private static func mode(_ body: String) -> TerminalInput? {
    ["?2026;1$", "?2026;2$"].contains(body) ? .drawsSynchronized : nil
  }

  /// The input of an answer between `ESC` and its end, from the bracket on.
  static func answer(_ text: String) -> TerminalInput? {
    guard text.hasPrefix("]11;"), let start = text.range(of: "rgb:") else { return nil }
    let parts = text[start.upperBound...].split(separator: "/").map { $0.prefix(4) }
    let values = parts.compactMap { part in
      Int(part, radix: 16).map { Double($0) / Double((1 << (4 * part.count)) - 1) }
    }
    guard values.count == 3 else { return nil }
    let brightness = 0.299 * values[0] + 0.587 * values[1] + 0.114 * values[2]
    return .background(isLight: brightness > 0.5)
  }
}
