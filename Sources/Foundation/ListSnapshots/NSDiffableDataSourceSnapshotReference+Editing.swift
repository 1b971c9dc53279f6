/// Edits of a snapshot reference. Each does what its counterpart in `NSDiffableDataSourceSnapshot`
/// does, and traps where that traps. It also traps if an identifier is not of the snapshot's type.
extension NSDiffableDataSourceSnapshotReference {
  /// Appends items to the last section.
  public func appendItems(withIdentifiers identifiers: [Any]) {
    apply(.appendItems(identifiers, section: nil))
  }

  /// Appends items to the section.
  public func appendItems(
    withIdentifiers identifiers: [Any], intoSectionWithIdentifier sectionIdentifier: Any
  ) {
    apply(.appendItems(identifiers, section: sectionIdentifier))
  }

  /// Inserts items before the given one.
  public func insertItems(
    withIdentifiers identifiers: [Any], beforeItemWithIdentifier itemIdentifier: Any
  ) {
    apply(.insertItemsBefore(identifiers, itemIdentifier))
  }

  /// Inserts items after the given one.
  public func insertItems(
    withIdentifiers identifiers: [Any], afterItemWithIdentifier itemIdentifier: Any
  ) {
    apply(.insertItemsAfter(identifiers, itemIdentifier))
  }

  /// Deletes the items.
  public func deleteItems(withIdentifiers identifiers: [Any]) {
    apply(.deleteItems(identifiers))
  }

  /// Deletes all items and all sections.
  public func deleteAllItems() {
    apply(.deleteAllItems)
  }

  /// Moves an item before another.
  public func moveItem(withIdentifier from: Any, beforeItemWithIdentifier to: Any) {
    apply(.moveItemBefore(from, to))
  }

  /// Moves an item after another.
  public func moveItem(withIdentifier from: Any, afterItemWithIdentifier to: Any) {
    apply(.moveItemAfter(from, to))
  }

  /// Marks items whose cells the list replaces.
  public func reloadItems(withIdentifiers identifiers: [Any]) {
    apply(.reloadItems(identifiers))
  }

  /// Marks items whose cells the list keeps and configures again.
  public func reconfigureItems(withIdentifiers identifiers: [Any]) {
    apply(.reconfigureItems(identifiers))
  }

  /// Appends sections without items.
  public func appendSections(withIdentifiers identifiers: [Any]) {
    apply(.appendSections(identifiers))
  }

  /// Inserts sections before the given one.
  public func insertSections(
    withIdentifiers identifiers: [Any], beforeSectionWithIdentifier sectionIdentifier: Any
  ) {
    apply(.insertSectionsBefore(identifiers, sectionIdentifier))
  }

  /// Inserts sections after the given one.
  public func insertSections(
    withIdentifiers identifiers: [Any], afterSectionWithIdentifier sectionIdentifier: Any
  ) {
    apply(.insertSectionsAfter(identifiers, sectionIdentifier))
  }

  /// Deletes the sections with their items.
  public func deleteSections(withIdentifiers identifiers: [Any]) {
    apply(.deleteSections(identifiers))
  }

  /// Moves a section before another.
  public func moveSection(withIdentifier from: Any, beforeSectionWithIdentifier to: Any) {
    apply(.moveSectionBefore(from, to))
  }

  /// Moves a section after another.
  public func moveSection(withIdentifier from: Any, afterSectionWithIdentifier to: Any) {
    apply(.moveSectionAfter(from, to))
  }

  /// Marks sections that the list replaces, items and header.
  public func reloadSections(withIdentifiers identifiers: [Any]) {
    apply(.reloadSections(identifiers))
  }
}
