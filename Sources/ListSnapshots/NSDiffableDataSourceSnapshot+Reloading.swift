extension NSDiffableDataSourceSnapshot {
  /// Marks items whose cells are to be made anew. Traps if one is not there.
  public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) {
    checkPresent(identifiers)
    reloadedItems.append(contentsOf: identifiers)
  }

  /// Marks items whose cells are to be kept and configured again. Traps if one is not there.
  public mutating func reconfigureItems(_ identifiers: [ItemIdentifierType]) {
    checkPresent(identifiers)
    reconfiguredItems.append(contentsOf: identifiers)
  }

  /// Marks sections that are to be made anew, items and header. Traps if one is not there.
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
