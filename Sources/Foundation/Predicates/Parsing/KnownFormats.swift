import Synchronization

/// Cache of the tokens of formats: most formats are literals of a program, which uses them again
/// and again.
enum KnownFormats {
  /// The maximum number of formats, and their maximum length in bytes. Bounds the memory of a
  /// program that makes a new format for each use.
  private static let limit = 200
  private static let lengthLimit = 500

  private static let known = Mutex<[Key: [Token]]>([:])

  /// A format, compared by its bytes.
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
