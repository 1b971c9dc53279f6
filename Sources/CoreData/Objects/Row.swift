/// A snapshot of one object's stored values.
///
///     ┌ object header ┬ identity ┬ version ┬ count, sealed ┬ value 0 │ value 1 │ … ┐
///     └───────────────┴──────────┴─────────┴───────────────┴─────────┴─────────┴───┘
///
/// One allocation; the values follow the header in the order of ``EntityLayout/slots``. A row is
/// filled by its maker, then *sealed*: from then on it never changes and is shared by the store's
/// cache and every context. A managed object edits an unsealed copy that is its own.
package final class Row: ManagedBuffer<Row.Header, Value> {
  package struct Header {
    /// Whose values these are. A save replaces a temporary identity before it seals the row.
    var identity: NSManagedObjectID
    /// `Z_OPT`: 1 at the first save, one more at each later one; 0 before.
    var version: Int64
    let count: Int32
    var isSealed: Bool
  }

  /// A row of `layout`'s slots, each filled by `fill` (which must initialise all of them).
  package static func make(
    _ identity: NSManagedObjectID, version: Int64,
    fill: (UnsafeMutablePointer<Value>) throws -> Void
  ) rethrows -> Row {
    let count = identity.layout.slots.count
    let header = Header(identity: identity, version: version, count: 0, isSealed: false)
    let buffer = Row.create(minimumCapacity: count) { _ in header }
    // Until the values are there the count is 0, so that an error in `fill` frees nothing more.
    try buffer.withUnsafeMutablePointerToElements(fill)
    buffer.withUnsafeMutablePointerToHeader {
      $0.initialize(
        to: Header(
          identity: identity, version: version, count: Int32(count), isSealed: false))
    }
    return unsafeDowncast(buffer, to: Row.self)
  }

  /// An unsealed row of nulls.
  package static func empty(_ identity: NSManagedObjectID) -> Row {
    make(identity, version: 0) {
      $0.initialize(repeating: .null, count: identity.layout.slots.count)
    }
  }

  deinit {
    if header.isSealed { header.identity.withdraw(self) }
    let count = Int(header.count)
    withUnsafeMutablePointerToElements { _ = $0.deinitialize(count: count) }
  }

  package var identity: NSManagedObjectID { header.identity }
  package var layout: EntityLayout { header.identity.layout }
  package var version: Int64 { header.version }
  package var count: Int { Int(header.count) }
  package var isSealed: Bool { header.isSealed }

  package subscript(slot: Int) -> Value {
    get {
      precondition(slot >= 0 && slot < count, "Slot \(slot) of a row of \(count)")
      return withUnsafeMutablePointerToElements { $0[slot] }
    }
    set {
      precondition(!isSealed, "A sealed row does not change")
      precondition(slot >= 0 && slot < count, "Slot \(slot) of a row of \(count)")
      withUnsafeMutablePointerToElements { $0[slot] = newValue }
    }
  }

  /// An unsealed copy, for edits.
  package func copy() -> Row {
    Row.make(identity, version: version) { target in
      withUnsafeMutablePointerToElements { target.initialize(from: $0, count: count) }
    }
  }

  /// The object has become permanent; its to-one values follow those that have.
  package func becomePermanent(_ identity: NSManagedObjectID) {
    precondition(!isSealed, "A sealed row does not change")
    header.identity = identity
  }

  /// Replaces temporary IDs in to-one slots by the permanent ones that their objects have now.
  package func resolveIdentities() {
    for slot in 0..<count {
      guard case .identity(let id) = self[slot], id.isTemporaryID else { continue }
      self[slot] = .identity(id.resolved)
    }
  }

  /// Ends the edits: sets what the save gave the row.
  package func seal(identity: NSManagedObjectID, version: Int64) {
    precondition(!isSealed, "A row is sealed once")
    header.identity = identity
    header.version = version
    header.isSealed = true
  }

  /// Seals a row as its maker filled it, and makes it the cached one of its identity.
  package func publish() -> Row {
    header.isSealed = true
    identity.publish(self)
    return self
  }

  /// Whether this is the row that the contexts of its coordinator share.
  package var isShared: Bool { identity.cachedRow === self }

  /// The slots in which the rows differ; both belong to one entity.
  package func differences(from other: Row) -> [Int] {
    (0..<count).filter { self[$0] != other[$0] }
  }
}
