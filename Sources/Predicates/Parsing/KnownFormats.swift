import Synchronization

/// The tokens of formats that were used before: most formats are literals of a program, and a program that
/// fetches by one does so again and again.
enum KnownFormats {
  /// How many formats are kept, and how long they may be in bytes; whoever makes a format for each use is not to
  /// fill the memory.
  private static let limit = 200
  private static let lengthLimit = 500

  private static let known = Mutex<[Key: [Token]]>([:])

  /// A format by its bytes.
  private struct Key: Hashable {
    let format: String

    static func == (left: Key, right: Key) -> Bool {
      left.format.hasBytes(of: right.format)
    }

    func hash(into hasher: inout Hasher) {
      var format = format
      format.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }

  static func tokens(of format: String) throws(PredicateFormatError) -> [Token] {
    guard format.utf8.count <= lengthLimit else { return try Lexer.tokens(of: format) }
    let key = Key(format: format)
    if let tokens = known.withLock({ $0[key] }) { return tokens }
    let tokens = try Lexer.tokens(of: format)
    known.withLock { known in
      if known.count >= limit { known = [:] }
      known[key] = tokens
    }
    return tokens
  }
}
