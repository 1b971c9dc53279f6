/// A snapshot of the stored values of one object.
///
///     ┌ object header ┬ space, format, identity, version ┬ tags ┬ slot 0 │ slot 1 │ … ┐
///     └───────────────┴──────────────────────────────────┴──────┴────────┴────────┴───┘
///
/// One allocation. Each slot has the words that its type needs (see ``RowFormat``). Two bits in
/// `tags` say whether it holds nothing, a value of that type, the 64 bits of an identity, or a
/// reference to a value of another type. A row is filled by its maker, then *sealed*: from then on
/// it never changes and is shared by the store's row cache and every context. A managed object
/// edits an unsealed copy of its own.
package final class Row: ManagedBuffer<Row.Header, UInt64> {
  package struct Header {
    /// The space of the identity; nil while the object has never been saved. Retained if `state`
    /// has the flag `ownsSpace`; otherwise the row is published, and the space lives at least as
    /// long.
    var space: Unmanaged<IdentitySpace>?
    let format: UnsafePointer<RowFormat>
    var packed: PackedIdentity
    /// The version, above the bits of the flags.
    var state: Int64
  }

  private enum Flag {
    static let sealed: Int64 = 1
    static let published: Int64 = 2
    static let ownsSpace: Int64 = 4
    /// Unsaved values of a parent context: no store has had them under the row's version.
    static let unsaved: Int64 = 8
    /// The number of bits of the flags.
    static let bits: Int64 = 4
  }

  /// Makes a row of nulls, to be filled with ``initialize(_:value:)``.
  @inline(__always)
  package static func make(
    _ layout: EntityLayout, packed: PackedIdentity, in space: IdentitySpace?, version: Int64
  ) -> Row {
    // Sound: `own(_:)` retains the space right after.
    let row = make(
      layout.format, packed: packed, in: space.map(Unmanaged.passUnretained), version: version)
    if let space { row.own(space) }
    return row
  }

  /// Makes a row of nulls that does not retain its space, a reference count that all threads would
  /// write. The row must be published before its maker releases the space.
  @inline(__always)
  static func make(
    _ format: UnsafePointer<RowFormat>, packed: PackedIdentity,
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

  /// Makes an unsealed row of nulls.
  package static func empty(_ identity: NSManagedObjectID) -> Row {
    make(identity.layout, packed: identity.packed, in: identity.space, version: 0)
  }

  deinit {
    for slot in 0..<count where tag(slot) != Tag.null { release(slot) }
    // Sound: a space lives as long as one of its published rows.
    if head.pointee.state & Flag.published != 0 {
      head.pointee.space?._withUnsafeGuaranteedRef { $0.withdraw(self) }
    }
    disownSpace()
  }

  // MARK: - Identity and state

  /// The object's ID, made if it does not exist yet.
  package var identity: NSManagedObjectID {
    .of(packed, layout: layout, in: space)
  }
  package var packed: PackedIdentity { head.pointee.packed }
  /// The space, unretained; valid as long as the row.
  var spaceReference: Unmanaged<IdentitySpace>? { head.pointee.space }
  var format: UnsafePointer<RowFormat> { head.pointee.format }
  package var space: IdentitySpace? { head.pointee.space?.takeUnretainedValue() }
  package var layout: EntityLayout { head.pointee.format.pointee.layout.takeUnretainedValue() }

  /// Whether both rows are of one entity. Retains nothing.
  func isOfEntity(of other: Row) -> Bool {
    head.pointee.format == other.head.pointee.format
  }
  /// The root number of the entity's tree.
  var rootNumber: Int { head.pointee.format.pointee.rootNumber }
  package var version: Int64 { head.pointee.state >> Flag.bits }
  package var count: Int { head.pointee.format.pointee.count }
  package var isSealed: Bool { head.pointee.state & Flag.sealed != 0 }
  /// Whether the row holds unsaved values of a parent context; the version is that of the saved
  /// row.
  var isUnsaved: Bool { head.pointee.state & Flag.unsaved != 0 }

  /// Sets the permanent identity of the row's object.
  package func becomePermanent(_ packed: PackedIdentity, in space: IdentitySpace?) {
    becomePermanent(packed, inUncounted: space.map(Unmanaged.passUnretained))
  }

  /// Sets the permanent identity, without retaining a space that the row already has.
  func becomePermanent(_ packed: PackedIdentity, inUncounted space: Unmanaged<IdentitySpace>?) {
    precondition(!isSealed, "A sealed row does not change")
    head.pointee.packed = packed
    if space?.toOpaque() == head.pointee.space?.toOpaque() { return }
    unpackIdentities()
    disownSpace()
    head.pointee.space = nil
    // Sound: the caller keeps the space alive; `own(_:)` retains it.
    if let space { own(space.takeUnretainedValue()) }
  }

  /// Replaces packed identities by IDs: they are relative to the row's own space.
  private func unpackIdentities() {
    for slot in 0..<count where tag(slot) == Tag.packed { initialize(slot, value: value(slot)) }
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
      initialize(slot, value: newValue)
    }
  }

  /// Sets every slot to nil.
  func clear() {
    precondition(!isSealed, "A sealed row does not change")
    for slot in 0..<count where tag(slot) != Tag.null { release(slot) }
    for word in 0..<head.pointee.format.pointee.tagWords { words[word] = 0 }
  }

  /// Whether the slot has a value of its own type.
  func holdsPlainValue(_ slot: Int) -> Bool {
    let tag = tag(slot)
    return tag == Tag.plain || tag == Tag.packed
  }

  /// The text of a text slot, retained once; nil for all other slots and values.
  @inline(__always)
  func plainText(_ slot: Int) -> String? {
    precondition(slot >= 0 && slot < count, "Slot \(slot) of a row of \(count)")
    let (storage, address) = place(slot)
    guard tag(slot) == Tag.plain, storage == .text else { return nil }
    return address.assumingMemoryBound(to: String.self).pointee
  }

  /// The result of `body` for the UTF-8 bytes of a text slot, read in place without retaining them;
  /// nil for all other slots and values.
  @inline(__always)
  func withPlainText<Result>(
    _ slot: Int, body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result? {
    precondition(slot >= 0 && slot < count, "Slot \(slot) of a row of \(count)")
    let (storage, address) = place(slot)
    guard storage == .text, tag(slot) == Tag.plain else { return nil }
    return try address.assumingMemoryBound(to: String.self).pointee.utf8
      .withContiguousStorageIfAvailable(body)
  }

  /// The permanent identity in a to-one slot, without retaining its ID; nil if the slot is empty or
  /// holds a temporary ID, which may have become permanent.
  @inline(__always)
  package func permanentIdentity(_ slot: Int) -> PackedIdentity? {
    let (storage, address) = place(slot)
    let tag = tag(slot)
    if tag == Tag.packed { return PackedIdentity(bits: address.load(as: UInt64.self)) }
    guard tag == Tag.plain, storage == .identity else { return nil }
    // Sound: the slot holds a reference to an ID, which it keeps alive.
    let packed = address.load(as: Unmanaged<NSManagedObjectID>.self)
      ._withUnsafeGuaranteedRef { $0.packed }
    return packed.isTemporary ? nil : packed
  }

  /// Makes an unsealed copy, for edits.
  package func copy() -> Row {
    let copy = Row.make(layout, packed: packed, in: space, version: version)
    copy.words.update(from: words, count: head.pointee.format.pointee.words)
    // A number is copied by its bits; retained values overwrite them.
    for slot in 0..<count where holdsCounted(slot) { copy.initialize(slot, value: value(slot)) }
    return copy
  }

  /// Replaces temporary IDs in to-one slots by the permanent IDs of their objects.
  package func resolveIdentities() {
    for slot in head.pointee.format.pointee.references where tag(Int(slot)) == Tag.plain {
      guard case .identity(let id) = value(Int(slot)), id.isTemporaryID else { continue }
      self[Int(slot)] = .identity(id.resolved)
    }
  }

  /// The slots in which the rows differ; both must be of one entity.
  package func differences(from other: Row) -> [Int] {
    (0..<count).filter { differs(from: other, in: $0) }
  }

  /// Whether the rows, both of one entity, have different values in a slot. Equal bits are equal
  /// values, which decides most comparisons.
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
    // One or two words: calling `memcmp` would take longer than the comparison.
    for word in Int(place.offset)..<Int(place.offset) + place.storage.words
    where words[word] != other.words[word] {
      return false
    }
    return true
  }

  // MARK: - Sealing and sharing

  /// Seals the row with the identity and version that the save has assigned.
  package func seal(_ packed: PackedIdentity, in space: IdentitySpace?, version: Int64) {
    seal(packed, inUncounted: space.map(Unmanaged.passUnretained), version: version)
  }

  /// Seals the row, without retaining a space that the row already has.
  func seal(
    _ packed: PackedIdentity, inUncounted space: Unmanaged<IdentitySpace>?, version: Int64
  ) {
    becomePermanent(packed, inUncounted: space)
    let flags = head.pointee.state & Flag.ownsSpace | Flag.sealed
    head.pointee.state = version << Flag.bits | flags
  }

  /// Sets the version of an unsealed row to that of the row that its values are based on.
  func note(version: Int64) {
    if isSealed { return }
    head.pointee.state = version << Flag.bits | head.pointee.state & (1 << Flag.bits - 1)
  }

  package func seal(identity: NSManagedObjectID, version: Int64) {
    seal(identity.packed, in: identity.space, version: version)
  }

  /// Seals the row as unsaved values of a parent context.
  func sealUnsaved(_ packed: PackedIdentity, in space: IdentitySpace?) {
    seal(packed, in: space, version: version)
    head.pointee.state |= Flag.unsaved
  }

  /// Seals the row with its current identity and version.
  package func seal() { head.pointee.state |= Flag.sealed }

  /// Makes a sealed row the cached one of its identity.
  package func share(_ source: IdentitySpace.RowSource) { space?.publish([self], source: source) }

  var isPublished: Bool { head.pointee.state & Flag.published != 0 }

  /// Marks the row as published. Called only by the space.
  func notePublication() { head.pointee.state |= Flag.published }

  /// Whether this is the cached row, which the contexts of its coordinator share.
  package var isShared: Bool { space?.cachedRow(layout, packed: packed) === self }
}

