extension OrderStatisticTree {
  /// The word at a rank, 0 ..< count. O(log n).
  package subscript(rank: Int) -> UInt64 {
    precondition(rank >= 0 && rank < count, "Rank \(rank) of a list of \(count)")
    let (leaf, offset) = place(of: rank)
    return nodes.words(leaf)[offset]
  }

  /// The rank of a word; nil if it is not in the tree. O(log n); the first call is O(n).
  package func rank(of word: UInt64) -> Int? {
    guard let leaf = requireLocator().leaf(of: word) else { return nil }
    return offset(of: word, in: leaf) + start(of: leaf)
  }

  /// The ranks of many words; nil for those not in the tree. O(k log n), or O(k + n / capacity) if
  /// that is less: then one walk of the tree records where each leaf starts.
  package func ranks(of words: [UInt64]) -> [Int?] {
    guard words.count > nodes.liveCount / Self.stepsOfAWalk else { return words.map(rank) }
    let locator = requireLocator()
    var starts = ContiguousArray(repeating: 0, count: nodes.heads.count)
    var start = 0
    noteStarts(root, start: &start, starts: &starts)
    return words.map { word in
      locator.leaf(of: word).map { offset(of: word, in: $0) + starts[Int($0)] }
    }
  }

  /// The number of nodes that a walk visits in the time of one ascent to the root.
  private static let stepsOfAWalk = 16

  private func noteStarts(_ node: Node, start: inout Int, starts: inout ContiguousArray<Int>) {
    if nodes.height(node) == 0 {
      starts[Int(node)] = start
      start += nodes.count(node)
    } else {
      for entry in nodes.entries(node) {
        noteStarts(InnerEntry.child(entry), start: &start, starts: &starts)
      }
    }
  }

  package func contains(_ word: UInt64) -> Bool { requireLocator().leaf(of: word) != nil }

  /// The words at these ranks, in order. O(log n + range).
  package func words(in range: Range<Int>) -> ContiguousArray<UInt64> {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "\(range) of \(count)")
    var result: ContiguousArray<UInt64> = []
    result.reserveCapacity(range.count)
    guard !range.isEmpty else { return result }
    var (leaf, offset) = place(of: range.lowerBound)
    while true {
      let wanted = range.count - result.count
      result.append(contentsOf: nodes.entries(leaf).dropFirst(offset).prefix(wanted))
      guard result.count < range.count, let next = self.leaf(after: leaf) else { return result }
      leaf = next
      offset = 0
    }
  }

  func firstWord(below node: Node) -> UInt64 {
    nodes.words(leftmostLeaf(below: node))[0]
  }

  // MARK: - Positions

  /// The leaf of a rank, and the offset in it.
  func place(of rank: Int) -> (leaf: Node, offset: Int) { place(rank, below: root) }

  /// The leaf of a rank, and the offset in it, counted among the words below a node.
  func place(_ rank: Int, below node: Node) -> (leaf: Node, offset: Int) {
    var node = node
    var rest = rank
    while nodes.height(node) > 0 {
      let words = nodes.words(node)
      var index = 0
      while rest >= InnerEntry.count(words[index]) {
        rest -= InnerEntry.count(words[index])
        index += 1
      }
      node = InnerEntry.child(words[index])
    }
    return (node, rest)
  }

  func offset(of word: UInt64, in leaf: Node) -> Int {
    let words = nodes.words(leaf)
    for offset in 0..<nodes.count(leaf) where words[offset] == word { return offset }
    preconditionFailure("The locator names a leaf without the word")
  }

  /// The number of words before a node.
  private func start(of node: Node) -> Int {
    var rank = 0
    var node = node
    while node != root {
      let parent = nodes.parent(node)
      let words = nodes.words(parent)
      var index = 0
      while InnerEntry.child(words[index]) != node {
        rank += InnerEntry.count(words[index])
        index += 1
      }
      node = parent
    }
    return rank
  }

  /// The index of a child among its parent's entries.
  func index(of child: Node, in parent: Node) -> Int {
    let words = nodes.words(parent)
    for index in 0..<nodes.count(parent) where InnerEntry.child(words[index]) == child {
      return index
    }
    preconditionFailure("A child is not among its parent's entries")
  }

  var firstLeaf: Node { leftmostLeaf(below: root) }

  private func leftmostLeaf(below node: Node) -> Node {
    var node = node
    while nodes.height(node) > 0 { node = InnerEntry.child(nodes.words(node)[0]) }
    return node
  }

  func leaf(after leaf: Node) -> Node? {
    var node = leaf
    while node != root {
      let parent = nodes.parent(node)
      let next = index(of: node, in: parent) + 1
      if next < nodes.count(parent) {
        return leftmostLeaf(below: InnerEntry.child(nodes.words(parent)[next]))
      }
      node = parent
    }
    return nil
  }
}
