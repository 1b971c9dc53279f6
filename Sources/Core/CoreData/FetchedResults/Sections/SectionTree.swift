/// The sections of a list in order, with their sizes. Finds the section of a rank, a section's
/// index and the rank of its first object, and inserts and removes sections, in O(log n).
///
/// A treap: a binary search tree that random priorities keep shallow.
///
///                  ┌ name, size, priority ┐
///                  │ sections below  5    │        in order:  left < self < right
///                  │ objects below   17   │        heap:      priority ≥ those of the children
///              ┌───┴──────────────────────┴───┐
///          2 sections                     2 sections
///
/// Invariants (``checkInvariants()``): a node's two counts include its children and itself; a
/// child's parent link is its parent; a node's priority is at least that of its children.
///
/// Sections may be empty: an emptied section stays until the batch ends, in case it is filled
/// again. Confined to one context's queue.
package final class SectionTree {
  private(set) var root: FetchedSection?
  // The fixed seed makes the shape depend on the operations alone, so that failures are
  // reproducible.
  private var randomState: UInt64 = 0x5EED

  /// A tree of sections in this order. O(n).
  package init(_ sections: some Sequence<FetchedSection> = []) {
    // Each section is appended; the nodes of the right spine with lower priorities become its left
    // subtree.
    var spine: [FetchedSection] = []
    for section in sections {
      section.priority = nextPriority()
      var below: FetchedSection?
      while let last = spine.last, last.priority < section.priority {
        last.recount()
        below = spine.popLast()
      }
      link(left: below, of: section)
      if let last = spine.last { link(right: section, of: last) }
      spine.append(section)
    }
    root = spine.first
    for section in spine.reversed() { section.recount() }
  }

  deinit {
    // A client may keep sections longer than the tree; their links must be cleared.
    var pending = root.map { [$0] } ?? []
    while let section = pending.popLast() {
      if let left = section.left { pending.append(left) }
      if let right = section.right { pending.append(right) }
      (section.left, section.right, section.parent) = (nil, nil, nil)
    }
  }

  /// The number of sections, empty ones included.
  package var count: Int { root?.sectionsBelow ?? 0 }

  /// The number of objects in all sections.
  package var objectCount: Int { root?.objectsBelow ?? 0 }

  package subscript(index: Int) -> FetchedSection {
    precondition(index >= 0 && index < count, "Section \(index) of \(count)")
    var rest = index
    var node = root
    while let section = node {
      let before = section.left?.sectionsBelow ?? 0
      if rest == before { return section }
      node = rest < before ? section.left : section.right
      if rest > before { rest -= before + 1 }
    }
    preconditionFailure("The sections are miscounted")
  }

  /// The section that contains a rank, 0 ..< objectCount, and the object's index in it.
  package func section(containing rank: Int) -> (section: FetchedSection, offset: Int) {
    precondition(rank >= 0 && rank < objectCount, "Rank \(rank) of \(objectCount)")
    var rest = rank
    var node = root
    while let section = node {
      let before = section.left?.objectsBelow ?? 0
      if rest < before {
        node = section.left
      } else if rest < before + section.size {
        return (section, rest - before)
      } else {
        rest -= before + section.size
        node = section.right
      }
    }
    preconditionFailure("The sections are miscounted")
  }

  /// The index of a section of this tree.
  package func index(of section: FetchedSection) -> Int {
    sum(before: section, \.sectionsBelow) { _ in 1 }
  }

  /// The rank of a section's first object; for an empty section, the rank that it would have.
  package func start(of section: FetchedSection) -> Int {
    sum(before: section, \.objectsBelow, own: \.size)
  }

  private func sum(
    before section: FetchedSection, _ below: (FetchedSection) -> Int,
    own: (FetchedSection) -> Int
  ) -> Int {
    var result = section.left.map(below) ?? 0
    var node = section
    while let parent = node.parent {
      if parent.right === node { result += own(parent) + (parent.left.map(below) ?? 0) }
      node = parent
    }
    return result
  }

  /// The section after another one; the first one for nil.
  package func section(after section: FetchedSection?) -> FetchedSection? {
    guard let section else { return leftmost(of: root) }
    if let right = section.right { return leftmost(of: right) }
    var node = section
    while let parent = node.parent {
      if parent.left === node { return parent }
      node = parent
    }
    return nil
  }

  private func leftmost(of node: FetchedSection?) -> FetchedSection? {
    var node = node
    while let left = node?.left { node = left }
    return node
  }

  /// All sections in order. O(n).
  package var all: [FetchedSection] {
    var result: [FetchedSection] = []
    result.reserveCapacity(count)
    var next = section(after: nil)
    while let section = next {
      result.append(section)
      next = self.section(after: section)
    }
    return result
  }

  // MARK: - Links

  func link(left child: FetchedSection?, of parent: FetchedSection) {
    parent.left = child
    child?.parent = parent
  }

  func link(right child: FetchedSection?, of parent: FetchedSection) {
    parent.right = child
    child?.parent = parent
  }

  /// Replaces `old` in its parent by `section`, or by nothing.
  func replace(_ old: FetchedSection, by section: FetchedSection?) {
    guard let parent = old.parent else {
      root = section
      section?.parent = nil
      return
    }
    if parent.left === old {
      link(left: section, of: parent)
    } else {
      link(right: section, of: parent)
    }
  }

  func setRoot(_ section: FetchedSection) { root = section }

  /// The next number of the SplitMix64 generator.
  func nextPriority() -> UInt64 {
    randomState &+= 0x9E37_79B9_7F4A_7C15
    var mixed = randomState
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
