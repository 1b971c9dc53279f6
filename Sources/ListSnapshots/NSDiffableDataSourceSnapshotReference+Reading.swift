import Foundation

/// What can be asked of a snapshot reference. Each looks at the snapshot.
extension NSDiffableDataSourceSnapshotReference {
  /// How many items there are in all sections.
  public var numberOfItems: Int { snapshot.numberOfItems }

  /// How many sections there are.
  public var numberOfSections: Int { snapshot.numberOfSections }

  /// The sections in their order.
  public var sectionIdentifiers: [Any] { snapshot.erasedSections }

  /// The items of all sections in their order. O(items).
  public var itemIdentifiers: [Any] { snapshot.erasedItems }

  /// The sections marked to be made anew.
  public var reloadedSectionIdentifiers: [Any] { snapshot.erasedReloadedSections }

  /// The items marked to be made anew.
  public var reloadedItemIdentifiers: [Any] { snapshot.erasedReloadedItems }

  /// The items marked to be configured again.
  public var reconfiguredItemIdentifiers: [Any] { snapshot.erasedReconfiguredItems }

  /// How many items the section has. Traps if there is no such section.
  public func numberOfItems(inSection sectionIdentifier: Any) -> Int {
    snapshot.erasedItemCount(in: sectionIdentifier)
  }

  /// The items of the section in their order. Traps if there is no such section.
  public func itemIdentifiersInSection(withIdentifier sectionIdentifier: Any) -> [Any] {
    snapshot.erasedItems(in: sectionIdentifier)
  }

  /// The section that has the item, or nil.
  public func sectionIdentifierForSection(containingItemIdentifier itemIdentifier: Any) -> Any? {
    snapshot.erasedSection(containing: itemIdentifier)
  }

  /// The item's index in `itemIdentifiers`, or `NSNotFound`.
  public func index(ofItemIdentifier itemIdentifier: Any) -> Int {
    snapshot.erasedIndex(ofItem: itemIdentifier) ?? NSNotFound
  }

  /// The section's index in `sectionIdentifiers`, or `NSNotFound`.
  public func index(ofSectionIdentifier sectionIdentifier: Any) -> Int {
    snapshot.erasedIndex(ofSection: sectionIdentifier) ?? NSNotFound
  }
}
