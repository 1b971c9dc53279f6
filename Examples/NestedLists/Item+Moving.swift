import CoreData

extension Item {
  /// Puts the item from its place in its list to another one. Siblings are numbered by where they stand:
  /// when some of them have the same order, all are.
  func move(from source: Int, to place: Int) {
    guard let parent else { return }
    // With a neighbour on either side, from which those between must differ.
    var first = max(0, min(source, place) - 1)
    var items = parent.children(from: first, count: max(source, place) + 2 - first)
    if !items.enumerated().allSatisfy({ $1.order == first + $0 }) {
      first = 0
      items = parent.children(from: 0, count: 0)
    }
    items.removeAll { $0 === self }
    items.insert(self, at: min(place - first, items.count))
    for (index, item) in items.enumerated() where item.order != first + index {
      item.order = Int64(first + index)
    }
  }

  /// Puts the item at the end of another list. False when that list is inside of the item itself.
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

  /// Whether the item is another one, or in its list at any depth.
  func isInside(_ other: Item) -> Bool { lists.contains { $0 === other } }

  /// The item, the list that it is in, and so on up to the root. Ends where lists are in each other.
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
