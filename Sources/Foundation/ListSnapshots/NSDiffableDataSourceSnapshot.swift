/// The sections and items of a list at one moment, by their identifiers.
///
/// An identifier is unique in the whole snapshot. Looking up a section, the section of an item or
/// the index of an item is O(1), but the first index after a change costs O(items). Appending costs
/// O(appended items); inserting, moving and deleting in a section cost O(items of that section).
///
/// Programming errors (identifiers that are not unique or not in the snapshot) trap with UIKit's
/// text.
///
/// Follows https://developer.apple.com/documentation/uikit/nsdiffabledatasourcesnapshot
public struct NSDiffableDataSourceSnapshot<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: Sendable {
  var sections = SectionOrder<SectionIdentifierType>()
  /// The items of each section, under the section's slot.
  var itemsBySlot: [[ItemIdentifierType]] = []
  var slotOfItem: [ItemIdentifierType: Int] = [:]
  var itemIndex = ItemIndex<ItemIdentifierType>()
  var reloadedSections = OrderedIdentifiers<SectionIdentifierType>()
  var reloadedItems = OrderedIdentifiers<ItemIdentifierType>()
  var reconfiguredItems = OrderedIdentifiers<ItemIdentifierType>()

  /// Makes an empty snapshot.
  public init() {}

  // MARK: Counts and identifiers

  /// The number of items in all sections.
  public var numberOfItems: Int { slotOfItem.count }

  /// The number of sections.
  public var numberOfSections: Int { sections.count }

  /// The sections in their order.
  public var sectionIdentifiers: [SectionIdentifierType] { sections.identifiers }

  /// The items of all sections in their order. O(items).
  public var itemIdentifiers: [ItemIdentifierType] {
    guard sections.count != 1 else { return itemsBySlot[sections.order[0]] }
    return sections.order.flatMap { itemsBySlot[$0] }
  }

  /// The number of items in the section. Traps if the section does not exist.
  public func numberOfItems(inSection identifier: SectionIdentifierType) -> Int {
    itemsBySlot[slot(of: identifier)].count
  }

  /// The items of the section in their order. Traps if the section does not exist.
  public func itemIdentifiers(
    inSection identifier: SectionIdentifierType
  ) -> [ItemIdentifierType] {
    itemsBySlot[slot(of: identifier)]
  }

  // MARK: Looking up

  /// The section that contains the item, or nil if the item is not in the snapshot.
  public func sectionIdentifier(
    containingItem identifier: ItemIdentifierType
  ) -> SectionIdentifierType? {
    slotOfItem[identifier].flatMap { sections.identifier(ofSlot: $0) }
  }

  /// The index of the item in `itemIdentifiers`, or nil if the item is not in the snapshot.
  public func indexOfItem(_ identifier: ItemIdentifierType) -> Int? {
    guard slotOfItem[identifier] != nil else { return nil }
    return itemIndex.place(of: identifier) { itemIdentifiers }
  }

  /// The index of the section in `sectionIdentifiers`, or nil if the section does not exist.
  public func indexOfSection(_ identifier: SectionIdentifierType) -> Int? {
    sections.position(of: identifier)
  }

  /// The slot of a section. Traps if the section does not exist.
  func slot(of identifier: SectionIdentifierType) -> Int {
    guard let slot = sections.slot(of: identifier) else { SnapshotMisuse.unknownSection.trap() }
    return slot
  }

  /// Drops the item index. Called by every edit that changes the items or their order.
  mutating func itemsChanged() {
    if !isKnownUniquelyReferenced(&itemIndex) || itemIndex.isBuilt { itemIndex = ItemIndex() }
  }
}
