import Foundation

/// Queries of a snapshot reference. Each makes a deferred snapshot.
extension NSDiffableDataSourceSnapshotReference {
  /// The number of items in all sections.
  public var numberOfItems: Int { snapshot.numberOfItems }

  /// The number of sections.
  public var numberOfSections: Int { snapshot.numberOfSections }

  /// The sections in their order.
  public var sectionIdentifiers: [Any] { snapshot.erasedSections }

  /// The items of all sections in their order. O(items).
  public var itemIdentifiers: [Any] { snapshot.erasedItems }

  /// The sections marked by `reloadSections(withIdentifiers:)`, in the order of marking.
  public var reloadedSectionIdentifiers: [Any] { snapshot.erasedReloadedSections }

  /// The items marked by `reloadItems(withIdentifiers:)`, in the order of marking.
  public var reloadedItemIdentifiers: [Any] { snapshot.erasedReloadedItems }

  /// The items marked by `reconfigureItems(withIdentifiers:)`, in the order of marking.
  public var reconfiguredItemIdentifiers: [Any] { snapshot.erasedReconfiguredItems }

  /// The number of items in the section. Traps if the section does not exist.
  public func numberOfItems(inSection sectionIdentifier: Any) -> Int {
    snapshot.erasedItemCount(in: sectionIdentifier)
  }

  /// The items of the section in their order. Traps if the section does not exist.
  public func itemIdentifiersInSection(withIdentifier sectionIdentifier: Any) -> [Any] {
    snapshot.erasedItems(in: sectionIdentifier)
  }

  /// The section that contains the item, or nil if the item is not in the snapshot.
  public func sectionIdentifierForSection(containingItemIdentifier itemIdentifier: Any) -> Any? {
    snapshot.erasedSection(containing: itemIdentifier)
  }

  /// The index of the item in `itemIdentifiers`, or `NSNotFound`.
  public func index(ofItemIdentifier itemIdentifier: Any) -> Int {
    snapshot.erasedIndex(ofItem: itemIdentifier) ?? NSNotFound
  }

  /// The index of the section in `sectionIdentifiers`, or `NSNotFound`.
  public func index(ofSectionIdentifier sectionIdentifier: Any) -> Int {
    snapshot.erasedIndex(ofSection: sectionIdentifier) ?? NSNotFound
  }
}
