import Synchronization

/// The salts of weak tables, which must not be predictable outside the process: one random number,
/// and a distinct successor for each table. The system is asked for randomness only once.
enum TableSalt {
  private static let secret = UInt64.random(in: 0...UInt64.max)
  private static let count = Atomic<UInt64>(0)

  static func next() -> UInt64 {
    let number = count.wrappingAdd(1, ordering: .relaxed).newValue
    return secret &+ number &* 0x9E37_79B9_7F4A_7C15
  }
}
