/// A hash table from words to leaves, with open addressing: linear probing, at most half full.
///
///     ┌ words  │ 0 │ w │ w │ 0 │ … ┐   0 marks a free place: no identity is 0
///     └ leaves │   │ l │ l │   │ … ┘
struct SparseLeafTable {
  private var words: ContiguousArray<UInt64> = []
  private var leaves: ContiguousArray<Node> = []
  private(set) var count = 0

  private var mask: Int { words.count - 1 }

  subscript(word: UInt64) -> Node? {
    guard count > 0 else { return nil }
    let index = index(of: word)
    return words[index] == word ? leaves[index] : nil
  }

  /// Sets the leaf of a word; returns whether the word is new.
  mutating func set(_ word: UInt64, leaf: Node) -> Bool {
    precondition(word != 0, "Word 0 marks a free place")
    if (count + 1) * 2 > words.count { grow() }
    let index = index(of: word)
    let isNew = words[index] == 0
    words[index] = word
    leaves[index] = leaf
    if isNew { count += 1 }
    return isNew
  }

  /// Removes a word; returns whether it was present.
  mutating func remove(_ word: UInt64) -> Bool {
    guard count > 0 else { return false }
    let index = index(of: word)
    guard words[index] == word else { return false }
    close(index)
    count -= 1
    return true
  }

  /// The index of a word, or of the free element where it belongs.
  private func index(of word: UInt64) -> Int {
    var index = home(of: word)
    while words[index] != word && words[index] != 0 { index = (index + 1) & mask }
    return index
  }

  private func home(of word: UInt64) -> Int {
    let mixed = word &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 20) & mask
  }

  /// Frees an element and closes the gap, so that no look-up stops too early.
  private mutating func close(_ index: Int) {
    var gap = index
    var next = (gap + 1) & mask
    while words[next] != 0 {
      let home = home(of: words[next])
      if (next - home) & mask >= (next - gap) & mask {
        words[gap] = words[next]
        leaves[gap] = leaves[next]
        gap = next
      }
      next = (next + 1) & mask
    }
    words[gap] = 0
  }

  private mutating func grow() {
    let old = (words, leaves)
    let capacity = max(16, words.count * 2)
    words = ContiguousArray(repeating: 0, count: capacity)
    leaves = ContiguousArray(repeating: 0, count: capacity)
    for (word, leaf) in zip(old.0, old.1) where word != 0 {
      let index = index(of: word)
      words[index] = word
      leaves[index] = leaf
    }
  }
}