// MARK: - Memory layout

/// The values of a slot's two tag bits.
private enum Tag {
  static let null: UInt64 = 0
  /// A value of the slot's own type.
  static let plain: UInt64 = 1
  /// A reference to a ``MisplacedValue``.
  static let misplaced: UInt64 = 2
  /// A ``PackedIdentity`` in the row's own space instead of the ID, which is made on request.
  /// Otherwise the rows of a fetch would each retain the ID that they refer to, often a single one,
  /// by a reference count that all threads write.
  static let packed: UInt64 = 3
}

/// A value of another type than the slot's: one that could not be decoded, or one written by a
/// class that declares another type than its model.
private final class MisplacedValue {
  let value: Value
  init(_ value: Value) { self.value = value }
}

// Sound: the tail is allocated with the number of words that the format counts, and each slot is
// read and freed as the type that its tag states.
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
  private func setTag(_ tag: UInt64, slot: Int) {
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
    if tag != Tag.plain { return uncommonValue(tag, address: address) }
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
  private func uncommonValue(_ tag: UInt64, address: UnsafeMutableRawPointer) -> Value {
    if tag == Tag.misplaced {
      return address.assumingMemoryBound(to: MisplacedValue.self).pointee.value
    }
    guard let space else { preconditionFailure("A packed identity in a row without a space") }
    return .identity(space.identity(PackedIdentity(bits: address.load(as: UInt64.self))))
  }

  /// Initializes an empty slot with a value.
  @inline(__always)
  package func initialize(_ slot: Int, value: Value) {
    let (storage, address) = place(slot)
    switch (value, storage) {
    case (.null, _): return setTag(Tag.null, slot: slot)
    case (.integer(let value), .integer): address.storeBytes(of: value, as: Int64.self)
    case (.real(let value), .real): address.storeBytes(of: value, as: Double.self)
    case (.text(let value), .text): address.initializeMemory(as: String.self, to: value)
    case (.data(let value), .data): address.initializeMemory(as: Data.self, to: value)
    case (.identity(let value), .identity):
      address.initializeMemory(as: NSManagedObjectID.self, to: value)
    case (.object(let value), .object): address.initializeMemory(as: AnyObject.self, to: value)
    default: return misplace(value, slot: slot, address: address)
    }
    setTag(Tag.plain, slot: slot)
  }

  // Typed variants, for values that were read as the slot's own type.

  @inline(__always)
  func initialize(_ slot: Int, integer value: Int64) {
    initialize(slot, value: value, as: .integer, wrapped: Value.integer)
  }

  @inline(__always)
  func initialize(_ slot: Int, real value: Double) {
    initialize(slot, value: value, as: .real, wrapped: Value.real)
  }

  @inline(__always)
  func initialize(_ slot: Int, text value: consuming String) {
    initialize(slot, value: value, as: .text, wrapped: Value.text)
  }

  @inline(__always)
  private func initialize<Held>(
    _ slot: Int, value: consuming Held, as kind: RowFormat.Storage, wrapped: (Held) -> Value
  ) {
    let (storage, address) = place(slot)
    guard storage == kind else { return initialize(slot, value: wrapped(value)) }
    address.initializeMemory(as: Held.self, to: value)
    setTag(Tag.plain, slot: slot)
  }

  /// Initializes an empty slot with the identity of an object in the row's own space.
  @inline(__always)
  package func initialize(_ slot: Int, packed: PackedIdentity) {
    place(slot).address.storeBytes(of: packed.bits, as: UInt64.self)
    setTag(Tag.packed, slot: slot)
  }

  @inline(never)
  private func misplace(_ value: Value, slot: Int, address: UnsafeMutableRawPointer) {
    address.initializeMemory(as: MisplacedValue.self, to: MisplacedValue(value))
    setTag(Tag.misplaced, slot: slot)
  }

  /// Frees the value of a slot; the caller sets the tag.
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
