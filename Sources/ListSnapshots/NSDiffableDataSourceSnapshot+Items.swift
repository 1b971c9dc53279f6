extension NSDiffableDataSourceSnapshot {
  /// Appends items to the section, or to the last one. Items that are there already are moved.
  ///
  /// Traps if the identifiers are not unique, if there is no such section, or no section at all.
  public mutating func appendItems(
    _ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil
  ) {
    let slot = slotForAppending(sectionIdentifier)
    claim(identifiers, slot: slot)
    itemsBySlot[slot].append(contentsOf: identifiers)
    itemsChanged()
  }

  /// Inserts items before the given one. Items that are there already are moved. Traps if the
  /// identifiers are not unique or there is no such item (or it is among them).
  public mutating func insertItems(
    _ identifiers: [ItemIdentifierType], beforeItem beforeIdentifier: ItemIdentifierType
  ) {
    insert(identifiers, beside: beforeIdentifier, distance: 0)
  }

  /// Inserts items after the given one; otherwise as `insertItems(_:beforeItem:)`.
  public mutating func insertItems(
    _ identifiers: [ItemIdentifierType], afterItem afterIdentifier: ItemIdentifierType
  ) {
    insert(identifiers, beside: afterIdentifier, distance: 1)
  }

  /// Deletes the items. Those that are not there are passed over.
  public mutating func deleteItems(_ identifiers: [ItemIdentifierType]) {
    removePresent(identifiers)
    let present = slotOfItem
    reloadedItems.remove { present[$0] == nil }
    reconfiguredItems.remove { present[$0] == nil }
  }

  /// Deletes everything, the sections too.
  public mutating func deleteAllItems() {
    self = Self()
  }

  /// Moves an item before another, into its section. Traps if either is not there.
  public mutating func moveItem(
    _ identifier: ItemIdentifierType, beforeItem toIdentifier: ItemIdentifierType
  ) {
    move(identifier, beside: toIdentifier, distance: 0)
  }

  /// Moves an item after another, into its section. Traps if either is not there.
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

  /// Enters the items under the slot and takes those that were there already from their places.
  /// One lookup an item, so that a long list is made fast; what is not unique is found on the way.
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
