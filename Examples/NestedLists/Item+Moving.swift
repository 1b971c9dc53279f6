import CoreData

extension Item {
  /// Puts the item at another place of its own list.
  func move(to place: Int64) {
    guard let parent, place != order else { return }
    let passed = parent.children(between: min(order, place), and: max(order, place))
    let step: Int64 = place < order ? 1 : -1
    for sibling in passed where sibling !== self { sibling.order += step }
    order = place
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
  func isInside(_ other: Item) -> Bool {
    var item: Item? = self
    while let current = item {
      if current === other { return true }
      item = current.parent
    }
    return false
  }

  private func children(between first: Int64, and last: Int64) -> [Item] {
    children(
      NSPredicate(
        format: "parent = %@ AND order >= %lld AND order <= %lld", self, first, last))
  }
}
