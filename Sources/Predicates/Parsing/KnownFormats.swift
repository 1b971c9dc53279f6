import Synchronization

/// The tokens of formats that were used before: most formats are literals of a program, and a program that
/// fetches by one does so again and again.
enum KnownFormats {
  /// How many formats are kept, and how long they may be in bytes; whoever makes a format for each use is not to
  /// fill the memory.
  private static let limit = 200
  private static let lengthLimit = 500

  private static let known = Mutex<[String: [Token]]>([:])

  static func tokens(of format: String) throws(PredicateFormatError) -> [Token] {
    if let tokens = known.withLock({ $0[format] }) { return tokens }
    let tokens = try Lexer.tokens(of: format)
    guard format.utf8.count <= lengthLimit else { return tokens }
    known.withLock { known in
      if known.count >= limit { known = [:] }
      known[format] = tokens
    }
    return tokens
  }
}
