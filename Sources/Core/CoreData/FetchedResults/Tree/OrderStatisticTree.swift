/// A counted B+tree: a list of distinct 64-bit words that finds the word at a rank and the rank of
/// a word, inserts and removes, all in O(log n). A fetched results controller keeps its order in
/// one; the words are the bits of its objects' ``PackedIdentity``.
///
///     height 2               ┌ 9·b │ 7·c ┐                    an inner entry: words below · node
///                       ┌────┘     └─────────┐
///     height 1     b ┌ 4·d │ 5·e ┐      c ┌ 3·f │ 4·g ┐
///     height 0     d ┌ w w w w ┐ e ┌ w w w w w ┐ f …          the words in their order
///
///     locator      word → its leaf, built on first use; the rank is counted upwards from there
///
/// Leaves and inner nodes have one layout, `capacity` entries of 64 bits. An inner entry holds the
/// number of words below in its upper half and the node in its lower half.
///
/// Invariants (``checkInvariants()``; after every change of small trees in debug builds):
/// 1. Every leaf has height 0, an inner node one more than each of its children.
/// 2. A node that is not the root has at least `minimum` entries, none has more than `capacity`.
/// 3. An inner root has at least two children; only the root may be empty.
/// 4. An inner entry's number is the number of words below it; a child's parent is its parent.
/// 5. Once built, the locator has exactly the words of the tree, each with its leaf.
///
/// A million words need 9 MB, and 4 MB more for the locator of dense keys (24 MB for scattered
/// keys). Confined to one context's queue.
package final class OrderStatisticTree {
  let nodes: NodePool
  /// The least number of entries of a node other than the root.
  let minimum: Int
  @exclusivity(unchecked)
  var root: Node
  @exclusivity(unchecked)
  var locator: LeafLocator?
  @exclusivity(unchecked)
  package internal(set) var count = 0

  /// A tree of these distinct words in this order, in O(n). Other capacities than the default are
  /// for tests.
  package init(_ words: some Collection<UInt64> = [], capacity: Int = 128) {
    precondition(capacity >= 4, "A node has room for four entries at least")
    nodes = NodePool(capacity: capacity)
    minimum = max(2, capacity / 4)
    root = nodes.make(height: 0)
    build(words)
  }

  package var isEmpty: Bool { count == 0 }

  /// The locator; the first call builds it from the leaves.
  func requireLocator() -> LeafLocator {
    if let locator { return locator }
    let made = LeafLocator(words: self)
    forEach { word, leaf in made.set(word, leaf: leaf) }
    locator = made
    return made
  }

  /// Calls `body` with every word in order and its leaf.
  func forEach(_ body: (UInt64, Node) -> Void) {
    var leaf: Node? = firstLeaf
    while let node = leaf {
      for word in nodes.entries(node) { body(word, node) }
      leaf = self.leaf(after: node)
    }
  }

  /// Replaces a word by another that is not in the tree; its rank is kept. O(1).
  package func replace(_ old: UInt64, by new: UInt64) {
    let locator = requireLocator()
    guard let leaf = locator.leaf(of: old) else {
      preconditionFailure("The word to replace is not in the tree")
    }
    nodes.words(leaf)[offset(of: old, in: leaf)] = new
    locator.remove(old)
    locator.set(new, leaf: leaf)
    checkAfterChange()
  }
}
