extension OrderStatisticTree {
  /// Removes the word at a rank, 0 ..< count, and returns it. O(log n).
  @discardableResult
  package func remove(at rank: Int) -> UInt64 {
    precondition(rank >= 0 && rank < count, "Rank \(rank) of a list of \(count)")
    let locator = requireLocator()
    let (leaf, offset) = place(of: rank)
    let word = nodes.words(leaf)[offset]
    nodes.remove(leaf, at: offset)
    locator.remove(word)
    count -= 1
    adjustCounts(above: leaf, by: 0 &- InnerEntry.one)
    refill(leaf)
    checkAfterChange()
    return word
  }

  /// Restores the minimum number of entries in a node that has lost one, and in its ancestors.
  private func refill(_ node: Node) {
    guard node != root else { return lowerRoot() }
    guard nodes.count(node) < minimum else { return }
    let parent = nodes.parent(node)
    let index = index(of: node, in: parent)
    let left = index > 0 ? index - 1 : index
    balance(parent, index: left)
    refill(parent)
  }

  /// Merges two neighbouring children, or distributes their entries evenly if they do not fit one
  /// node.
  private func balance(_ parent: Node, index: Int) {
    let entries = nodes.words(parent)
    let left = InnerEntry.child(entries[index])
    let right = InnerEntry.child(entries[index + 1])
    let total = nodes.count(left) + nodes.count(right)
    if total <= nodes.capacity * 3 / 4 {
      moveEntries(from: right, 0..<nodes.count(right), to: left, at: nodes.count(left))
      entries[index] = InnerEntry.make(count: weight(of: left), child: left)
      nodes.remove(parent, at: index + 1)
      nodes.release(right)
    } else {
      share(left, right: right, wanted: total / 2)
      entries[index] = InnerEntry.make(count: weight(of: left), child: left)
      entries[index + 1] = InnerEntry.make(count: weight(of: right), child: right)
    }
  }

  private func share(_ left: Node, right: Node, wanted: Int) {
    let surplus = nodes.count(left) - wanted
    if surplus > 0 {
      moveEntries(from: left, wanted..<nodes.count(left), to: right, at: 0)
    } else {
      moveEntries(from: right, 0..<(-surplus), to: left, at: nodes.count(left))
    }
  }

  private func lowerRoot() {
    while nodes.height(root) > 0, nodes.count(root) == 1 {
      let child = InnerEntry.child(nodes.words(root)[0])
      nodes.release(root)
      nodes.setParent(child, parent: NodePool.none)
      root = child
    }
  }
}
