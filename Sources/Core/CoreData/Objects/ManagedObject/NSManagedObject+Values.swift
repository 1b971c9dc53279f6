extension NSManagedObject {
  /// The value in a slot; fires the fault if needed.
  @inline(__always)
  final func read(_ slot: Int) -> Value {
    if flags.contains(.fault) { fireFault() }
    // Sound: the object keeps the row alive, and reading a slot does not replace it.
    if let row = currentReference { return row._withUnsafeGuaranteedRef { $0[slot] } }
    return readableRow[slot]
  }

  /// Writes a slot as a tracked edit.
  final func write(_ value: Value, slot: Int) {
    if flags.contains(.observed) { return writeObserved(value, slot: slot) }
    noteEdit()
    guard !writeInPlace(value, slot: slot) else { return }
    editableRow[slot] = value
  }

  private func writeObserved(_ value: Value, slot: Int) {
    changing(.slot(slot)) {
      noteEdit()
      editableRow[slot] = value
    }
  }

  /// Writes a slot without notifying the context.
  final func writePrimitive(_ value: Value, slot: Int) { editableRow[slot] = value }

  /// The registered object of a to-one slot, if finding it needs no reading and no new object.
  @inline(__always)
  final func registeredDestination(
    _ slot: Int, unless slow: Flags = .slowReads
  ) -> NSManagedObject? {
    // Sound: the object keeps the row alive, and a registry lives as long as it has a member.
    guard flags.isDisjoint(with: slow), let row = currentReference,
      let packed = row._withUnsafeGuaranteedRef({ $0.permanentIdentity(slot) })
    else { return nil }
    return registryReference?._withUnsafeGuaranteedRef { $0.object(packed) }
  }

  /// The object of a to-one slot.
  final func destination(_ slot: Int) -> NSManagedObject? {
    if let object = registeredDestination(slot) { return object }
    if flags.contains(.fault) {
      fireFault()
      if let object = registeredDestination(slot) { return object }
    }
    guard case .identity(let id) = read(slot) else { return nil }
    if let object = registry?.object(id.packed) { return object }
    return objectOfContext(id.resolved)
  }

  /// The newest row of this object in the store's row cache.
  final var cachedRow: Row? { space?.cachedRow(layout, packed: packed) }

  /// The current ID of a to-one slot's object, without making the object.
  final func identity(_ slot: Int) -> NSManagedObjectID? {
    guard case .identity(let id) = read(slot) else { return nil }
    return id.resolved
  }
}
