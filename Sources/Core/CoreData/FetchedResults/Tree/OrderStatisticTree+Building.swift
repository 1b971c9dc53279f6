extension OrderStatisticTree {
  /// Fills an empty tree bottom-up. Nodes keep an eighth free, so that the first insertions do not
  /// split every node.
  func build(_ words: some Collection<UInt64>) {
    count = words.count
    guard count > 0 else { return }
    var level = leaves(words)
    var height: Int32 = 1
    while level.count > 1 {
      level = parents(of: level, height: height)
      height += 1
    }
    nodes.release(root)
    root = InnerEntry.child(level[0])
    checkAfterChange()
  }

  private func leaves(_ words: some Collection<UInt64>) -> ContiguousArray<UInt64> {
    var source = words.makeIterator()
    var level: ContiguousArray<UInt64> = []
    for size in sizes(of: words.count) {
      let leaf = nodes.make(height: 0)
      let target = nodes.words(leaf)
      for offset in 0..<size {
        guard let word = source.next() else {
          preconditionFailure("The collection has fewer elements than its count")
        }
        target[offset] = word
      }
      nodes.setCount(leaf, count: size)
      level.append(InnerEntry.make(count: size, child: leaf))
    }
    return level
  }

  private func parents(
    of level: ContiguousArray<UInt64>, height: Int32
  ) -> ContiguousArray<UInt64> {
    var result: ContiguousArray<UInt64> = []
    var start = 0
    for size in sizes(of: level.count) {
      let parent = nodes.make(height: height)
      var total = 0
      for (offset, entry) in level[start..<start + size].enumerated() {
        nodes.words(parent)[offset] = entry
        nodes.setParent(InnerEntry.child(entry), parent: parent)
        total += InnerEntry.count(entry)
      }
      nodes.setCount(parent, count: size)
      result.append(InnerEntry.make(count: total, child: parent))
      start += size
    }
    return result
  }

  /// The numbers of entries per node, evenly distributed.
  private func sizes(of total: Int) -> [Int] {
    let target = max(nodes.capacity * 7 / 8, 2)
    let pieces = (total + target - 1) / target
    return (0..<pieces).map { total * ($0 + 1) / pieces - total * $0 / pieces }
  }
}
