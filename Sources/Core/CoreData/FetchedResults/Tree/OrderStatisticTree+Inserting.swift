extension OrderStatisticTree {
  /// Inserts a word that is not in the tree at a rank, 0 … count. O(log n).
  package func insert(_ word: UInt64, at rank: Int) {
    precondition(rank >= 0 && rank <= count, "Rank \(rank) in a list of \(count)")
    let locator = requireLocator()
    precondition(locator.leaf(of: word) == nil, "The word is in the tree already")
    var (leaf, offset) = insertionPlace(of: rank)
    if nodes.count(leaf) == nodes.capacity { (leaf, offset) = split(leaf, at: offset) }
    nodes.insert(word, node: leaf, at: offset)
    locator.set(word, leaf: leaf)
    count += 1
    adjustCounts(above: leaf, by: InnerEntry.one)
    checkAfterChange()
  }

  /// The position of a new word at this rank: the end of a leaf rather than the start of the next.
  private func insertionPlace(of rank: Int) -> (leaf: Node, offset: Int) {
    guard rank > 0 else { return (firstLeaf, 0) }
    let (leaf, offset) = place(of: rank - 1)
    return (leaf, offset + 1)
  }

  /// Adds `change` to the word count in every entry between a node and the root. A negative change
  /// is passed as its two's complement.
  func adjustCounts(above node: Node, by change: UInt64) {
    var node = node
    while node != root {
      let parent = nodes.parent(node)
      nodes.words(parent)[index(of: node, in: parent)] &+= change
      node = parent
    }
  }

  /// Splits a full node; returns the new position of the entry at `offset`.
  private func split(_ node: Node, at offset: Int) -> (Node, Int) {
    let kept = nodes.capacity / 2
    let sibling = nodes.make(height: nodes.height(node))
    moveEntries(from: node, kept..<nodes.count(node), to: sibling, at: 0)
    attach(sibling, after: node)
    return offset <= kept ? (node, offset) : (sibling, offset - kept)
  }

  /// Inserts a new node into the parent of its left sibling, which is split or created if needed.
  private func attach(_ sibling: Node, after node: Node) {
    let moved = weight(of: sibling)
    if node == root { growRoot(total: weight(of: node) + moved) }
    var parent = nodes.parent(node)
    var position = index(of: node, in: parent)
    nodes.words(parent)[position] -= UInt64(moved) << 32
    position += 1
    if nodes.count(parent) == nodes.capacity {
      adjustCounts(above: parent, by: 0 &- UInt64(moved) << 32)
      (parent, position) = split(parent, at: position)
      adjustCounts(above: parent, by: UInt64(moved) << 32)
    }
    nodes.insert(InnerEntry.make(count: moved, child: sibling), node: parent, at: position)
    nodes.setParent(sibling, parent: parent)
  }

  /// Puts a new root above the old one. The count of its entry includes both halves of the split
  /// until the caller subtracts the second.
  private func growRoot(total: Int) {
    let top = nodes.make(height: nodes.height(root) + 1)
    nodes.insert(InnerEntry.make(count: total, child: root), node: top, at: 0)
    nodes.setParent(root, parent: top)
    root = top
  }

  /// The number of words in and below a node.
  func weight(of node: Node) -> Int {
    guard nodes.height(node) > 0 else { return nodes.count(node) }
    return nodes.entries(node).reduce(0) { $0 + InnerEntry.count($1) }
  }

  /// Moves entries between nodes of the same height, and updates the locator or the parent links.
  func moveEntries(from source: Node, _ range: Range<Int>, to target: Node, at offset: Int) {
    let from = nodes.words(source)
    let to = nodes.words(target)
    let gap = nodes.count(target) - offset
    (to + offset + range.count).update(from: to + offset, count: gap)
    (to + offset).update(from: from + range.lowerBound, count: range.count)
    (from + range.lowerBound).update(
      from: from + range.upperBound, count: nodes.count(source) - range.upperBound)
    nodes.setCount(source, count: nodes.count(source) - range.count)
    nodes.setCount(target, count: nodes.count(target) + range.count)
    adopt(target, range: offset..<offset + range.count)
  }

  private func adopt(_ node: Node, range: Range<Int>) {
    let words = nodes.words(node)
    if nodes.height(node) > 0 {
      for offset in range { nodes.setParent(InnerEntry.child(words[offset]), parent: node) }
    } else if let locator {
      for offset in range { locator.set(words[offset], leaf: node) }
    }
  }
}
