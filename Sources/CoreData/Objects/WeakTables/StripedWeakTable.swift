import Synchronization

/// A hash table from keys to objects that it does not keep alive, for many threads: the keys are spread over
/// stripes with a lock each, a thousand neighbours to a stripe.
///
///     key     … 0 1 2 … 1023 │ 1024 … 2047 │ 2048 …      threads that read different parts of a store
///     stripe       9         │      4      │   13        seldom meet in a stripe
///
/// A stripe counts its members, the objects that have entered and not left, those among them whose place another
/// has or keeps: what owns the table has to live as long as any of them.
///
/// Copies share the stripes; the one that is kept frees them.
struct StripedWeakTable<Element: AnyObject> {
  struct Stripe {
    fileprivate var entries: WeakEntries<Element>
    fileprivate var members = 0

    fileprivate init(salt: UInt64) { entries = WeakEntries(salt: salt) }

    func lookUp(_ key: UInt64) -> Element? { entries.lookUp(key) }

    /// Enters a new member, in place of what was there for its key.
    mutating func enter(_ object: Element, _ key: UInt64) {
      entries.enter(object, key)
      members += 1
    }

    /// Enters a new member, which is found by its key unless what is there is to stay.
    @inline(__always)
    mutating func enter(
      _ object: Element, _ key: UInt64, unless stays: (Unmanaged<Element>) -> Bool
    ) {
      entries.enter(object, key, unless: stays)
      members += 1
    }

    /// Counts a new member that is not found yet.
    mutating func admit() { members += 1 }

    /// Has a member found by its key unless what is there is to stay.
    mutating func offer(
      _ object: Element, _ key: UInt64, unless stays: (Unmanaged<Element>) -> Bool
    ) {
      entries.enter(object, key, unless: stays)
    }

    fileprivate mutating func leave(_ object: Element, _ key: UInt64) {
      entries.leave(object, key)
      members -= 1
    }
  }

  /// What stands before a stripe: apart from it, since many threads look at it while one changes the stripe.
  private struct Gate: ~Copyable {
    // Guards the stripe. Never held while an element is released: its `deinit` takes the lock.
    let lock = Mutex<Void>(())
    // Written under the lock. Read outside of it by those for whom an object entered meanwhile is none.
    let isEmpty = Atomic(true)
  }

  private static var count: Int { 16 }
  /// A cache line: threads in different stripes do not disturb each other.
  private static var stride: Int { 64 }
  private static var gateSize: Int { 16 }

  private let stripes: UnsafeMutableRawPointer

  init() {
    precondition(
      MemoryLayout<Gate>.size <= Self.gateSize
        && Self.gateSize + MemoryLayout<Stripe>.size <= Self.stride,
      "A stripe and its gate fill one cache line at most")
    stripes = .allocate(byteCount: Self.count * Self.stride, alignment: Self.stride)
    let salt = TableSalt.next()
    for index in 0..<Self.count {
      gate(index).initialize(to: Gate())
      stripe(index).initialize(to: Stripe(salt: salt))
    }
  }

  func deallocate() {
    for index in 0..<Self.count {
      stripe(index).pointee.entries.deallocate()
      stripe(index).deinitialize(count: 1)
      gate(index).deinitialize(count: 1)
    }
    stripes.deallocate()
  }

  /// The object of a key. Takes no lock where the stripe is empty.
  @inline(__always)
  func object(for key: UInt64) -> Element? {
    let index = index(of: key)
    let gate = gate(index)
    if gate.pointee.isEmpty.load(ordering: .acquiring) { return nil }
    var found: Element?
    gate.pointee.lock.withLock { _ in found = stripe(index).pointee.lookUp(key) }
    return found
  }

  /// Takes out an object that has been entered. True when its stripe has no member any more.
  func remove(_ object: Element, for key: UInt64) -> Bool {
    var isEmpty = false
    change(index(of: key)) { stripe in
      stripe.leave(object, key)
      isEmpty = stripe.members == 0
    }
    return isEmpty
  }

  /// Makes room for `count` objects in all, as if they were spread evenly.
  func reserve(_ count: Int) {
    let share = count / Self.count
    guard share > 8 else { return }
    for index in 0..<Self.count { change(index) { $0.entries.makeRoom(for: share) } }
  }

  @inline(__always)
  private func change(_ index: Int, _ body: (inout Stripe) -> Void) {
    let (gate, stripe) = (gate(index), stripe(index))
    gate.pointee.lock.withLock { _ in
      let wasEmpty = stripe.pointee.members == 0
      body(&stripe.pointee)
      let isEmpty = stripe.pointee.members == 0
      if isEmpty != wasEmpty { gate.pointee.isEmpty.store(isEmpty, ordering: .releasing) }
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
      change(index) { stripe in
        let wasEmpty = stripe.members == 0
        body(&stripe, start..<end)
        if wasEmpty && stripe.members > 0 { filled += 1 }
      }
      start = end
    }
    return filled
  }

  @inline(__always)
  private func stripe(_ index: Int) -> UnsafeMutablePointer<Stripe> {
    (stripes + index * Self.stride + Self.gateSize).assumingMemoryBound(to: Stripe.self)
  }

  @inline(__always)
  private func gate(_ index: Int) -> UnsafeMutablePointer<Gate> {
    (stripes + index * Self.stride).assumingMemoryBound(to: Gate.self)
  }

  @inline(__always)
  private func index(of key: UInt64) -> Int {
    Int(truncatingIfNeeded: ((key >> 10) &* 0x9E37_79B9_7F4A_7C15) >> 60)
  }
}
