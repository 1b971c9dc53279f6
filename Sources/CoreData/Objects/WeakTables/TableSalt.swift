import Synchronization

/// Where keys lie in a weak table, which nobody outside of the process may guess: one random number for all tables,
/// and another successor of it for each. The system is asked once, and not whenever a store is opened.
enum TableSalt {
  private static let secret = UInt64.random(in: 0...UInt64.max)
  private static let count = Atomic<UInt64>(0)

  static func next() -> UInt64 {
    let number = count.wrappingAdd(1, ordering: .relaxed).newValue
    return secret &+ number &* 0x9E37_79B9_7F4A_7C15
  }
}
