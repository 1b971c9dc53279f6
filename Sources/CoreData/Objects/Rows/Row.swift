/// A snapshot of one object's stored values.
///
///     ┌ object header ┬ space, format, identity, version ┬ tags ┬ slot 0 │ slot 1 │ … ┐
///     └───────────────┴──────────────────────────────────┴──────┴────────┴────────┴───┘
///
/// One allocation. Each slot takes the words that its type needs (see ``RowFormat``); two bits in `tags`
/// say whether it holds nothing, a value of that type, the 64 bits of an identity, or a reference to a value of
/// another type. A row is
/// filled by its maker, then *sealed*: from then on it never changes and is shared by the store's
/// cache and every context. A managed object edits an unsealed copy that is its own.
package final class Row: ManagedBuffer<Row.Header, UInt64> {
  package struct Header {
    /// Where the identity belongs; nil while the object was never saved. Counted by a row that says so in its
    /// state; a published one is alive no longer than the space.
    var space: Unmanaged<IdentitySpace>?
    let format: UnsafePointer<RowFormat>
    var packed: PackedIdentity
    /// The version above the flags.
    var state: Int64
  }

  private enum Flag {
    static let sealed: Int64 = 1
    static let published: Int64 = 2
    static let ownsSpace: Int64 = 4
    /// Values of a parent context that it has not saved: no store has had them under the row's version.
    static let unsaved: Int64 = 8
    /// How many bits the flags take.
    static let bits: Int64 = 4
  }

  /// A row of nulls, to be filled with ``initialize(_:_:)``.
  @inline(__always)
  package static func make(
    _ layout: EntityLayout, _ packed: PackedIdentity, in space: IdentitySpace?, version: Int64
  ) -> Row {
    let row = make(
      layout.format, packed, in: space.map(Unmanaged.passUnretained), version: version)
    if let space { row.own(space) }
    return row
  }

  /// The same for a row that is published before its maker lets go of the space: it does not count the
  /// space, a word that all threads would write.
  @inline(__always)
  static func make(
    _ format: UnsafePointer<RowFormat>, _ packed: PackedIdentity,
    in space: Unmanaged<IdentitySpace>?, version: Int64
  ) -> Row {
    let buffer = Row.create(minimumCapacity: format.pointee.words) { _ in
      Header(space: space, format: format, packed: packed, state: version << Flag.bits)
    }
    let row = unsafeDowncast(buffer, to: Row.self)
    for word in 0..<format.pointee.tagWords { row.words[word] = 0 }
    return row
  }

  private func own(_ space: IdentitySpace) {
    head.pointee.space = .passRetained(space)
    head.pointee.state |= Flag.ownsSpace
  }

  private func disownSpace() {
    guard head.pointee.state & Flag.ownsSpace != 0 else { return }
    head.pointee.state &= ~Flag.ownsSpace
    head.pointee.space?.release()
  }

  /// An unsealed row of nulls.
  package static func empty(_ identity: NSManagedObjectID) -> Row {
    make(identity.layout, identity.packed, in: identity.space, version: 0)
  }

  deinit {
    for slot in 0..<count where tag(slot) != Tag.null { release(slot) }
    if head.pointee.state & Flag.published != 0 {
      head.pointee.space?._withUnsafeGuaranteedRef { $0.withdraw(self) }
    }
    disownSpace()
  }

  // MARK: - What it is about

  /// The object's ID, which is made if nobody has it.
  package var identity: NSManagedObjectID {
    .of(packed, layout, in: space)
  }
  package var packed: PackedIdentity { head.pointee.packed }
  var spaceReference: Unmanaged<IdentitySpace>? { head.pointee.space }
  var format: UnsafePointer<RowFormat> { head.pointee.format }
  package var space: IdentitySpace? { head.pointee.space?.takeUnretainedValue() }
  package var layout: EntityLayout { head.pointee.format.pointee.layout.takeUnretainedValue() }

  /// Without counting anything.
  func isOfEntity(of other: Row) -> Bool {
    head.pointee.format == other.head.pointee.format
  }
  /// Of the entity's tree.
  var rootNumber: Int { head.pointee.format.pointee.rootNumber }
  package var version: Int64 { head.pointee.state >> Flag.bits }
  package var count: Int { head.pointee.format.pointee.count }
  package var isSealed: Bool { head.pointee.state & Flag.sealed != 0 }
  /// Whether these are unsaved values of a parent context; the version is that of the row below them.
  var isUnsaved: Bool { head.pointee.state & Flag.unsaved != 0 }

  /// The object has become permanent.
  package func becomePermanent(_ packed: PackedIdentity, in space: IdentitySpace?) {
    becomePermanent(packed, inUncounted: space.map(Unmanaged.passUnretained))
  }

  /// The same without counting a space that the row is in already.
  func becomePermanent(_ packed: PackedIdentity, inUncounted space: Unmanaged<IdentitySpace>?) {
    precondition(!isSealed, "A sealed row does not change")
    head.pointee.packed = packed
    if space?.toOpaque() == head.pointee.space?.toOpaque() { return }
    unpackIdentities()
    disownSpace()
    head.pointee.space = nil
    if let space { own(space.takeUnretainedValue()) }
  }

  /// Identities are packed as those of the row's own space.
  private func unpackIdentities() {
    for slot in 0..<count where tag(slot) == Tag.packed { initialize(slot, value(slot)) }
  }

  // MARK: - Values

  package subscript(slot: Int) -> Value {
    @inline(__always)
    get {
      precondition(slot >= 0 && slot < count, "Slot \(slot) of a row of \(count)")
      return value(slot)
    }
    @inline(__always)
    set {
      precondition(!isSealed, "A sealed row does not change")
      precondition(slot >= 0 && slot < count, "Slot \(slot) of a row of \(count)")
      if tag(slot) != Tag.null { release(slot) }
      initialize(slot, newValue)
    }
  }

  /// Makes every slot hold nothing.
  func clear() {
    precondition(!isSealed, "A sealed row does not change")
    for slot in 0..<count where tag(slot) != Tag.null { release(slot) }
    for word in 0..<head.pointee.format.pointee.tagWords { words[word] = 0 }
  }

  /// Whether the slot has a value, and one of the type that the model has for it.
  func holdsPlainValue(_ slot: Int) -> Bool {
    let tag = tag(slot)
    return tag == Tag.plain || tag == Tag.packed
  }

  /// The text of a slot that is one of texts, counted once; nil for everything else.
  @inline(__always)
  func plainText(_ slot: Int) -> String? {
    precondition(slot >= 0 && slot < count, "Slot \(slot) of a row of \(count)")
    let (storage, address) = place(slot)
    guard tag(slot) == Tag.plain, storage == .text else { return nil }
    return address.assumingMemoryBound(to: String.self).pointee
  }

  /// What `body` makes of the bytes of such a text, where they lie: nothing is counted.
  @inline(__always)
  func withPlainText<Result>(
    _ slot: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result? {
    precondition(slot >= 0 && slot < count, "Slot \(slot) of a row of \(count)")
    let (storage, address) = place(slot)
    guard storage == .text, tag(slot) == Tag.plain else { return nil }
    return try address.assumingMemoryBound(to: String.self).pointee.utf8
      .withContiguousStorageIfAvailable(body)
  }

  /// What a to-one slot leads to, without counting a reference to its ID; nil when there is nothing, and for a
  /// temporary ID, which may have become another.
  @inline(__always)
  package func permanentIdentity(_ slot: Int) -> PackedIdentity? {
    let (storage, address) = place(slot)
    let tag = tag(slot)
    if tag == Tag.packed { return PackedIdentity(bits: address.load(as: UInt64.self)) }
    guard tag == Tag.plain, storage == .identity else { return nil }
    let packed = address.load(as: Unmanaged<NSManagedObjectID>.self)
      ._withUnsafeGuaranteedRef { $0.packed }
    return packed.isTemporary ? nil : packed
  }

  /// An unsealed copy, for edits.
  package func copy() -> Row {
    let copy = Row.make(layout, packed, in: space, version: version)
    copy.words.update(from: words, count: head.pointee.format.pointee.words)
    // The bits of a number are all there is to it; what is counted is put over them.
    for slot in 0..<count where holdsCounted(slot) { copy.initialize(slot, value(slot)) }
    return copy
  }

  /// Replaces temporary IDs in to-one slots by the permanent ones that their objects have now.
  package func resolveIdentities() {
    for slot in head.pointee.format.pointee.references where tag(Int(slot)) == Tag.plain {
      guard case .identity(let id) = value(Int(slot)), id.isTemporaryID else { continue }
      self[Int(slot)] = .identity(id.resolved)
    }
  }

  /// The slots in which the rows differ; both belong to one entity.
  package func differences(from other: Row) -> [Int] {
    (0..<count).filter { differs(from: other, in: $0) }
  }

  /// Whether the rows, both of one entity, have different values in a slot. The same bits are the same value,
  /// and most often that is all there is to compare.
  func differs(from other: Row, in slot: Int) -> Bool {
    if hasSameBits(as: other, in: slot) { return false }
    return self[slot] != other[slot]
  }

  private func hasSameBits(as other: Row, in slot: Int) -> Bool {
    let tag = tag(slot)
    guard tag == other.tag(slot), head.pointee.format == other.head.pointee.format else {
      return false
    }
    if tag == Tag.null { return true }
    let place = head.pointee.format.pointee.places[slot]
    // One word or two: asking the C library takes longer than comparing them.
    for word in Int(place.offset)..<Int(place.offset) + place.storage.words
    where words[word] != other.words[word] {
      return false
    }
    return true
  }

  // MARK: - Sealing and sharing

  /// Ends the edits: sets what the save gave the row.
  package func seal(_ packed: PackedIdentity, in space: IdentitySpace?, version: Int64) {
    seal(packed, inUncounted: space.map(Unmanaged.passUnretained), version: version)
  }

  func seal(
    _ packed: PackedIdentity, inUncounted space: Unmanaged<IdentitySpace>?, version: Int64
  ) {
    becomePermanent(packed, inUncounted: space)
    let flags = head.pointee.state & Flag.ownsSpace | Flag.sealed
    head.pointee.state = version << Flag.bits | flags
  }

  /// Of values that are not sealed: the version of the row that they were made on.
  func note(version: Int64) {
    if isSealed { return }
    head.pointee.state = version << Flag.bits | head.pointee.state & (1 << Flag.bits - 1)
  }

  package func seal(identity: NSManagedObjectID, version: Int64) {
    seal(identity.packed, in: identity.space, version: version)
  }

  /// The same for values that a parent context has yet to save.
  func sealUnsaved(_ packed: PackedIdentity, in space: IdentitySpace?) {
    seal(packed, in: space, version: version)
    head.pointee.state |= Flag.unsaved
  }

  /// Seals a row as its maker filled it.
  package func seal() { head.pointee.state |= Flag.sealed }

  /// Makes a sealed row the cached one of its identity.
  package func share(_ source: IdentitySpace.RowSource) { space?.publish([self], source) }

  var isPublished: Bool { head.pointee.state & Flag.published != 0 }

  /// Called by the space alone.
  func notePublication() { head.pointee.state |= Flag.published }

  /// Whether this is the row that the contexts of its coordinator share.
  package var isShared: Bool { space?.cachedRow(layout, packed) === self }
}

// MARK: - The words

/// What a slot's two bits say.
private enum Tag {
  static let null: UInt64 = 0
  /// A value of the slot's own type.
  static let plain: UInt64 = 1
  /// A reference to a ``MisplacedValue``.
  static let misplaced: UInt64 = 2
  /// A ``PackedIdentity`` of the row's own space, in place of the ID, which is made for who asks: rows that a fetch
  /// makes would else each count a reference to what they lead to, often one object for all of them, in a word
  /// that all threads write.
  static let packed: UInt64 = 3
}

/// A value of a type that the model does not have for the slot: an undecodable one, or what a class that
/// declares another type than its model has written.
private final class MisplacedValue {
  let value: Value
  init(_ value: Value) { self.value = value }
}

// Sound because the tail is allocated with the words that the format counts, and because each slot is read
// and freed as what its tag says it was written as.
extension Row {
  @inline(__always)
  fileprivate var head: UnsafeMutablePointer<Header> { withUnsafeMutablePointerToHeader { $0 } }

  @inline(__always)
  fileprivate var words: UnsafeMutablePointer<UInt64> { withUnsafeMutablePointerToElements { $0 } }

  @inline(__always)
  fileprivate func tag(_ slot: Int) -> UInt64 {
    words[slot >> 5] &>> UInt64((slot & 31) * 2) & 3
  }

  @inline(__always)
  private func setTag(_ tag: UInt64, _ slot: Int) {
    let shift = UInt64((slot & 31) * 2)
    let word = words + (slot >> 5)
    word.pointee = word.pointee & ~(3 &<< shift) | (tag &<< shift)
  }

  @inline(__always)
  private func place(
    _ slot: Int
  ) -> (storage: RowFormat.Storage, address: UnsafeMutableRawPointer) {
    let place = head.pointee.format.pointee.places[slot]
    return (place.storage, UnsafeMutableRawPointer(words + Int(place.offset)))
  }

  @inline(__always)
  fileprivate func value(_ slot: Int) -> Value {
    let (storage, address) = place(slot)
    let tag = tag(slot)
    if tag == Tag.null { return .null }
    if tag != Tag.plain { return uncommonValue(tag, address) }
    switch storage {
    case .integer: return .integer(address.load(as: Int64.self))
    case .real: return .real(address.load(as: Double.self))
    case .text: return .text(address.assumingMemoryBound(to: String.self).pointee)
    case .data: return .data(address.assumingMemoryBound(to: Data.self).pointee)
    case .identity:
      return .identity(address.assumingMemoryBound(to: NSManagedObjectID.self).pointee)
    case .object: return .object(address.assumingMemoryBound(to: AnyObject.self).pointee)
    }
  }

  @inline(__always)
  private func holdsCounted(_ slot: Int) -> Bool {
    switch tag(slot) {
    case Tag.null, Tag.packed: return false
    case Tag.misplaced: return true
    default:
      let storage = place(slot).storage
      return storage != .integer && storage != .real
    }
  }

  @inline(never)
  private func uncommonValue(_ tag: UInt64, _ address: UnsafeMutableRawPointer) -> Value {
    if tag == Tag.misplaced {
      return address.assumingMemoryBound(to: MisplacedValue.self).pointee.value
    }
    guard let space else { preconditionFailure("A packed identity in a row without a space") }
    return .identity(space.identity(PackedIdentity(bits: address.load(as: UInt64.self))))
  }

  /// Puts a value into a slot that holds nothing.
  @inline(__always)
  package func initialize(_ slot: Int, _ value: Value) {
    let (storage, address) = place(slot)
    switch (value, storage) {
    case (.null, _): return setTag(Tag.null, slot)
    case (.integer(let value), .integer): address.storeBytes(of: value, as: Int64.self)
    case (.real(let value), .real): address.storeBytes(of: value, as: Double.self)
    case (.text(let value), .text): address.initializeMemory(as: String.self, to: value)
    case (.data(let value), .data): address.initializeMemory(as: Data.self, to: value)
    case (.identity(let value), .identity):
      address.initializeMemory(as: NSManagedObjectID.self, to: value)
    case (.object(let value), .object): address.initializeMemory(as: AnyObject.self, to: value)
    default: return misplace(value, slot, address)
    }
    setTag(Tag.plain, slot)
  }

  // The same by type, for who has read a value of the slot's own type.

  @inline(__always)
  func initialize(_ slot: Int, integer value: Int64) {
    initialize(slot, value, as: .integer, Value.integer)
  }

  @inline(__always)
  func initialize(_ slot: Int, real value: Double) {
    initialize(slot, value, as: .real, Value.real)
  }

  @inline(__always)
  func initialize(_ slot: Int, text value: consuming String) {
    initialize(slot, value, as: .text, Value.text)
  }

  @inline(__always)
  private func initialize<Held>(
    _ slot: Int, _ value: consuming Held, as kind: RowFormat.Storage, _ wrapped: (Held) -> Value
  ) {
    let (storage, address) = place(slot)
    guard storage == kind else { return initialize(slot, wrapped(value)) }
    address.initializeMemory(as: Held.self, to: value)
    setTag(Tag.plain, slot)
  }

  /// The identity of an object of the row's own space.
  @inline(__always)
  package func initialize(_ slot: Int, packed: PackedIdentity) {
    place(slot).address.storeBytes(of: packed.bits, as: UInt64.self)
    setTag(Tag.packed, slot)
  }

  @inline(never)
  private func misplace(_ value: Value, _ slot: Int, _ address: UnsafeMutableRawPointer) {
    address.initializeMemory(as: MisplacedValue.self, to: MisplacedValue(value))
    setTag(Tag.misplaced, slot)
  }

  /// Frees what a slot holds. Its tag is left to the caller.
  @inline(__always)
  fileprivate func release(_ slot: Int) {
    let (storage, address) = place(slot)
    let tag = tag(slot)
    if tag == Tag.packed { return }
    if tag == Tag.misplaced {
      address.assumingMemoryBound(to: MisplacedValue.self).deinitialize(count: 1)
      return
    }
    switch storage {
    case .integer, .real: break
    case .text: address.assumingMemoryBound(to: String.self).deinitialize(count: 1)
    case .data: address.assumingMemoryBound(to: Data.self).deinitialize(count: 1)
    case .identity:
      address.assumingMemoryBound(to: NSManagedObjectID.self).deinitialize(count: 1)
    case .object: address.assumingMemoryBound(to: AnyObject.self).deinitialize(count: 1)
    }
  }
}
