/// A random number generator of any type.
struct AnyGenerator: RandomNumberGenerator, @unchecked Sendable {
  // Sendable: one session has it.
  private var base: any RandomNumberGenerator

  init(_ base: any RandomNumberGenerator) { self.base = base }

  mutating func next() -> UInt64 { base.next() }
}
