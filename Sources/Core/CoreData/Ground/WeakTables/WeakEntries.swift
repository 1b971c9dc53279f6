import CRuntime

/// The entries of a table from 64-bit keys to weakly held objects.
///
///     blocks: ┌ number │ places ┬ free ┬ number │ places ┬ … ┐   open addressing, at most 2/3 full
///             └────────┴───┼────┴──────┴────────┴───┼────┴───┘
///           ┌ present ┬ object ┬ object ┐   ┌ present ┬ of key 0 ┬ of key 1 ┬ … ┬ of key 63 ┐
///           └─────────┴────────┴────────┘   └─────────┴──────────┴──────────┴───┴───────────┘
///
/// Keys are mostly consecutive primary keys: 64 neighbours share a block. A block with many objects
/// has an element for each key; a block with few has only those present, in the order of their
/// keys. So an object needs little more than its pointer if keys are dense, and about as much as in
/// a hash table otherwise.
///
/// The owner guards the entries by a lock and follows one rule: an object is in the table from
/// ``enter(_:_:)`` until its own `deinit` calls ``leave(_:_:)``. Both happen under the lock, as do
/// look-ups, which retain only an object whose `deinit` has not begun. So a pointer read under the
/// lock points at live memory, whichever thread releases the last reference. Copies share the
/// memory; one of them must call `deallocate()` at the end.
struct WeakEntries<Element: AnyObject> {
  private var blocks: UnsafeMutablePointer<Block>
  private var bits: Int
  private var blockCount = 0
  private(set) var count = 0
  private let salt: UInt64

  private var capacity: Int { 1 << bits }
  private var mask: Int { capacity - 1 }

  /// An empty table, which allocates no memory.
  init(salt: UInt64) {
    self.salt = salt
    bits = 0
    blocks = noBlocks
  }

  private var isShared: Bool { bits == 0 }

  func deallocate() {
    if isShared { return }
    for index in 0..<capacity where !blocks[index].isFree { blocks[index].deallocate() }
    blocks.deallocate()
  }

  func lookUp(_ key: UInt64) -> Element? {
    guard let pointer = blocks[index(of: key)].object(of: key) else { return nil }
    return retain(pointer)
  }

  private func retain(_ pointer: UnsafeMutableRawPointer) -> Element? {
    guard swift_tryRetain(pointer) != nil else { return nil }
    // Sound: `swift_tryRetain` has retained the object, and `takeRetainedValue` owns that
    // reference.
    return Unmanaged<Element>.fromOpaque(pointer).takeRetainedValue()
  }

  /// Enters an object, replacing the one of its key.
  mutating func enter(_ object: Element, key: UInt64) {
    fill(indexOfBlock(for: key), object: object, key: key)
  }

  /// Enters an object unless `stays` keeps the one of its key, which is passed unretained: its
  /// `deinit` may have begun.
  @inline(__always)
  mutating func enter(
    _ object: Element, key: UInt64, unless stays: (Unmanaged<Element>) -> Bool
  ) {
    let index = indexOfBlock(for: key)
    if let known = blocks[index].object(of: key), stays(.fromOpaque(known)) { return }
    fill(index, object: object, key: key)
  }

  /// Enters an object, or returns the live object of its key.
  mutating func enterIfNone(_ object: Element, key: UInt64) -> Element? {
    let index = indexOfBlock(for: key)
    if let pointer = blocks[index].object(of: key), let known = retain(pointer) { return known }
    fill(index, object: object, key: key)
    return nil
  }

  /// The block of a key, made if there is none; the caller must then fill it.
  @inline(__always)
  private mutating func indexOfBlock(for key: UInt64) -> Int {
    let index = index(of: key)
    return blocks[index].isFree ? indexOfNewBlock(for: key) : index
  }

  @inline(never)
  private mutating func indexOfNewBlock(for key: UInt64) -> Int {
    if isShared || (blockCount + 1) * 3 > capacity * 2 { grow(to: max(bits + 1, 2)) }
    let index = index(of: key)
    blocks[index] = Block(of: key)
    blockCount += 1
    return index
  }

