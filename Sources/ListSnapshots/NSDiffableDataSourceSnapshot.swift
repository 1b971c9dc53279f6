/// The sections and items of a list at one moment, by their identifiers.
///
/// An identifier is unique in the whole snapshot. Looking up a section, an item's section or an
/// item's index is O(1); the first index after a change costs O(items). Appending costs what is
/// appended; inserting, moving and deleting in a section cost O(items of that section).
///
/// What a programmer does wrong (identifiers that are not unique or not there) traps with UIKit's
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

  /// How many items there are in all sections.
  public var numberOfItems: Int { slotOfItem.count }

  /// How many sections there are.
  public var numberOfSections: Int { sections.count }

  /// The sections in their order.
  public var sectionIdentifiers: [SectionIdentifierType] { sections.identifiers }

  /// The items of all sections in their order. O(items).
  public var itemIdentifiers: [ItemIdentifierType] {
    guard sections.count != 1 else { return itemsBySlot[sections.order[0]] }
    return sections.order.flatMap { itemsBySlot[$0] }
  }

  /// How many items the section has. Traps if there is no such section.
  public func numberOfItems(inSection identifier: SectionIdentifierType) -> Int {
    itemsBySlot[slot(of: identifier)].count
  }

  /// The items of the section in their order. Traps if there is no such section.
  public func itemIdentifiers(
    inSection identifier: SectionIdentifierType
  ) -> [ItemIdentifierType] {
    itemsBySlot[slot(of: identifier)]
  }

  // MARK: Looking up

  /// The section that has the item, or nil.
  public func sectionIdentifier(
    containingItem identifier: ItemIdentifierType
  ) -> SectionIdentifierType? {
    slotOfItem[identifier].flatMap { sections.identifier(ofSlot: $0) }
  }

  /// The item's index in `itemIdentifiers`, or nil.
  public func indexOfItem(_ identifier: ItemIdentifierType) -> Int? {
    guard slotOfItem[identifier] != nil else { return nil }
    return itemIndex.place(of: identifier) { itemIdentifiers }
  }

  /// The section's index in `sectionIdentifiers`, or nil.
  public func indexOfSection(_ identifier: SectionIdentifierType) -> Int? {
    sections.position(of: identifier)
  }

  /// The slot of a section that the caller says is there.
  func slot(of identifier: SectionIdentifierType) -> Int {
    guard let slot = sections.slot(of: identifier) else { SnapshotMisuse.unknownSection.trap() }
    return slot
  }

  /// Whoever changes which items there are or their order says so.
  mutating func itemsChanged() {
    if !isKnownUniquelyReferenced(&itemIndex) || itemIndex.isBuilt { itemIndex = ItemIndex() }
  }
}
