extension NSDiffableDataSourceSectionSnapshot {
  // MARK: Inserting

  /// Appends items under `parent`, or at the root. Traps if the identifiers are not unique, if one
  /// is already in the snapshot, or if `parent` is not.
  public mutating func append(
    _ items: [ItemIdentifierType], to parent: ItemIdentifierType? = nil
  ) {
    if let parent { check([parent]) }
    let place = childrenOfParent[Parent(parent)]?.count ?? 0
    enter(items, to: Parent(parent), at: place)
  }

  /// Inserts items before another one, under the same parent. Traps as `append(_:to:)`.
  public mutating func insert(
    _ items: [ItemIdentifierType], before beforeIdentifier: ItemIdentifierType
  ) {
    let (parent, place) = place(beside: beforeIdentifier, distance: 0)
    enter(items, to: parent, at: place)
  }

  /// Inserts items after another one and its descendants, under the same parent. Traps as
  /// `append(_:to:)`.
  public mutating func insert(
    _ items: [ItemIdentifierType], after afterIdentifier: ItemIdentifierType
  ) {
    let (parent, place) = place(beside: afterIdentifier, distance: 1)
    enter(items, to: parent, at: place)
  }

  /// Inserts a tree before an item, under the same parent. Expanded items stay expanded. Traps as
  /// `append(_:to:)`.
  public mutating func insert(
    _ snapshot: NSDiffableDataSourceSectionSnapshot<ItemIdentifierType>,
    before item: ItemIdentifierType
  ) {
    let (parent, place) = place(beside: item, distance: 0)
    enter(snapshot, to: parent, at: place)
  }

  /// Inserts a tree after an item, under the same parent. Expanded items stay expanded. Traps as
  /// `append(_:to:)`.
  public mutating func insert(
    _ snapshot: NSDiffableDataSourceSectionSnapshot<ItemIdentifierType>,
    after item: ItemIdentifierType
  ) {
    let (parent, place) = place(beside: item, distance: 1)
    enter(snapshot, to: parent, at: place)
  }

  /// Replaces all descendants of `parent` by a tree. `parent` keeps its expansion state. Traps as
  /// `append(_:to:)`.
  public mutating func replace(
    childrenOf parent: ItemIdentifierType,
    using snapshot: NSDiffableDataSourceSectionSnapshot<ItemIdentifierType>
  ) {
    check([parent])
    remove(childrenOfParent[.item(parent)] ?? [])
    enter(snapshot, to: .item(parent), at: 0)
  }

  // MARK: Deleting

  /// Deletes the items and their descendants. Ignores items that are not in the snapshot.
  public mutating func delete(_ items: [ItemIdentifierType]) {
    remove(items.filter(contains))
  }

  /// Deletes all items.
  public mutating func deleteAll() { self = Self() }

  // MARK: Expanding

  /// Expands the items: their children become visible. Traps if an item is not in the snapshot.
  public mutating func expand(_ items: [ItemIdentifierType]) {
    check(items)
    expandedItems.formUnion(items)
  }

  /// Collapses the items: their descendants become invisible. Traps if an item is not in the
  /// snapshot.
  public mutating func collapse(_ items: [ItemIdentifierType]) {
    check(items)
    expandedItems.subtract(items)
  }

  // MARK: The tree

  private func place(
    beside item: ItemIdentifierType, distance: Int
  ) -> (parent: Parent, place: Int) {
    check([item])
    let parent = parentOfItem[item] ?? .root
    let place = childrenOfParent[parent]?.firstIndex(of: item) ?? 0
    return (parent, place + distance)
  }

  private mutating func enter(_ items: [ItemIdentifierType], to parent: Parent, at place: Int) {
    let duplicates = SnapshotMisuse.duplicates(in: items) + items.filter(contains)
    if !duplicates.isEmpty { SnapshotMisuse.duplicateOutlineItems(duplicates).trap() }
    if items.isEmpty { return }
    for item in items { parentOfItem[item] = parent }
    childrenOfParent[parent, default: []].insert(contentsOf: items, at: place)
    itemsChanged()
  }

  private mutating func enter(_ snapshot: Self, to parent: Parent, at place: Int) {
    let items = snapshot.items
    // Checks the whole tree before the first change, so that a trap names all duplicates.
    let duplicates = items.filter(contains)
    if !duplicates.isEmpty { SnapshotMisuse.duplicateOutlineItems(duplicates).trap() }
    take(snapshot.rootItems, from: snapshot, to: parent, at: place)
    for item in items {
      take(snapshot.childrenOfParent[.item(item)] ?? [], from: snapshot, to: .item(item), at: 0)
    }
  }

  /// Copies items of another snapshot under `parent`, with their expansion state.
  mutating func take(
    _ items: [ItemIdentifierType], from snapshot: Self, to parent: Parent, at place: Int
  ) {
    enter(items, to: parent, at: place)
    expandedItems.formUnion(items.filter(snapshot.isExpanded))
  }

  private mutating func remove(_ items: [ItemIdentifierType]) {
    if items.isEmpty { return }
    for (parent, going) in Dictionary(grouping: items, by: { parentOfItem[$0] ?? .root }) {
      let going = Set(going)
      childrenOfParent[parent]?.removeAll(where: going.contains)
      if childrenOfParent[parent]?.isEmpty == true { childrenOfParent[parent] = nil }
    }
    for item in items {
      for gone in [item] + self.items(under: .item(item), isOpen: { _ in true }) {
        parentOfItem[gone] = nil
        childrenOfParent[.item(gone)] = nil
        expandedItems.remove(gone)
      }
    }
    itemsChanged()
  }
}
