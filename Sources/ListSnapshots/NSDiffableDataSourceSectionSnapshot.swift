/// The items of one section at one moment, as a tree: an item can have items under it, which are
/// seen while it is expanded. What comes new is collapsed.
///
/// An identifier is unique in the whole snapshot. Looking up an item's parent or whether it is there
/// is O(1), its level costs O(levels); what asks for an order of items costs O(items), the index of
/// an item only once after a change. Changes cost what is changed and the items beside it.
///
/// What a programmer does wrong (identifiers that are not unique or not there) traps.
///
/// Follows https://developer.apple.com/documentation/uikit/nsdiffabledatasourcesectionsnapshot
public struct NSDiffableDataSourceSectionSnapshot<ItemIdentifierType: Hashable & Sendable>:
  Sendable
{
  /// Who an item stands under.
  enum Parent: Hashable {
    case root
    case item(ItemIdentifierType)

    init(_ item: ItemIdentifierType?) { self = item.map(Parent.item) ?? .root }
  }

  var parentOfItem: [ItemIdentifierType: Parent] = [:]
  /// In their order; no entry for what has no children.
  var childrenOfParent: [Parent: [ItemIdentifierType]] = [:]
  var expandedItems: Set<ItemIdentifierType> = []
  private var itemIndex = ItemIndex<ItemIdentifierType>()

  /// Makes an empty snapshot.
  public init() {}

  // MARK: Items

  /// All items, each before those under it.
  public var items: [ItemIdentifierType] { items(under: .root) { _ in true } }

  /// The items that stand under no other one.
  public var rootItems: [ItemIdentifierType] { childrenOfParent[.root] ?? [] }

  /// The items all parents of which are expanded, each before those under it.
  public var visibleItems: [ItemIdentifierType] { items(under: .root, isOpen: isExpanded) }

  // MARK: One item

  public func contains(_ item: ItemIdentifierType) -> Bool { parentOfItem[item] != nil }

  /// The item's place in `items`, or nil.
  public func index(of item: ItemIdentifierType) -> Int? {
    contains(item) ? itemIndex.place(of: item) { items } : nil
  }

  /// How many items the item stands under, one within the other. Traps if it is not there.
  public func level(of item: ItemIdentifierType) -> Int {
    check([item])
    return sequence(first: item, next: parent).dropFirst().reduce(0) { count, _ in count + 1 }
  }

  /// The item that another one stands under; nil for a root item. Traps if the child is not there.
  public func parent(of child: ItemIdentifierType) -> ItemIdentifierType? {
    check([child])
    if case .item(let parent) = parentOfItem[child] { return parent }
    return nil
  }

  public func isExpanded(_ item: ItemIdentifierType) -> Bool { expandedItems.contains(item) }

  /// Whether the item is there and every item that it stands under is expanded.
  public func isVisible(_ item: ItemIdentifierType) -> Bool {
    contains(item) && sequence(first: item, next: parent).dropFirst().allSatisfy(isExpanded)
  }

  // MARK: Parts

  /// What stands under an item, with the item itself where that is wanted; expanded as it is here.
  /// Traps if the item is not there.
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

  /// The tree as lines, for people.
  public func visualDescription() -> String {
    items.map { item in
      let sign = childrenOfParent[.item(item)] == nil ? "*" : isExpanded(item) ? "-" : "+"
      return String(repeating: "  ", count: level(of: item)) + "\(sign) \(item)"
    }.joined(separator: "\n")
  }

  // MARK: For what changes it

  /// What stands under a parent, each item before those under it; `isOpen` says which items are
  /// gone into. Trees may be deeper than a thread's stack is long.
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

  /// Traps unless all items are there.
  func check(_ items: [ItemIdentifierType]) {
    let missing = items.filter { !contains($0) }
    if !missing.isEmpty { SnapshotMisuse.unknownOutlineItems(missing).trap() }
  }

  /// Whoever changes which items there are or their order says so.
  mutating func itemsChanged() {
    if !isKnownUniquelyReferenced(&itemIndex) || itemIndex.isBuilt { itemIndex = ItemIndex() }
  }
}
