import Synchronization

/// The identities of one store: makes object IDs and keeps them unique while they are alive, and finds the
/// newest row of an object that is alive: the store's row cache.
///
/// Owned by its store. Its IDs, and the rows that it has published, point at it without counting: each of
/// them a count would be a word that all threads write. Instead every stripe of its tables that has a
/// member owns the space once. Thread-safe: the tables lock themselves.
package final class IdentitySpace: @unchecked Sendable {
  /// The store's number in its coordinator, 0…127.
  package let storeOrdinal: Int
  package let storeUUID: String
  /// nil once the store is gone or its coordinator has given it up.
  package internal(set) var store: NSPersistentStore? {
    get { storeReference.target }
    set {
      guard let newValue else { return storeReference.clear() }
      storeReference.point(to: newValue)
      hasReferences = newValue.referenceTable != nil
    }
  }
  /// Whether the store is there, and one of this coordinator.
  func isOf(_ coordinator: NSPersistentStoreCoordinator) -> Bool {
    let reference = coordinator.reference
    return storeReference.holds { $0.coordinatorReference === reference }
  }
  /// Whether the store knows its objects by references of its own, instead of their keys.
  private var hasReferences = false
  // The store clears it when it dies.
  private let storeReference = SoftReference<NSPersistentStore>()
  /// Set once, before the first ID is made; nil for stores that do not want to know.
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

  /// So many stripes have got their first member.
  @inline(__always)
  private func retain(_ count: Int) {
    for _ in 0..<count { _ = Unmanaged.passRetained(self) }
  }

  /// A stripe has lost its last member. Perhaps the end of the space.
  private func release() { Unmanaged.passUnretained(self).release() }

  // MARK: - Identities

  /// The one ID of the object of this entity with this primary key.
  package func identity(_ layout: EntityLayout, key: Int64) -> NSManagedObjectID {
    let packed = packed(layout, key: key)
    var identity: NSManagedObjectID?
    let filled = identities[layout.rootNumber].inRuns(1, key: { _ in UInt64(key) }) { stripe, _ in
      identity = self.identity(layout.format, packed, in: &stripe)
    }
    retain(filled)
    return identity.unsafelyUnwrapped
  }

  /// The IDs of objects of an entity, each the one of its object.
  private func identities(
    _ layout: EntityLayout, _ packed: UnsafeBufferPointer<PackedIdentity>
  ) -> [NSManagedObjectID] {
    // The array of nothing is one for all threads, and filling it would write to it.
    if packed.isEmpty { return [] }
    let (table, format) = (identities[layout.rootNumber], layout.format)
    table.reserve(packed.count)
    return [NSManagedObjectID](unsafeUninitializedCapacity: packed.count) { result, count in
      let filled = table.inRuns(packed.count, key: { UInt64(packed[$0].key) }) { stripe, run in
        for position in run {
          result.initializeElement(
            at: position, to: identity(format, packed[position], in: &stripe))
        }
      }
      retain(filled)
      count = packed.count
    }
  }

  @inline(__always)
  private func identity(
    _ format: UnsafePointer<RowFormat>, _ packed: PackedIdentity,
    in stripe: inout StripedWeakTable<NSManagedObjectID>.Stripe
  ) -> NSManagedObjectID {
    let key = UInt64(packed.key)
    if let known = stripe.lookUp(key) { return known }
    let made = NSManagedObjectID(format: format, packed: packed, space: .passUnretained(self))
    stripe.enter(made, key)
    return made
  }

  /// So many IDs are about to be asked for: makes room for them.
  func expect(_ count: Int, _ layout: EntityLayout) {
    identities[layout.rootNumber].reserve(count)
  }

  /// The ID of an object if somebody has it.
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
      let identities = run.withUnsafeBufferPointer { self.identities(layout, $0) }
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

  /// How a key reads in a URI, after the `p`. Stores whose references are not numbers override
  /// this through their own table.
  func referenceText(_ key: Int64) -> String {
    store?.referenceText(forKey: key) ?? String(key)
  }

  /// The same with its `p`. Without a conversion of texts: a save tells one for each object that it has written.
  func reference(_ key: Int64) -> String {
    // What is no longer than 15 bytes takes no memory of its own.
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

  /// Called by an ID's `deinit`; perhaps the end of the space.
  func forget(_ identity: NSManagedObjectID) {
    let table = identities[identity.rootNumber]
    if table.remove(identity, for: UInt64(identity.packed.key)) { release() }
  }

  // MARK: - Rows

  /// The newest row of this object that some context or the caller holds; nil when there is none.
  package func cachedRow(_ layout: EntityLayout, _ packed: PackedIdentity) -> Row? {
    cachedRow(rootNumber: layout.rootNumber, packed)
  }

  @inline(__always)
  func cachedRow(rootNumber: Int, _ packed: PackedIdentity) -> Row? {
    guard let row = rows[rootNumber].object(for: UInt64(packed.key)), row.packed == packed
    else { return nil }
    return row
  }

  /// Where rows that are to be published come from.
  package enum RowSource {
    /// A store that has just written them, or that alone knows which is the newest.
    case saved
    /// A look at a store, which a save may have overtaken: a row with a higher version stays the cached one.
    case read
  }

  /// Makes sealed rows the cached ones. Those that are already stay as they are.
  package func publish(_ new: ArraySlice<Row>, _ source: RowSource) {
    var start = new.startIndex
    while start < new.endIndex {
      let root = new[start].rootNumber
      let end = new[start...].firstIndex { $0.rootNumber != root } ?? new.endIndex
      publish(new[start..<end], source, rootNumber: root)
      start = end
    }
  }

  /// The same for rows of one tree of entities.
  func publish(_ new: ArraySlice<Row>, _ source: RowSource, rootNumber: Int) {
    new.withUncounted { publish($0, source, rows[rootNumber]) }
  }

  private func publish(
    _ new: UnsafeBufferPointer<Unmanaged<Row>>, _ source: RowSource,
    _ table: StripedWeakTable<Row>
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
          stripe.enter(row, UInt64(row.packed.key)) { known in
            source == .read && known._withUnsafeGuaranteedRef { $0.version } > row.version
          }
        }
      }
    }
    retain(filled)
  }

  /// Takes a row in that its store keeps, before another thread can see it: it is published from here on, so that nobody
  /// writes to it any more, and found once somebody has read it.
  func admit(_ row: Row) {
    if row.isPublished { return }
    let filled = rows[row.rootNumber].inRuns(1, key: { _ in UInt64(row.packed.key) }) { stripe, _ in
      row.notePublication()
      stripe.admit()
    }
    retain(filled)
  }

  /// Makes a row that its store keeps the cached one, unless there is one of a higher version.
  func offer(_ row: Row) {
    let key = UInt64(row.packed.key)
    _ = rows[row.rootNumber].inRuns(1, key: { _ in key }) { stripe, _ in
      stripe.offer(row, key) { $0._withUnsafeGuaranteedRef { $0.version } > row.version }
    }
  }

  /// Called by a row's `deinit`; perhaps the end of the space.
  func withdraw(_ row: Row) {
    if rows[row.rootNumber].remove(row, for: UInt64(row.packed.key)) { release() }
  }
}
