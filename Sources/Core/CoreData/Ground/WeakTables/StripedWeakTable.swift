import Synchronization

/// A hash table from keys to weakly held objects, for many threads: the keys are distributed over
/// stripes with a lock each, a thousand consecutive keys per stripe.
///
///     key     … 0 1 2 … 1023 │ 1024 … 2047 │ 2048 …    threads that read different parts of a
///     stripe       9         │      4      │   13      store seldom meet in a stripe
///
/// A stripe counts its members: the objects that were entered and have not left, including those
/// that another object has replaced or kept from being found. The owner of the table must live as
/// long as any member.
///
/// Copies share the stripes; one of them must call `deallocate()` at the end.
struct StripedWeakTable<Element: AnyObject> {
  struct Stripe {
    fileprivate var entries: WeakEntries<Element>
    fileprivate var members = 0

    fileprivate init(salt: UInt64) { entries = WeakEntries(salt: salt) }

    func lookUp(_ key: UInt64) -> Element? { entries.lookUp(key) }

    /// Adds a member, replacing the object found by its key.
    mutating func enter(_ object: Element, key: UInt64) {
      entries.enter(object, key: key)
      members += 1
    }

    /// Adds a member, which is found by its key unless `stays` keeps the present object.
    @inline(__always)
    mutating func enter(
      _ object: Element, key: UInt64, unless stays: (Unmanaged<Element>) -> Bool
    ) {
      entries.enter(object, key: key, unless: stays)
      members += 1
    }

    /// Counts a new member that is not found yet.
    mutating func admit() { members += 1 }

    /// Makes a member found by its key, unless `stays` keeps the present object.
    mutating func offer(
      _ object: Element, key: UInt64, unless stays: (Unmanaged<Element>) -> Bool
    ) {
      entries.enter(object, key: key, unless: stays)
    }

    fileprivate mutating func leave(_ object: Element, key: UInt64) {
      entries.leave(object, key: key)
      members -= 1
    }
  }

  /// The lock of a stripe and a flag. Apart from the stripe, since many threads read the flag while
  /// one changes the stripe.
  private struct Gate: ~Copyable {
    // Guards the stripe. Never held while an element is released: its `deinit` takes the lock.
    let lock = Mutex<Void>(())
    // Written under the lock. Read without it where an object entered concurrently may be missed.
    let isEmpty = Atomic(true)
  }

  private static var count: Int { 16 }
  /// A cache line, so that threads in different stripes do not contend for one.
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

  /// The object of a key. Takes no lock if the stripe is empty.
  @inline(__always)
  func object(for key: UInt64) -> Element? {
    let index = index(of: key)
    let gate = gate(index)
    if gate.pointee.isEmpty.load(ordering: .acquiring) { return nil }
    var found: Element?
    gate.pointee.lock.withLock { _ in found = stripe(index).pointee.lookUp(key) }
    return found
  }

  /// Removes a member. Returns true if its stripe has no members left.
  func remove(_ object: Element, for key: UInt64) -> Bool {
    var isEmpty = false
    change(index(of: key)) { stripe in
      stripe.leave(object, key: key)
      isEmpty = stripe.members == 0
    }
    return isEmpty
  }

  /// Makes room for `count` objects in all, assuming an even distribution.
  func reserve(_ count: Int) {
    let share = count / Self.count
    guard share > 8 else { return }
    for index in 0..<Self.count { change(index) { $0.entries.makeRoom(for: share) } }
  }

  @inline(__always)
  private func change(_ index: Int, body: (inout Stripe) -> Void) {
    let (gate, stripe) = (gate(index), stripe(index))
    gate.pointee.lock.withLock { _ in
      let wasEmpty = stripe.pointee.members == 0
      body(&stripe.pointee)
      let isEmpty = stripe.pointee.members == 0
      if isEmpty != wasEmpty { gate.pointee.isEmpty.store(isEmpty, ordering: .releasing) }
    }
  }

  /// Calls `body` with the stripes of the keys at positions 0 ..< `count` and the positions;
  /// consecutive positions in one stripe share one acquisition of its lock. `body` must not release
  /// an element.
  ///
  /// - Returns: the number of stripes that have got their first member.
  @inline(__always)
  func inRuns(
    _ count: Int, key: (Int) -> UInt64, body: (inout Stripe, Range<Int>) -> Void
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
