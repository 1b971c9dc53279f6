extension NSDiffableDataSourceSnapshot {
  /// Marks items whose cells the list replaces. Traps if an item is not in the snapshot.
  public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) {
    checkPresent(identifiers)
    reloadedItems.append(contentsOf: identifiers)
  }

  /// Marks items whose cells the list keeps and configures again. Traps if an item is not in the
  /// snapshot.
  public mutating func reconfigureItems(_ identifiers: [ItemIdentifierType]) {
    checkPresent(identifiers)
    reconfiguredItems.append(contentsOf: identifiers)
  }

  /// Marks sections that the list replaces, items and header. Traps if a section is not in the
  /// snapshot.
  public mutating func reloadSections(_ identifiers: [SectionIdentifierType]) {
    for identifier in identifiers { _ = slot(of: identifier) }
    reloadedSections.append(contentsOf: identifiers)
  }

  /// The items marked by `reloadItems(_:)`, in the order of marking.
  public var reloadedItemIdentifiers: [ItemIdentifierType] { reloadedItems.elements }

  /// The items marked by `reconfigureItems(_:)`, in the order of marking.
  public var reconfiguredItemIdentifiers: [ItemIdentifierType] { reconfiguredItems.elements }

  /// The sections marked by `reloadSections(_:)`, in the order of marking.
  public var reloadedSectionIdentifiers: [SectionIdentifierType] { reloadedSections.elements }

  private func checkPresent(_ identifiers: [ItemIdentifierType]) {
    if identifiers.contains(where: { slotOfItem[$0] == nil }) { SnapshotMisuse.unknownItem.trap() }
  }
}