  @inline(__always)
  private mutating func fill(_ index: Int, object: Element, key: UInt64) {
    // Sound: the object leaves the table in its `deinit`.
    if blocks[index].enter(Unmanaged.passUnretained(object).toOpaque(), key: key) { count += 1 }
  }

  /// Removes an object, unless another has replaced it.
  mutating func leave(_ object: Element, key: UInt64) {
    let index = index(of: key)
    guard blocks[index].object(of: key) == Unmanaged.passUnretained(object).toOpaque() else {
      return
    }
    count -= 1
    if blocks[index].isEmptied(takingOut: key) { vacate(index) }
  }

  /// Makes room for `count` objects in all, assuming consecutive keys.
  mutating func makeRoom(for count: Int) {
    let wanted = count / Block.keys
    var bits = bits
    while wanted * 3 > (1 << bits) * 2 { bits += 1 }
    if bits > self.bits { grow(to: bits) }
  }

  /// Every live object.
  func objects() -> [Element] {
    var all: [Element] = []
    all.reserveCapacity(count)
    for index in 0..<capacity {
      blocks[index].forEach { if let object = retain($0) { all.append(object) } }
    }
    return all
  }

  /// The index of the key's block, or of the free element where it belongs.
  @inline(__always)
  private func index(of key: UInt64) -> Int {
    var index = home(of: key)
    while !blocks[index].isFree && !blocks[index].has(key) { index = (index + 1) & mask }
    return index
  }

  /// The first index to try. Tables have different salts: otherwise objects entered in the order of
  /// another table's elements would cluster while this table is small.
  @inline(__always)
  private func home(of key: UInt64) -> Int {
    let number = (key >> 6 &+ salt) &* 0x9E37_79B9_7F4A_7C15
    let mixed = (number ^ number >> 32) &* 0xD6E8_FEB8_6659_FD93
    return Int(truncatingIfNeeded: mixed >> 32) & mask
  }

  /// Frees an element and closes the gap, so that no look-up stops too early.
  private mutating func vacate(_ index: Int) {
    blocks[index].deallocate()
    var gap = index
    var next = (gap + 1) & mask
    while !blocks[next].isFree {
      if (next - home(of: blocks[next].firstKey)) & mask >= (next - gap) & mask {
        blocks[gap] = blocks[next]
        gap = next
      }
      next = (next + 1) & mask
    }
    blocks[gap] = Block()
    blockCount -= 1
  }

  private mutating func grow(to bits: Int) {
    let (oldBlocks, oldCapacity, wasShared) = (blocks, capacity, isShared)
    blocks = .allocate(capacity: 1 << bits)
    blocks.initialize(repeating: Block(), count: 1 << bits)
    self.bits = bits
    for index in 0..<oldCapacity where !oldBlocks[index].isFree {
      blocks[self.index(of: oldBlocks[index].firstKey)] = oldBlocks[index]
    }
    if !wasShared { oldBlocks.deallocate() }
  }
}

/// The objects of 64 consecutive keys, at least one of which is present.
private struct Block {
  static let keys = 64
  /// The capacities of a block: at first, and after the first growth. After the second growth it
  /// has an element for each key. Steps in between would save less memory than their copying costs.
  private static let fewest = 2
  private static let few = 8

  /// The common bits of the keys; the six bits below hold the capacity for present keys, or 0 if
  /// each key has its own element.
  private var keyAndRoom: UInt64
  /// First the bits of the present keys, then the addresses of objects.
  private var places: UnsafeMutablePointer<UInt>?

  /// A free element of the table.
  init() { (keyAndRoom, places) = (0, nil) }

  init(of key: UInt64) {
    keyAndRoom = key & ~63 | UInt64(Self.fewest)
    places = Self.allocate(Self.fewest)
  }

  private static func allocate(_ room: Int) -> UnsafeMutablePointer<UInt> {
    let places = UnsafeMutablePointer<UInt>.allocate(capacity: 1 + room)
    places.initialize(repeating: 0, count: 1 + room)
    return places
  }

  func deallocate() { places?.deallocate() }

