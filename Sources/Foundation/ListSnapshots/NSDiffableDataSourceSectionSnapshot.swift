/// The items of one section at one moment, as a tree. The children of an item are visible while the
/// item is expanded; new items are collapsed.
///
/// An identifier is unique in the whole snapshot. Looking up an item or its parent is O(1), its
/// level O(levels). A list of items costs O(items); so does the first index of an item after a
/// change, further ones are O(1). A change costs O(changed items and their siblings).
///
/// Programming errors (identifiers that are not unique or not in the snapshot) trap.
///
/// Follows https://developer.apple.com/documentation/uikit/nsdiffabledatasourcesectionsnapshot
public struct NSDiffableDataSourceSectionSnapshot<ItemIdentifierType: Hashable & Sendable>:
  Sendable
{
  /// The parent of an item: another item or the root.
  enum Parent: Hashable {
    case root
    case item(ItemIdentifierType)

    init(_ item: ItemIdentifierType?) { self = item.map(Parent.item) ?? .root }
  }

  var parentOfItem: [ItemIdentifierType: Parent] = [:]
  /// Children in their order; no entry for a parent without children.
  var childrenOfParent: [Parent: [ItemIdentifierType]] = [:]
  var expandedItems: Set<ItemIdentifierType> = []
  private var itemIndex = ItemIndex<ItemIdentifierType>()

  /// Makes an empty snapshot.
  public init() {}

  // MARK: Items

  /// All items, each before its descendants.
  public var items: [ItemIdentifierType] { items(under: .root) { _ in true } }

  /// The items without a parent.
  public var rootItems: [ItemIdentifierType] { childrenOfParent[.root] ?? [] }

  /// The items whose ancestors are all expanded, each before its descendants.
  public var visibleItems: [ItemIdentifierType] { items(under: .root, isOpen: isExpanded) }

  // MARK: One item

  /// Returns whether the item is in the snapshot.
  public func contains(_ item: ItemIdentifierType) -> Bool { parentOfItem[item] != nil }

  /// The index of the item in `items`, or nil if the item is not in the snapshot.
  public func index(of item: ItemIdentifierType) -> Int? {
    contains(item) ? itemIndex.place(of: item) { items } : nil
  }

  /// The number of ancestors of the item; 0 for a root item. Traps if the item is not in the
  /// snapshot.
  public func level(of item: ItemIdentifierType) -> Int {
    check([item])
    return sequence(first: item, next: parent).dropFirst().reduce(0) { count, _ in count + 1 }
  }

  /// The parent of an item; nil for a root item. Traps if `child` is not in the snapshot.
  public func parent(of child: ItemIdentifierType) -> ItemIdentifierType? {
    check([child])
    if case .item(let parent) = parentOfItem[child] { return parent }
    return nil
  }

  /// Returns whether the item is expanded; false if it is not in the snapshot.
  public func isExpanded(_ item: ItemIdentifierType) -> Bool { expandedItems.contains(item) }

  /// Returns whether the item is in the snapshot and all its ancestors are expanded.
  public func isVisible(_ item: ItemIdentifierType) -> Bool {
    contains(item) && sequence(first: item, next: parent).dropFirst().allSatisfy(isExpanded)
  }

  // MARK: Parts

  /// The descendants of an item, with the item itself if `includingParent` is true, and with their
  /// expansion state. Traps if the item is not in the snapshot.
  public func snapshot(
    of parent: ItemIdentifierType, includingParent: Bool = false
  ) -> NSDiffableDataSourceSectionSnapshot<ItemIdentifierType> {
    check([parent])
    var part = Self()
    if includingParent { part.take([parent], from: self, to: .root, at: 0) }
    part.take(
      childrenOfParent[.item(parent)] ?? [], from: self,
      to: includingParent ? .item(parent) : .root,
      at: 0)
    for item in items(under: .item(parent), isOpen: { _ in true }) {
      part.take(childrenOfParent[.item(item)] ?? [], from: self, to: .item(item), at: 0)
    }
    return part
  }

  /// The tree as text, one indented line per item, for debugging.
  public func visualDescription() -> String {
    items.map { item in
      let sign = childrenOfParent[.item(item)] == nil ? "*" : isExpanded(item) ? "-" : "+"
      return String(repeating: "  ", count: level(of: item)) + "\(sign) \(item)"
    }.joined(separator: "\n")
  }

  // MARK: Support for edits

  /// The descendants of a parent, each before its own; leaves out those of items for which `isOpen`
  /// is false. Iterative, because a tree may be deeper than the stack of a thread allows.
  func items(
    under parent: Parent, isOpen: (ItemIdentifierType) -> Bool
  ) -> [ItemIdentifierType] {
    var items: [ItemIdentifierType] = []
    var waiting = Array((childrenOfParent[parent] ?? []).reversed())
    while let item = waiting.popLast() {
      items.append(item)
      if isOpen(item) { waiting += (childrenOfParent[.item(item)] ?? []).reversed() }
    }
    return items
  }

  /// Traps unless all items are in the snapshot.
  func check(_ items: [ItemIdentifierType]) {
    let missing = items.filter { !contains($0) }
    if !missing.isEmpty { SnapshotMisuse.unknownOutlineItems(missing).trap() }
  }

  /// Drops the item index. Called by every edit that changes the items or their order.
  mutating func itemsChanged() {
    if !isKnownUniquelyReferenced(&itemIndex) || itemIndex.isBuilt { itemIndex = ItemIndex() }
  }
}
