/// A pattern of LIKE: `*` matches any run of characters, `?` exactly one, `\` makes the next one
/// literal.
struct LikePattern {
  private enum Piece: Equatable {
    case byte(UInt8)
    case one
    case run
  }

  private let pieces: [Piece]

  init(_ pattern: String) {
    var pieces: [Piece] = []
    var bytes = pattern.utf8.makeIterator()
    while let byte = bytes.next() {
      switch byte {
      case UInt8(ascii: "*"): if pieces.last != .run { pieces.append(.run) }
      case UInt8(ascii: "?"): pieces.append(.one)
      case UInt8(ascii: "\\"): pieces.append(.byte(bytes.next() ?? byte))
      default: pieces.append(.byte(byte))
      }
    }
    self.pieces = pieces
  }

  /// Returns whether the pattern matches the whole text. One pass, with a return to the last `*` on
  /// a mismatch: linear for one `*`, at worst the product of both lengths.
  func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var (position, piece) = (0, 0)
    var retry: (position: Int, piece: Int)?
    while position < text.count {
      if piece < pieces.count, pieces[piece] == .run {
        piece += 1
        retry = (position, piece)
      } else if piece < pieces.count,
        let next = advance(text, position: position, piece: pieces[piece])
      {
        (position, piece) = (next, piece + 1)
      } else if let last = retry {
        (position, piece) = (last.position + 1, last.piece)
        retry = (position, piece)
      } else {
        return false
      }
    }
    return pieces[piece...].allSatisfy { $0 == .run }
  }

  /// The position after a piece; nil if the piece does not match. `?` matches a whole UTF-8
  /// character.
  private func advance(
    _ text: UnsafeBufferPointer<UInt8>, position: Int, piece: Piece
  ) -> Int? {
    switch piece {
    case .byte(let byte): return text[position] == byte ? position + 1 : nil
    case .run: return nil
    case .one:
      guard !text[position].isContinuation else { return nil }
      var next = position + 1
      while next < text.count, text[next].isContinuation { next += 1 }
      return next
    }
  }
}

extension UInt8 {
  /// Whether the byte continues a UTF-8 character.
  fileprivate var isContinuation: Bool { self & 0xC0 == 0x80 }
}
