extension NSDiffableDataSourceSnapshot {
  /// Appends items to the section, or to the last one. Moves items that are already in the
  /// snapshot.
  ///
  /// Traps if the identifiers are not unique, if the section does not exist, or if there is no
  /// section at all.
  public mutating func appendItems(
    _ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil
  ) {
    let slot = slotForAppending(sectionIdentifier)
    claim(identifiers, slot: slot)
    itemsBySlot[slot].append(contentsOf: identifiers)
    itemsChanged()
  }

  /// Inserts items before the given one. Moves items that are already in the snapshot. Traps if the
  /// identifiers are not unique, or if the given item does not exist or is one of them.
  public mutating func insertItems(
    _ identifiers: [ItemIdentifierType], beforeItem beforeIdentifier: ItemIdentifierType
  ) {
    insert(identifiers, beside: beforeIdentifier, distance: 0)
  }

  /// Inserts items after the given one. Otherwise like `insertItems(_:beforeItem:)`.
  public mutating func insertItems(
    _ identifiers: [ItemIdentifierType], afterItem afterIdentifier: ItemIdentifierType
  ) {
    insert(identifiers, beside: afterIdentifier, distance: 1)
  }

  /// Deletes the items. Ignores identifiers that are not in the snapshot.
  public mutating func deleteItems(_ identifiers: [ItemIdentifierType]) {
    removePresent(identifiers)
    let present = slotOfItem
    reloadedItems.remove { present[$0] == nil }
    reconfiguredItems.remove { present[$0] == nil }
  }

  /// Deletes all items and all sections.
  public mutating func deleteAllItems() {
    self = Self()
  }

  /// Moves an item before another, into its section. Traps if either is not in the snapshot.
  public mutating func moveItem(
    _ identifier: ItemIdentifierType, beforeItem toIdentifier: ItemIdentifierType
  ) {
    move(identifier, beside: toIdentifier, distance: 0)
  }

  /// Moves an item after another, into its section. Traps if either is not in the snapshot.
  public mutating func moveItem(
    _ identifier: ItemIdentifierType, afterItem toIdentifier: ItemIdentifierType
  ) {
    move(identifier, beside: toIdentifier, distance: 1)
  }

  private func slotForAppending(_ identifier: SectionIdentifierType?) -> Int {
    if let identifier { return slot(of: identifier) }
    guard let last = sections.order.last else { SnapshotMisuse.noSections.trap() }
    return last
  }

  /// Enters the items under the slot and removes those that the snapshot has already from their
  /// former positions. One lookup per item, to build long lists fast; finds duplicate identifiers
  /// on the way.
  private mutating func claim(_ identifiers: [ItemIdentifierType], slot: Int) {
    var displaced: [Int: Set<ItemIdentifierType>] = [:]
    slotOfItem.reserveCapacity(slotOfItem.count + identifiers.count)
    for identifier in identifiers {
      guard let old = slotOfItem.updateValue(slot, forKey: identifier) else { continue }
      displaced[old, default: []].insert(identifier)
    }
    guard !displaced.isEmpty else { return }
    checkUnique(identifiers)
    for (slot, going) in displaced { removeItems(going, slot: slot) }
  }

  private func checkUnique(_ identifiers: [ItemIdentifierType]) {
    let duplicates = SnapshotMisuse.duplicates(in: identifiers)
    if !duplicates.isEmpty { SnapshotMisuse.duplicateItems(duplicates).trap() }
  }

  private mutating func insert(
    _ identifiers: [ItemIdentifierType], beside anchor: ItemIdentifierType, distance: Int
  ) {
    guard let slot = slotOfItem[anchor] else { SnapshotMisuse.unknownItem.trap() }
    claim(identifiers, slot: slot)
    guard let offset = itemsBySlot[slot].firstIndex(of: anchor) else {
      SnapshotMisuse.unknownItem.trap()
    }
    itemsBySlot[slot].insert(contentsOf: identifiers, at: offset + distance)
    itemsChanged()
  }

  private mutating func move(
    _ identifier: ItemIdentifierType, beside anchor: ItemIdentifierType, distance: Int
  ) {
    guard slotOfItem[identifier] != nil else { SnapshotMisuse.unknownItem.trap() }
    guard identifier != anchor else { return }
    insert([identifier], beside: anchor, distance: distance)
  }

  private mutating func removePresent(_ identifiers: [ItemIdentifierType]) {
    var goingBySlot: [Int: Set<ItemIdentifierType>] = [:]
    for identifier in identifiers {
      guard let slot = slotOfItem.removeValue(forKey: identifier) else { continue }
      goingBySlot[slot, default: []].insert(identifier)
    }
    for (slot, going) in goingBySlot { removeItems(going, slot: slot) }
    if !goingBySlot.isEmpty { itemsChanged() }
  }

  private mutating func removeItems(_ going: Set<ItemIdentifierType>, slot: Int) {
    if going.count == 1, let offset = itemsBySlot[slot].firstIndex(where: going.contains) {
      itemsBySlot[slot].remove(at: offset)
    } else {
      itemsBySlot[slot].removeAll(where: going.contains)
    }
  }
}
