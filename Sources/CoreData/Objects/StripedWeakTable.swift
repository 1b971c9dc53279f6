import Synchronization

/// A hash table from keys to objects that it does not keep alive, for many threads: the keys are spread over
/// stripes with a lock each, a thousand neighbours to a stripe.
///
///     key     … 0 1 2 … 1023 │ 1024 … 2047 │ 2048 …      threads that read different parts of a store
///     stripe       9         │      4      │   13        seldom meet in a stripe
///
/// A stripe counts its members, the objects that have entered and not left, those among them whose place another
/// has taken: what owns the table has to live as long as any of them.
///
/// Copies share the stripes; the one that is kept frees them.
struct StripedWeakTable<Element: AnyObject> {
  struct Stripe: ~Copyable {
    // Guards the rest. Never held while an element is released: its `deinit` takes the lock.
    fileprivate let lock = Mutex<Void>(())
    // Written under the lock. Read outside of it by those for whom an object entered meanwhile is none.
    fileprivate let isEmpty = Atomic(true)
    fileprivate var entries: WeakEntries<Element>
    fileprivate var members = 0

    fileprivate init(salt: UInt64) { entries = WeakEntries(salt: salt) }

    func lookUp(_ key: UInt64) -> Element? { entries.lookUp(key) }

    /// Enters a new member, in place of what was there for its key.
    mutating func enter(_ object: Element, _ key: UInt64) {
      entries.enter(object, key)
      members += 1
      if members == 1 { isEmpty.store(false, ordering: .releasing) }
    }

    fileprivate mutating func leave(_ object: Element, _ key: UInt64) {
      entries.leave(object, key)
      members -= 1
      if members == 0 { isEmpty.store(true, ordering: .releasing) }
    }
  }

  private static var count: Int { 16 }
  /// A cache line: threads in different stripes do not disturb each other.
  private static var stride: Int { 64 }

  private let stripes: UnsafeMutableRawPointer

  init() {
    precondition(MemoryLayout<Stripe>.size <= Self.stride, "A stripe fills one cache line at most")
    stripes = .allocate(byteCount: Self.count * Self.stride, alignment: Self.stride)
    let salt = UInt64.random(in: 0...UInt64.max)
    for index in 0..<Self.count { stripe(index).initialize(to: Stripe(salt: salt)) }
  }

  func deallocate() {
    for index in 0..<Self.count {
      stripe(index).pointee.entries.deallocate()
      stripe(index).deinitialize(count: 1)
    }
    stripes.deallocate()
  }

  /// The object of a key. Takes no lock where the stripe is empty.
  @inline(__always)
  func object(for key: UInt64) -> Element? {
    let stripe = stripe(index(of: key))
    if stripe.pointee.isEmpty.load(ordering: .acquiring) { return nil }
    var found: Element?
    stripe.pointee.lock.withLock { _ in found = stripe.pointee.lookUp(key) }
    return found
  }

  /// Takes out an object that has been entered. True when its stripe has no member any more.
  func remove(_ object: Element, for key: UInt64) -> Bool {
    let stripe = stripe(index(of: key))
    return stripe.pointee.lock.withLock { _ in
      stripe.pointee.leave(object, key)
      return stripe.pointee.members == 0
    }
  }

  /// Makes room for `count` objects in all, as if they were spread evenly.
  func reserve(_ count: Int) {
    let share = count / Self.count
    guard share > 8 else { return }
    for index in 0..<Self.count {
      let stripe = stripe(index)
      stripe.pointee.lock.withLock { _ in stripe.pointee.entries.makeRoom(for: share) }
    }
  }

  /// Gives `body` the stripes of the keys at positions 0 to `count`, with the positions: neighbours in one
  /// stripe under one acquisition of its lock. `body` must not release an element.
  ///
  /// Returns how many stripes have got their first member.
  @inline(__always)
  func inRuns(
    _ count: Int, key: (Int) -> UInt64, _ body: (inout Stripe, Range<Int>) -> Void
  ) -> Int {
    var filled = 0
    var start = 0
    while start < count {
      let index = index(of: key(start))
      var end = start + 1
      while end < count, self.index(of: key(end)) == index { end += 1 }
      let stripe = stripe(index)
      stripe.pointee.lock.withLock { _ in
        let wasEmpty = stripe.pointee.members == 0
        body(&stripe.pointee, start..<end)
        if wasEmpty && stripe.pointee.members > 0 { filled += 1 }
      }
      start = end
    }
    return filled
  }

  @inline(__always)
  private func stripe(_ index: Int) -> UnsafeMutablePointer<Stripe> {
    (stripes + index * Self.stride).assumingMemoryBound(to: Stripe.self)
  }

  @inline(__always)
  private func index(of key: UInt64) -> Int {
    Int(truncatingIfNeeded: ((key >> 10) &* 0x9E37_79B9_7F4A_7C15) >> 60)
  }
}
