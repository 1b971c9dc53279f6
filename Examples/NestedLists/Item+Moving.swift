import CoreData

extension Item {
  /// Moves the item within its list. Siblings are renumbered by position; if the orders between are
  /// not consecutive, the whole list is.
  func move(from source: Int, to place: Int) {
    guard let parent else { return }
    // One neighbour on either side is read too: the orders between them must be distinct from
    // theirs.
    var first = max(0, min(source, place) - 1)
    var items = parent.children(from: first, count: max(source, place) + 2 - first)
    if !items.enumerated().allSatisfy({ $1.order == first + $0 }) {
      first = 0
      items = parent.children(from: 0, count: 0)
    }
    let former = items.map { ($0.objectID, $0.order) }
    items.removeAll { $0 === self }
    items.insert(self, at: min(place - first, items.count))
    for (index, item) in items.enumerated() where item.order != first + index {
      item.order = Int64(first + index)
    }
    lastMove = Move(order: order, former: Dictionary(uniqueKeysWithValues: former))
  }

  /// Moves the item to the end of another list. Returns false if that list is inside the item.
  @discardableResult
  func move(into list: Item) -> Bool {
    guard list !== parent, !list.isInside(self) else { return false }
    if let parent {
      for sibling in parent.children(after: order) where sibling !== self { sibling.order -= 1 }
    }
    order = Int64(list.numberOfChildren)
    parent = list
    return true
  }

  /// Returns true if the item is `other`, or in its list at any depth.
  func isInside(_ other: Item) -> Bool { lists.contains { $0 === other } }

  /// The item, its list, and so on up to the root. Stops at a cycle.
  var lists: [Item] {
    var lists: [Item] = []
    var known: Set<Item> = []
    var item: Item? = self
    while let current = item, known.insert(current).inserted {
      lists.append(current)
      item = current.parent
    }
    return lists
  }
}

/// A move of an item within its list.
struct Move {
  /// The position that the item got.
  let order: Int64
  /// The positions before the move, of the item and of those that it has passed or stood beside.
  let former: [NSManagedObjectID: Int64]
}
