extension NSDiffableDataSourceSnapshot {
  /// Appends sections without items. Traps if the identifiers are not unique or one is already in
  /// the snapshot.
  public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {
    insert(identifiers, at: sections.count)
  }

  /// Inserts sections before the given one. Traps as `appendSections(_:)`, and if the given section
  /// does not exist.
  public mutating func insertSections(
    _ identifiers: [SectionIdentifierType], beforeSection toIdentifier: SectionIdentifierType
  ) {
    insert(identifiers, at: position(of: toIdentifier))
  }

  /// Inserts sections after the given one. Traps as `insertSections(_:beforeSection:)`.
  public mutating func insertSections(
    _ identifiers: [SectionIdentifierType], afterSection toIdentifier: SectionIdentifierType
  ) {
    insert(identifiers, at: position(of: toIdentifier) + 1)
  }

  /// Deletes the sections with their items. Ignores identifiers that are not in the snapshot.
  public mutating func deleteSections(_ identifiers: [SectionIdentifierType]) {
    for identifier in identifiers {
      guard let slot = sections.slot(of: identifier) else { continue }
      deleteItems(itemsBySlot[slot])
      _ = sections.remove(identifier)
    }
    let present = sections
    reloadedSections.remove { present.slot(of: $0) == nil }
  }

  /// Moves a section with its items before another. Traps if either is not in the snapshot.
  public mutating func moveSection(
    _ identifier: SectionIdentifierType, beforeSection toIdentifier: SectionIdentifierType
  ) {
    move(identifier, to: position(of: toIdentifier))
  }

  /// Moves a section with its items after another. Traps if either is not in the snapshot.
  public mutating func moveSection(
    _ identifier: SectionIdentifierType, afterSection toIdentifier: SectionIdentifierType
  ) {
    move(identifier, to: position(of: toIdentifier) + 1)
  }

  private func position(of identifier: SectionIdentifierType) -> Int {
    guard let position = sections.position(of: identifier) else {
      SnapshotMisuse.unknownSection.trap()
    }
    return position
  }

  private mutating func insert(_ identifiers: [SectionIdentifierType], at position: Int) {
    let present = identifiers.filter { sections.slot(of: $0) != nil }
    let duplicates = SnapshotMisuse.duplicates(in: identifiers) + present
    if !duplicates.isEmpty { SnapshotMisuse.duplicateSections(duplicates).trap() }
    sections.insert(identifiers, at: position)
    let missing = sections.slotCount - itemsBySlot.count
    itemsBySlot.append(contentsOf: repeatElement([], count: missing))
  }

  private mutating func move(_ identifier: SectionIdentifierType, to position: Int) {
    let old = self.position(of: identifier)
    guard position != old, position != old + 1 else { return }
    sections.move(identifier, to: position)
    itemsChanged()
  }
}
