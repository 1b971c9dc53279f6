extension NSManagedObject {
  final func unsavedValues() -> [String: Any] {
    guard !isFault || !members.isEmpty else { return [:] }
    var changed: [String: Any] = [:]
    for (name, place) in layout.propertyPlaces(ofSlots: changedSlots()) {
      changed[name] = boxedOrNull(place)
    }
    for index in changedRelationships() {
      changed[layout.toMany[index].name] = boxedOrNull(.toMany(index))
    }
    return changed
  }

  /// The stored slots that differ from the snapshot.
  final func changedSlots() -> [Int] {
    guard let current, snapshot !== current else { return [] }
    return layout.storedSlots.filter { isChanged($0, current: current) }
  }

  /// The stored slots that differ from the snapshot, one bit each; nil if there are more than 64
  /// slots.
  final var changedSlotBits: UInt64? {
    guard var rest = layout.storedSlotBits else { return nil }
    guard let now = currentReference, now.toOpaque() != snapshotReference?.toOpaque() else {
      return 0
    }
    // Sound: the object keeps both rows alive, and comparing slots does not replace them.
    return now._withUnsafeGuaranteedRef { now in
      var bits: UInt64 = 0
      while rest != 0 {
        let bit = rest & ~(rest - 1)
        if isChanged(bit.trailingZeroBitCount, current: now) { bits |= bit }
        rest &= ~bit
      }
      return bits
    }
  }

  private func isChanged(_ slot: Int, current: Row) -> Bool {
    if let snapshotReference {
      // Sound: as in `changedSlotBits`.
      return snapshotReference._withUnsafeGuaranteedRef { current.differs(from: $0, in: slot) }
    }
    return !current.isSealed && !current[slot].isNull
  }

  /// The stored to-many relationships whose members or order have changed since the last save.
  final func changedRelationships() -> [Int] {
    editedRelationships().filter { !layout.relation(toMany: $0).isTransient }
  }

  /// The to-many relationships whose members or order have changed since the last save, including
  /// transient ones.
  final func editedRelationships() -> [Int] {
    guard let members = relations?.members else { return [] }
    return members.indices.filter { index in
      guard let store = members[index] else { return false }
      return !store.delta.isEmpty || store.order != nil
    }
  }

  final var hasValuesToSave: Bool { hasChangedSlots || !changedRelationships().isEmpty }

  private var hasChangedSlots: Bool {
    guard let now = currentReference, now.toOpaque() != snapshotReference?.toOpaque() else {
      return false
    }
    // Sound: as in `changedSlotBits`.
    return now._withUnsafeGuaranteedRef { now in
      layout.storedSlots.contains { isChanged($0, current: now) }
    }
  }

  final func savedValues(_ keys: [String]?) -> [String: Any] {
    if lifecycle == .inserted { return [:] }
    fireFault()
    var values: [String: Any] = [:]
    for (name, place) in layout.propertyPlaces(ofSlots: layout.slots.indices)
    where isWanted(name, keys: keys) {
      values[name] = snapshot.flatMap { row in boxed(place) { row[$0] } } ?? NSNull()
    }
    for (index, relationship) in layout.toMany.enumerated()
    where keys != nil && isWanted(relationship.name, keys: keys) {
      values[relationship.name] = committedMembers(index)
    }
    return values
  }

  private func isWanted(_ name: String, keys: [String]?) -> Bool { keys?.contains(name) ?? true }

  private func boxedOrNull(_ place: EntityLayout.Place) -> Any {
    modelledValue(place) ?? NSNull()
  }

  /// The boxed value of a property, as key-value coding returns it, from the slot values that
  /// `value` returns.
  final func boxed(_ place: EntityLayout.Place, value: (Int) -> Value) -> Any? {
    switch place {
    case .slot(let slot): boxed(value(slot), slot: layout.slots[slot])
    case .composite(let index): layout.compositeValue(index, value: value)
    default: nil
    }
  }

  private func boxed(_ value: Value, slot: EntityLayout.Slot) -> Any? {
    switch slot.kind {
    case .attribute(let type): return value.boxed(type)
    case .toOne:
      guard case .identity(let id) = value else { return nil }
      return objectOfContext(id.resolved)
    }
  }

  final func memberIdentities(_ key: String) -> [NSManagedObjectID] {
    switch layout.place(of: key) {
    case .slot(let slot): return identity(slot).map { [$0] } ?? []
    case .toMany(let index):
      let store = readMembers(index)
      if store.delta.isEmpty, store.order == nil { return store.stored ?? [] }
      return memberObjects(index).map(\.objectID)
    default: return []
    }
  }
}
