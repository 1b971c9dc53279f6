import CRuntime

/// The entries of a table from 64-bit keys to objects that it does not keep alive.
///
///     blocks: ┌ number │ places ┬ free ┬ number │ places ┬ … ┐   open addressing, at most two thirds full
///             └────────┴───┼────┴──────┴────────┴───┼────┴───┘
///               ┌ present ┬ object ┬ object ┐   ┌ present ┬ object of key 0 ┬ of key 1 ┬ … ┬ of key 63 ┐
///               └─────────┴────────┴────────┘   └─────────┴─────────────────┴──────────┴───┴───────────┘
///
/// Keys are mostly consecutive primary keys: 64 neighbours make a block. A block with many of its keys has a place for
/// each; one with few has the objects of those that are present, in the order of their keys. So an object takes little
/// more than its pointer where keys are dense, and about as much as in a hash table where they are not.
///
/// Who has it guards it by a lock, and keeps to this: an object is in the table from ``enter(_:_:)`` until its
/// own `deinit` calls ``leave(_:_:)``. Both happen under the lock, as do the look-ups, which retain only
/// an object whose `deinit` has not begun. So a pointer read under the lock always points at live
/// memory, whichever thread drops the last reference. Copies share the memory; the one that is kept frees it.
struct WeakEntries<Element: AnyObject> {
  private var blocks: UnsafeMutablePointer<Block>
  private var bits: Int
  private var blockCount = 0
  private(set) var count = 0
  private let salt: UInt64

  private var capacity: Int { 1 << bits }
  private var mask: Int { capacity - 1 }

  /// An empty table, which takes no memory of its own.
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
    return Unmanaged<Element>.fromOpaque(pointer).takeRetainedValue()
  }

  /// Enters an object, in place of what was there for its key.
  mutating func enter(_ object: Element, _ key: UInt64) {
    fill(indexOfBlock(for: key), object, key)
  }

  /// Enters an object unless what is there for its key is to stay. That may be at its end already: it is looked at,
  /// and not kept.
  @inline(__always)
  mutating func enter(
    _ object: Element, _ key: UInt64, unless stays: (Unmanaged<Element>) -> Bool
  ) {
    let index = indexOfBlock(for: key)
    if let known = blocks[index].object(of: key), stays(.fromOpaque(known)) { return }
    fill(index, object, key)
  }

  /// Enters an object unless there is another one for its key, which it gives then.
  mutating func enterIfNone(_ object: Element, _ key: UInt64) -> Element? {
    let index = indexOfBlock(for: key)
    if let pointer = blocks[index].object(of: key), let known = retain(pointer) { return known }
    fill(index, object, key)
    return nil
  }

  /// The block of a key, made if there was none: it has to be filled then.
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
  private mutating func fill(_ index: Int, _ object: Element, _ key: UInt64) {
    if blocks[index].enter(Unmanaged.passUnretained(object).toOpaque(), key) { count += 1 }
  }

  /// Takes an object out unless another has been entered for its key since.
  mutating func leave(_ object: Element, _ key: UInt64) {
    let index = index(of: key)
    guard blocks[index].object(of: key) == Unmanaged.passUnretained(object).toOpaque() else {
      return
    }
    count -= 1
    if blocks[index].isEmptied(takingOut: key) { vacate(index) }
  }

  /// Makes room for `count` objects in all, as if their keys were neighbours.
  mutating func makeRoom(for count: Int) {
    let wanted = count / Block.keys
    var bits = bits
    while wanted * 3 > (1 << bits) * 2 { bits += 1 }
    if bits > self.bits { grow(to: bits) }
  }

  /// Every object that is alive now.
  func objects() -> [Element] {
    var all: [Element] = []
    all.reserveCapacity(count)
    for index in 0..<capacity {
      blocks[index].forEach { if let object = retain($0) { all.append(object) } }
    }
    return all
  }

  /// Where the block of `key` is, or the free place where it belongs.
  @inline(__always)
  private func index(of key: UInt64) -> Int {
    var index = home(of: key)
    while !blocks[index].isFree && !blocks[index].has(key) { index = (index + 1) & mask }
    return index
  }

  /// Tables differ in their salt: the objects of one, entered into another in the order that they are found in,
  /// would else all be neighbours there while it is still small.
  @inline(__always)
  private func home(of key: UInt64) -> Int {
    let number = (key >> 6 &+ salt) &* 0x9E37_79B9_7F4A_7C15
    let mixed = (number ^ number >> 32) &* 0xD6E8_FEB8_6659_FD93
    return Int(truncatingIfNeeded: mixed >> 32) & mask
  }

  /// Frees a place and closes the gap, so that no look-up stops short.
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

/// The objects of 64 neighbouring keys, of which one at least is present.
private struct Block {
  static let keys = 64
  /// How many places a block begins with, and how many more it has before it has one for each key. What lies between
  /// would save less than moving costs.
  private static let fewest = 2
  private static let few = 8

  /// What the keys have in common, and in the six bits below it how many places there are for those that are present;
  /// none where each key has a place of its own.
  private var keyAndRoom: UInt64
  /// First the bits of the keys that are present, then the addresses of objects.
  private var places: UnsafeMutablePointer<UInt>?

  /// A free place for a block.
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

  /// How many places there are for keys that are present; 0 where each key has its own.
  @inline(__always)
  private var room: Int { Int(truncatingIfNeeded: keyAndRoom & 63) }

  /// The object of a key that the block has; nil in a free place too.
  @inline(__always)
  func object(of key: UInt64) -> UnsafeMutableRawPointer? {
    guard let places else { return nil }
    if room == 0 { return UnsafeMutableRawPointer(bitPattern: places[1 + Int(key & 63)]) }
    let bit: UInt = 1 << UInt(key & 63)
    guard places[0] & bit != 0 else { return nil }
    return UnsafeMutableRawPointer(bitPattern: places[Self.place(bit, among: places[0])])
  }

  /// Where the object of a bit stands among those that are present.
  @inline(__always)
  private static func place(_ bit: UInt, among present: UInt) -> Int {
    1 + (present & (bit - 1)).nonzeroBitCount
  }

  /// Whether the key was not there before. Of a block that is not free.
  @inline(__always)
  mutating func enter(_ object: UnsafeMutableRawPointer, _ key: UInt64) -> Bool {
    guard room == 0, let places else { return enterAmongFew(object, key) }
    let bit: UInt = 1 << UInt(key & 63)
    let isNew = places[0] & bit == 0
    places[0] |= bit
    places[1 + Int(key & 63)] = UInt(bitPattern: object)
    return isNew
  }

  private mutating func enterAmongFew(_ object: UnsafeMutableRawPointer, _ key: UInt64) -> Bool {
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
      return enter(object, key)
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

  /// Takes out a key that is present; whether it was the last.
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

/// The place of all empty tables. Nobody writes it.
private nonisolated(unsafe) let noBlocks: UnsafeMutablePointer<Block> = {
  let blocks = UnsafeMutablePointer<Block>.allocate(capacity: 1)
  blocks.initialize(to: Block())
  return blocks
}()