  @inline(__always)
  var isFree: Bool { places == nil }

  @inline(__always)
  func has(_ key: UInt64) -> Bool { keyAndRoom ^ key < 64 }

  var firstKey: UInt64 { keyAndRoom & ~63 }

  /// The capacity for present keys; 0 if each key has its own element.
  @inline(__always)
  private var room: Int { Int(truncatingIfNeeded: keyAndRoom & 63) }

  /// The object of a key of this block; nil for a free element too.
  @inline(__always)
  func object(of key: UInt64) -> UnsafeMutableRawPointer? {
    guard let places else { return nil }
    if room == 0 { return UnsafeMutableRawPointer(bitPattern: places[1 + Int(key & 63)]) }
    let bit: UInt = 1 << UInt(key & 63)
    guard places[0] & bit != 0 else { return nil }
    return UnsafeMutableRawPointer(bitPattern: places[Self.place(bit, among: places[0])])
  }

  /// The index of a bit's object among those present.
  @inline(__always)
  private static func place(_ bit: UInt, among present: UInt) -> Int {
    1 + (present & (bit - 1)).nonzeroBitCount
  }

  /// Enters an object; returns whether the key is new. Requires a block that is not free.
  @inline(__always)
  mutating func enter(_ object: UnsafeMutableRawPointer, key: UInt64) -> Bool {
    guard room == 0, let places else { return enterAmongFew(object, key: key) }
    let bit: UInt = 1 << UInt(key & 63)
    let isNew = places[0] & bit == 0
    places[0] |= bit
    places[1 + Int(key & 63)] = UInt(bitPattern: object)
    return isNew
  }

  private mutating func enterAmongFew(_ object: UnsafeMutableRawPointer, key: UInt64) -> Bool {
    guard let places else { preconditionFailure("A free place has no objects") }
    let bit: UInt = 1 << UInt(key & 63)
    let present = places[0]
    let place = Self.place(bit, among: present)
    let count = present.nonzeroBitCount
    if present & bit != 0 {
      places[place] = UInt(bitPattern: object)
      return false
    }
    guard count < room else {
      enlarge()
      return enter(object, key: key)
    }
    (places + place + 1).update(from: places + place, count: count + 1 - place)
    places[place] = UInt(bitPattern: object)
    places[0] = present | bit
    return true
  }

  private mutating func enlarge() {
    guard let old = places else { return }
    let (present, isFewest) = (old[0], room < Self.few)
    let new = Self.allocate(isFewest ? Self.few : Self.keys)
    new[0] = present
    if isFewest {
      (new + 1).update(from: old + 1, count: room)
    } else {
      var (rest, place) = (present, 1)
      while rest != 0 {
        new[1 + rest.trailingZeroBitCount] = old[place]
        (rest, place) = (rest & (rest - 1), place + 1)
      }
    }
    old.deallocate()
    places = new
    keyAndRoom = firstKey | (isFewest ? UInt64(Self.few) : 0)
  }

  /// Removes a present key; returns whether it was the last.
  @inline(__always)
  func isEmptied(takingOut key: UInt64) -> Bool {
    guard let places else { return false }
    let bit: UInt = 1 << UInt(key & 63)
    let present = places[0]
    if room == 0 {
      places[1 + Int(key & 63)] = 0
    } else {
      let place = Self.place(bit, among: present)
      (places + place).update(from: places + place + 1, count: present.nonzeroBitCount - place)
    }
    places[0] = present & ~bit
    return present == bit
  }

  func forEach(_ body: (UnsafeMutableRawPointer) -> Void) {
    guard let places else { return }
    for place in 1...(room == 0 ? Self.keys : places[0].nonzeroBitCount) {
      if let object = UnsafeMutableRawPointer(bitPattern: places[place]) { body(object) }
    }
  }
}

/// The block of all empty tables. Sound: never written.
private nonisolated(unsafe) let noBlocks: UnsafeMutablePointer<Block> = {
  let blocks = UnsafeMutablePointer<Block>.allocate(capacity: 1)
  blocks.initialize(to: Block())
  return blocks
}()
