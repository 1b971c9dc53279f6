import Synchronization

/// The identity map of one store: makes object IDs, keeps them unique while they are alive, and
/// finds the newest row of a live object (the store's row cache).
///
/// Owned by its store. IDs and published rows refer to it unretained: otherwise all threads would
/// write one reference count for each of them. Instead, every stripe of its tables that has a
/// member retains the space once.
///
/// Sendable: the tables have locks; `store`, `hasReferences` and `usage` are set before the first
/// ID is made, and `storeReference` has a lock of its own; the rest is immutable.
package final class IdentitySpace: @unchecked Sendable {
  /// The store's number in its coordinator, 0…127.
  package let storeOrdinal: Int
  package let storeUUID: String
  /// The store; nil once it is freed or removed from its coordinator.
  package internal(set) var store: NSPersistentStore? {
    get { storeReference.target }
    set {
      guard let newValue else { return storeReference.clear() }
      storeReference.point(to: newValue)
      hasReferences = newValue.referenceTable != nil
    }
  }

  /// Whether the store identifies its objects by references of its own instead of their keys.
  private var hasReferences = false
  // The store clears it in its `deinit`.
  let storeReference = SoftReference<NSPersistentStore>()
  /// Notes the use of objects; set once, before the first ID is made; nil for stores that do not
  /// need it.
  var usage: ObjectUsage?
  /// By ``EntityLayout/number``; index 0 is unused.
  private let layouts: [EntityLayout?]
  private let tableCount: Int
  /// By ``EntityLayout/rootNumber``: the entities of one tree share their keys.
  private let identities: UnsafeMutablePointer<StripedWeakTable<NSManagedObjectID>>
  private let rows: UnsafeMutablePointer<StripedWeakTable<Row>>

  package init(storeOrdinal: Int, storeUUID: String, layouts: [EntityLayout]) {
    self.storeOrdinal = storeOrdinal
    self.storeUUID = storeUUID
    let highest = layouts.map(\.number).max() ?? 0
    var byNumber: [EntityLayout?] = Array(repeating: nil, count: highest + 1)
    for layout in layouts { byNumber[layout.number] = layout }
    self.layouts = byNumber
    tableCount = (layouts.map(\.rootNumber).max() ?? 0) + 1
    identities = Self.tables(tableCount)
    rows = Self.tables(tableCount)
  }

  deinit {
    for number in 0..<tableCount {
      identities[number].deallocate()
      rows[number].deallocate()
    }
    identities.deallocate()
    rows.deallocate()
  }

  private static func tables<Element>(
    _ count: Int
  ) -> UnsafeMutablePointer<StripedWeakTable<Element>> {
    let tables = UnsafeMutablePointer<StripedWeakTable<Element>>.allocate(capacity: count)
    for number in 0..<count { (tables + number).initialize(to: StripedWeakTable()) }
    return tables
  }

  /// Retains the space for each stripe that has got its first member.
  @inline(__always)
  private func retain(_ count: Int) {
    for _ in 0..<count { _ = Unmanaged.passRetained(self) }
  }

  /// Releases the space after a stripe has lost its last member; may free it.
  private func release() { Unmanaged.passUnretained(self).release() }

  // MARK: - Identities

  /// The unique ID of the object with this entity and primary key.
  package func identity(_ layout: EntityLayout, key: Int64) -> NSManagedObjectID {
    let packed = packed(layout, key: key)
    var identity: NSManagedObjectID?
    let filled = identities[layout.rootNumber].inRuns(1, key: { _ in UInt64(key) }) { stripe, _ in
      identity = self.identity(layout.format, packed: packed, in: &stripe)
    }
    retain(filled)
    return identity.unsafelyUnwrapped
  }

  /// The unique IDs of objects of an entity.
  private func identities(
    _ layout: EntityLayout, packed: UnsafeBufferPointer<PackedIdentity>
  ) -> [NSManagedObjectID] {
    // The empty array is shared by all threads: writing its count would be a data race.
    if packed.isEmpty { return [] }
    let (table, format) = (identities[layout.rootNumber], layout.format)
    table.reserve(packed.count)
    return [NSManagedObjectID](unsafeUninitializedCapacity: packed.count) { result, count in
      let filled = table.inRuns(packed.count, key: { UInt64(packed[$0].key) }) { stripe, run in
        for position in run {
          result.initializeElement(
            at: position, to: identity(format, packed: packed[position], in: &stripe))
        }
      }
      retain(filled)
      count = packed.count
    }
  }

  @inline(__always)
  private func identity(
    _ format: UnsafePointer<RowFormat>, packed: PackedIdentity,
    in stripe: inout StripedWeakTable<NSManagedObjectID>.Stripe
  ) -> NSManagedObjectID {
    let key = UInt64(packed.key)
    if let known = stripe.lookUp(key) { return known }
    let made = NSManagedObjectID(format: format, packed: packed, space: .passUnretained(self))
    stripe.enter(made, key: key)
    return made
  }

  /// Makes room for `count` further IDs.
  func expect(_ count: Int, layout: EntityLayout) {
    identities[layout.rootNumber].reserve(count)
  }

  /// The ID of an object if it exists already.
  func knownIdentity(_ layout: EntityLayout, key: Int64) -> NSManagedObjectID? {
    identities[layout.rootNumber].object(for: UInt64(key))
  }

  @inline(__always)
  package func packed(_ layout: EntityLayout, key: Int64) -> PackedIdentity {
    PackedIdentity(storeOrdinal: storeOrdinal, entityNumber: layout.number, key: key)
  }

  package func identity(_ packed: PackedIdentity) -> NSManagedObjectID {
    identity(layout(of: packed), key: packed.key)
  }

  /// The IDs of objects of this store, in their order.
  package func identities(_ packed: ArraySlice<PackedIdentity>) -> [NSManagedObjectID] {
    var result: [NSManagedObjectID] = []
    var rest = packed
    while let number = rest.first?.entityNumber {
      let run = rest.prefix { $0.entityNumber == number }
      let layout = layout(of: run[run.startIndex])
      let identities = run.withUnsafeBufferPointer { self.identities(layout, packed: $0) }
      if run.count == packed.count { return identities }
      result += identities
      rest = rest[run.endIndex...]
    }
    return result
  }

  package func layout(number: Int) -> EntityLayout? {
    layouts.indices.contains(number) ? layouts[number] : nil
  }

  private func layout(of packed: PackedIdentity) -> EntityLayout {
    guard let layout = layout(number: packed.entityNumber) else {
      preconditionFailure("No entity has the number \(packed.entityNumber) in this model")
    }
    return layout
  }

  /// The text of a key in a URI, without the `p`. Stores whose references are not numbers map it in
  /// their own table.
  func referenceText(_ key: Int64) -> String {
    store?.referenceText(forKey: key) ?? String(key)
  }

  /// The text of a key in a URI, with the `p`. Built without a text conversion, because a save
  /// needs one for each object that it has written.
  func reference(_ key: Int64) -> String {
    // Strings of up to 15 bytes need no allocation.
    let longest = 15
    if hasReferences { return "p" + referenceText(key) }
    guard (0..<100_000_000_000_000).contains(key) else { return "p\(key)" }
    return String(unsafeUninitializedCapacity: longest) { bytes in
      bytes[0] = UInt8(ascii: "p")
      var (count, limit) = (2, Int64(10))
      while key >= limit { (count, limit) = (count + 1, limit * 10) }
      var rest = key
      for place in (1..<count).reversed() {
        bytes[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      return count
    }
  }

  /// Removes an ID. Called by its `deinit`; may free the space.
  func forget(_ identity: NSManagedObjectID) {
    let table = identities[identity.rootNumber]
    if table.remove(identity, for: UInt64(identity.packed.key)) { release() }
  }

  // MARK: - Rows

  /// The newest row of this object that is alive; nil if there is none.
  package func cachedRow(_ layout: EntityLayout, packed: PackedIdentity) -> Row? {
    cachedRow(rootNumber: layout.rootNumber, packed)
  }

  @inline(__always)
  func cachedRow(rootNumber: Int, _ packed: PackedIdentity) -> Row? {
    guard let row = rows[rootNumber].object(for: UInt64(packed.key)), row.packed == packed
    else { return nil }
    return row
  }

  /// The origin of rows to publish.
  package enum RowSource {
    /// A store that has just written the rows, or that alone knows the newest ones.
    case saved
    /// A read of a store, which a save may have overtaken: a cached row with a higher version is
    /// kept.
    case read
  }

  /// Makes sealed rows the cached ones. Published rows are left unchanged.
  package func publish(_ new: ArraySlice<Row>, source: RowSource) {
    var start = new.startIndex
    while start < new.endIndex {
      let root = new[start].rootNumber
      let end = new[start...].firstIndex { $0.rootNumber != root } ?? new.endIndex
      publish(new[start..<end], source: source, rootNumber: root)
      start = end
    }
  }

  /// Makes sealed rows of one tree of entities the cached ones.
  func publish(_ new: ArraySlice<Row>, source: RowSource, rootNumber: Int) {
    new.withUncounted { publish($0, source: source, table: rows[rootNumber]) }
  }

  // Sound: the array keeps the rows alive while `body` runs.
  private func publish(
    _ new: UnsafeBufferPointer<Unmanaged<Row>>, source: RowSource,
    table: StripedWeakTable<Row>
  ) {
    func key(_ position: Int) -> UInt64 {
      new[position]._withUnsafeGuaranteedRef { UInt64($0.packed.key) }
    }
    table.reserve(new.count)
    let filled = table.inRuns(new.count, key: key) { stripe, run in
      for position in run {
        new[position]._withUnsafeGuaranteedRef { row in
          guard !row.isPublished else { return }
          row.notePublication()
          stripe.enter(row, key: UInt64(row.packed.key)) { known in
            source == .read && known._withUnsafeGuaranteedRef { $0.version } > row.version
          }
        }
      }
    }
    retain(filled)
  }

  /// Marks a row as published that its store keeps, before another thread can see it: nothing
  /// writes to it any more. The row is found in the cache only after a read has offered it.
  func admit(_ row: Row) {
    if row.isPublished { return }
    let filled = rows[row.rootNumber].inRuns(1, key: { _ in UInt64(row.packed.key) }) { stripe, _ in
      row.notePublication()
      stripe.admit()
    }
    retain(filled)
  }

  /// Makes a row that its store keeps the cached one, unless a row with a higher version is cached.
  func offer(_ row: Row) {
    let key = UInt64(row.packed.key)
    _ = rows[row.rootNumber].inRuns(1, key: { _ in key }) { stripe, _ in
      stripe.offer(row, key: key) { $0._withUnsafeGuaranteedRef { $0.version } > row.version }
    }
  }

  /// Removes a row. Called by its `deinit`; may free the space.
  func withdraw(_ row: Row) {
    if rows[row.rootNumber].remove(row, for: UInt64(row.packed.key)) { release() }
  }
}
