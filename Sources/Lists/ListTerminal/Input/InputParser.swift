import Foundation

/// Parses the bytes of a terminal into keys, pastes, mouse reports and answers to queries.
///
/// Accepts any bytes: unknown sequences are skipped, endless ones are cut. A sequence may arrive in
/// parts. Whether an Escape is a key of its own is known after a pause, at which the reader calls
/// `flush()`.
///
/// | bytes | meaning |
/// |---|---|
/// | `ESC [` parameters final | a key with modifiers |
/// | `ESC [200~` … `ESC [201~` | a paste |
/// | `ESC [<b;x;yM` | a mouse report |
/// | `ESC [I`, `ESC [O` | focus gained, focus lost |
/// | `ESC [?2026;n$y` | the answer about synchronized output |
/// | `ESC O` final | keys in application mode |
/// | `ESC ]11;rgb:r/g/b` end | the colour of the background; it ends with BEL or `ESC \` |
/// | `ESC` character | the character with Alt |
/// | 0x00–0x1F, 0x7F | Control with a letter, Return, Tab, Backspace |
struct InputParser: Sendable {
  private enum State: Equatable {
    case text
    case escape
    case control([UInt8])
    case shift3
    /// An operating system command or a device control string.
    case string([UInt8], endsAtEscape: Bool)
    case paste
  }

  private var state = State.text
  /// The bytes of an incomplete UTF-8 character.
  private var partial: [UInt8] = []
  /// The bytes of an unfinished paste; no more than the longest one and its end.
  private var pasted: [UInt8] = []
  private var isAlt = false

  private static let longestSequence = 256
  private static let longestString = 4096
  private static let longestPaste = 1 << 20
  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  /// Whether a sequence or a character is incomplete.
  var isWaiting: Bool {
    if case .paste = state { return false }
    return state != .text || !partial.isEmpty
  }

  mutating func parse(_ bytes: some Sequence<UInt8>) -> [TerminalInput] {
    var inputs: [TerminalInput] = []
    for byte in bytes { take(byte, inputs: &inputs) }
    return inputs
  }

  /// Ends incomplete sequences after a pause: an Escape alone is a key.
  mutating func flush() -> [TerminalInput] {
    defer { (state, partial, isAlt) = (.text, [], false) }
    switch state {
    case .escape: return [.key(.plain(.escape))]
    case .control(let bytes) where bytes.isEmpty: return [.key(.alt(.character("[")))]
    case .shift3: return [.key(.alt(.character("O")))]
    default: return []
    }
  }

  private mutating func take(_ byte: UInt8, inputs: inout [TerminalInput]) {
    switch state {
    case .text: text(byte, inputs: &inputs)
    case .escape: escape(byte, inputs: &inputs)
    case .control(var bytes):
      if byte == 0x1B { return state = .escape }
      bytes.append(byte)
      if (0x40...0x7E).contains(byte), bytes != [0x5B] {
        state = .text
        control(bytes, inputs: &inputs)
      } else {
        state = bytes.count > Self.longestSequence ? .text : .control(bytes)
      }
    case .shift3:
      state = .text
      if let key = KeySequences.shift3[byte] { inputs.append(.key(.plain(key))) }
    case .string(let bytes, let endsAtEscape):
      string(bytes, endsAtEscape: endsAtEscape, byte: byte, inputs: &inputs)
    case .paste: paste(byte, inputs: &inputs)
    }
  }

  private mutating func escape(_ byte: UInt8, inputs: inout [TerminalInput]) {
    switch byte {
    case 0x5B: state = .control([])
    case 0x4F: state = .shift3
    case 0x5D, 0x50, 0x5F, 0x5E, 0x58: state = .string([byte], endsAtEscape: false)
    case 0x1B: inputs.append(.key(.plain(.escape)))
    case 0x5C: state = .text
    default:
      state = .text
      isAlt = true
      text(byte, inputs: &inputs)
      if partial.isEmpty { isAlt = false }
    }
  }

  // MARK: Characters

  private mutating func text(_ byte: UInt8, inputs: inout [TerminalInput]) {
    if byte < 0x80 {
      partial = []
      if byte == 0x1B { return state = .escape }
      return append(Self.key(byte), inputs: &inputs)
    }
    if byte >= 0xC0 { partial = [] }
    partial.append(byte)
    guard let text = String(validating: partial, as: UTF8.self), let character = text.first else {
      if partial.count >= 4 { partial = [] }
      return
    }
    partial = []
    // C1 control characters are not keys.
    guard character.unicodeScalars.first?.properties.generalCategory != .control else { return }
    append(.character(character), inputs: &inputs)
    isAlt = false
  }

  private func append(_ key: KeyPress, inputs: inout [TerminalInput]) {
    var key = key
    if isAlt { key.modifiers.insert(.alt) }
    inputs.append(.key(key))
  }

  private static func key(_ byte: UInt8) -> KeyPress {
    switch byte {
    case 0x09: .plain(.tab)
    case 0x0A, 0x0D: .plain(.enter)
    case 0x08, 0x7F: .plain(.backspace)
    case 0x00: .control(" ")
    case 0x01...0x1A: .control(Character(Unicode.Scalar(byte + 0x60)))
    case 0x1B...0x1F: .control(Character(Unicode.Scalar(byte + 0x40)))
    default: .character(Character(Unicode.Scalar(byte)))
    }
  }

  // MARK: Sequences

  private mutating func control(_ bytes: [UInt8], inputs: inout [TerminalInput]) {
    if bytes == Array("200~".utf8) { return (state, pasted) = (.paste, []) }
    if let input = KeySequences.input(String(decoding: bytes, as: UTF8.self)) {
      inputs.append(input)
    }
  }

  private mutating func string(
    _ bytes: [UInt8], endsAtEscape: Bool, byte: UInt8, inputs: inout [TerminalInput]
  ) {
    if endsAtEscape || byte == 0x07 {
      state = .text
      if endsAtEscape, byte != 0x5C {
        // The string was interrupted; this byte is not part of it.
        state = .escape
        return escape(byte, inputs: &inputs)
      }
      if let input = KeySequences.answer(String(decoding: bytes, as: UTF8.self)) {
        inputs.append(input)
      }
    } else if byte == 0x1B {
      state = .string(bytes, endsAtEscape: true)
    } else {
      state =
        bytes.count > Self.longestString ? .text : .string(bytes + [byte], endsAtEscape: false)
    }
  }

  /// Parses a paste. Whenever it exceeds `longestPaste` bytes, all but its last bytes are dropped.
  /// Keeps the beginning of a paste that is too long.
  private mutating func paste(_ byte: UInt8, inputs: inout [TerminalInput]) {
    let end = Self.pasteEnd
    pasted.append(byte)
    guard byte == end.last, pasted.suffix(end.count).elementsEqual(end) else {
      if pasted.count >= Self.longestPaste + end.count { pasted.remove(at: Self.longestPaste) }
      return
    }
    state = .text
    inputs.append(.paste(String(decoding: pasted.dropLast(end.count), as: UTF8.self)))
    pasted = []
  }
}
