extension OrderStatisticTree {
  /// Traps if an invariant of the tree is violated. O(n); for tests and debug builds.
  package func checkInvariants() {
    precondition(nodes.parent(root) == NodePool.none, "The root has a parent")
    var leaves = 0
    let words = check(root, leaves: &leaves)
    precondition(words == count, "\(words) words counted as \(count)")
    if let locator { precondition(locator.count == count, "The locator has other words") }
  }

  /// Checks the invariants in debug builds, if the tree is small enough to check each time.
  @inline(__always)
  func checkAfterChange() {
    #if DEBUG
      if count <= 64 { checkInvariants() }
    #endif
  }

  private func check(_ node: Node, leaves: inout Int) -> Int {
    let entries = nodes.entries(node)
    precondition(entries.count <= nodes.capacity, "An overfull node")
    precondition(node == root || entries.count >= minimum, "A node with too few entries")
    guard nodes.height(node) > 0 else {
      leaves += 1
      if let locator {
        for word in entries { precondition(locator.leaf(of: word) == node, "A word astray") }
      }
      return entries.count
    }
    precondition(entries.count >= 2, "An inner node with one child")
    return entries.reduce(0) { $0 + check(child: $1, of: node, &leaves) }
  }

  private func check(child entry: UInt64, of node: Node, _ leaves: inout Int) -> Int {
    let child = InnerEntry.child(entry)
    precondition(nodes.parent(child) == node, "A child of another parent")
    precondition(nodes.height(child) == nodes.height(node) - 1, "A child of another height")
    let words = check(child, leaves: &leaves)
    precondition(words == InnerEntry.count(entry), "A child's words are miscounted")
    return words
  }
}
