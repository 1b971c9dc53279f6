/// A snapshot whose identifier types are not known to the caller: the value of a snapshot
/// reference.
protocol ErasedSnapshot: Sendable {
  var numberOfItems: Int { get }
  var numberOfSections: Int { get }
  var erasedSections: [Any] { get }
  var erasedItems: [Any] { get }
  var erasedReloadedSections: [Any] { get }
  var erasedReloadedItems: [Any] { get }
  var erasedReconfiguredItems: [Any] { get }

  func erasedItemCount(in section: Any) -> Int
  func erasedItems(in section: Any) -> [Any]
  func erasedSection(containing item: Any) -> Any?
  func erasedIndex(ofItem item: Any) -> Int?
  func erasedIndex(ofSection section: Any) -> Int?

  mutating func apply(_ edit: SnapshotEdit)
}

/// One edit of an `ErasedSnapshot`. Identifiers of a wrong type trap when it is applied.
enum SnapshotEdit {
  case appendItems([Any], section: Any?)
  case insertItemsBefore([Any], Any)
  case insertItemsAfter([Any], Any)
  case deleteItems([Any])
  case deleteAllItems
  case moveItemBefore(Any, Any)
  case moveItemAfter(Any, Any)
  case reloadItems([Any])
  case reconfigureItems([Any])
  case appendSections([Any])
  case insertSectionsBefore([Any], Any)
  case insertSectionsAfter([Any], Any)
  case deleteSections([Any])
  case moveSectionBefore(Any, Any)
  case moveSectionAfter(Any, Any)
  case reloadSections([Any])
}

extension NSDiffableDataSourceSnapshot: ErasedSnapshot {
  var erasedSections: [Any] { AnyIdentifier.unwrapped(sectionIdentifiers) }
  var erasedItems: [Any] { AnyIdentifier.unwrapped(itemIdentifiers) }
  var erasedReloadedSections: [Any] { AnyIdentifier.unwrapped(reloadedSectionIdentifiers) }
  var erasedReloadedItems: [Any] { AnyIdentifier.unwrapped(reloadedItemIdentifiers) }
  var erasedReconfiguredItems: [Any] { AnyIdentifier.unwrapped(reconfiguredItemIdentifiers) }

  func erasedItemCount(in section: Any) -> Int { numberOfItems(inSection: typed(section)) }

  func erasedItems(in section: Any) -> [Any] {
    AnyIdentifier.unwrapped(itemIdentifiers(inSection: typed(section)))
  }

  func erasedSection(containing item: Any) -> Any? {
    sectionIdentifier(containingItem: typed(item)).flatMap { AnyIdentifier.unwrapped([$0]).first }
  }

  func erasedIndex(ofItem item: Any) -> Int? { indexOfItem(typed(item)) }
  func erasedIndex(ofSection section: Any) -> Int? { indexOfSection(typed(section)) }

  mutating func apply(_ edit: SnapshotEdit) {
    switch edit {
    case .appendItems(let items, let section):
      appendItems(typed(items), toSection: section.map { typed($0) })
    case .insertItemsBefore(let items, let item): insertItems(typed(items), beforeItem: typed(item))
    case .insertItemsAfter(let items, let item): insertItems(typed(items), afterItem: typed(item))
    case .deleteItems(let items): deleteItems(typed(items))
    case .deleteAllItems: deleteAllItems()
    case .moveItemBefore(let item, let other): moveItem(typed(item), beforeItem: typed(other))
    case .moveItemAfter(let item, let other): moveItem(typed(item), afterItem: typed(other))
    case .reloadItems(let items): reloadItems(typed(items))
    case .reconfigureItems(let items): reconfigureItems(typed(items))
    case .appendSections(let sections): appendSections(typed(sections))
    case .insertSectionsBefore(let sections, let other):
      insertSections(typed(sections), beforeSection: typed(other))
    case .insertSectionsAfter(let sections, let other):
      insertSections(typed(sections), afterSection: typed(other))
    case .deleteSections(let sections): deleteSections(typed(sections))
    case .moveSectionBefore(let section, let other):
      moveSection(typed(section), beforeSection: typed(other))
    case .moveSectionAfter(let section, let other):
      moveSection(typed(section), afterSection: typed(other))
    case .reloadSections(let sections): reloadSections(typed(sections))
    }
  }

  private func typed<Identifier: Hashable>(_ identifier: Any) -> Identifier {
    AnyIdentifier.cast(identifier, to: Identifier.self)
  }

  private func typed<Identifier: Hashable>(_ identifiers: [Any]) -> [Identifier] {
    identifiers as? [Identifier] ?? identifiers.map { typed($0) }
  }
}
