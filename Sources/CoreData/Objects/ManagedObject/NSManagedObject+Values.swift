extension NSManagedObject {
  /// The value in a slot, reading the row if the object is a fault.
  @inline(__always)
  final func read(_ slot: Int) -> Value {
    if flags.contains(.fault) { fireFault() }
    if let row = currentReference { return row._withUnsafeGuaranteedRef { $0[slot] } }
    return readableRow[slot]
  }

  /// Sets an attribute, as a tracked edit.
  final func write(_ value: Value, _ slot: Int) {
    if flags.contains(.observed) { return writeObserved(value, slot) }
    noteEdit()
    guard !writeInPlace(value, slot) else { return }
    editableRow[slot] = value
  }

  private func writeObserved(_ value: Value, _ slot: Int) {
    changing(.slot(slot)) {
      noteEdit()
      editableRow[slot] = value
    }
  }

  /// Sets an attribute without the context taking notice.
  final func writePrimitive(_ value: Value, _ slot: Int) { editableRow[slot] = value }

  /// Tells the context that this object is about to change, with its values still as they were.
  final func noteEdit() {
    guard !flags.contains(.untracked), let registryReference else { return }
    registryReference._withUnsafeGuaranteedRef { registry in
      registry.uncountedContext?._withUnsafeGuaranteedRef { $0.willEdit(self) }
    }
  }

  /// The object that a to-one slot points to, where nothing has to be read or made to find it.
  @inline(__always)
  final func registeredDestination(
    _ slot: Int, unless slow: Flags = .slowReads
  ) -> NSManagedObject? {
    guard flags.isDisjoint(with: slow), let row = currentReference,
      let packed = row._withUnsafeGuaranteedRef({ $0.permanentIdentity(slot) })
    else { return nil }
    return registryReference?._withUnsafeGuaranteedRef { $0.object(packed) }
  }

  /// The object that a to-one slot points to.
  final func destination(_ slot: Int) -> NSManagedObject? {
    if let object = registeredDestination(slot) { return object }
    if flags.contains(.fault) {
      fireFault()
      if let object = registeredDestination(slot) { return object }
    }
    guard case .identity(let id) = read(slot) else { return nil }
    if let object = registry?.object(id.packed) { return object }
    return registry?.context?.object(with: id.resolved)
  }

  /// The newest row of this object that somebody holds.
  final var cachedRow: Row? { space?.cachedRow(layout, packed) }

  /// A to-one value as the registered object, without making one.
  final func identity(_ slot: Int) -> NSManagedObjectID? {
    guard case .identity(let id) = read(slot) else { return nil }
    return id.resolved
  }
}
