/// A search for the rank of a new element in an ordered tree, step by step: the caller compares the
/// pivot of each step. Many searches can thus advance together, and their pivots be read at once.
///
/// The pivots of the upper levels are the first words of nodes and the same in every search, so
/// that a caller can cache what it read of them. In the lowest levels a good guess goes directly to
/// a word of a leaf. Valid until the tree changes.
package struct RankSearch {
  private let tree: OrderStatisticTree
  private var node: Node
  /// The remaining range: of the node's entries, the first of which needs no comparison, or, in the
  /// two lowest levels, of the words below the node.
  private var bounds: Range<Int>
  private var before = 0
  /// The index of the word or entry to compare, counted as `bounds` is.
  private var pivot = 0
  /// Whether the words beside the pivot may be the result.
  private var isNear = false
  /// The number of guesses left in this node; afterwards its range is halved.
  private var guesses = Self.guessesPerNode

  private static let guessesPerNode = 4

  init(_ tree: OrderStatisticTree) {
    self.tree = tree
    node = tree.root
    bounds = Self.bounds(of: tree.root, tree)
  }

  private static func bounds(of node: Node, _ tree: OrderStatisticTree) -> Range<Int> {
    let entries = tree.nodes.entries(node)
    return switch tree.nodes.height(node) {
    case 0: 0..<entries.count
    case 1: 0..<entries.reduce(0) { $0 + InnerEntry.count($1) }
    default: 1..<entries.count
    }
  }

  /// Whether `bounds` counts words rather than entries.
  private var countsWords: Bool { tree.nodes.height(node) <= 1 }

  /// The word to compare next; nil once the rank is found.
  ///
  /// - Parameter share: a guess of the relative position between the two nearest words that were
  ///   compared, from 0 to 1. A good guess saves steps, a bad one costs a few.
  package mutating func nextPivot(guess share: @autoclosure () -> Double? = nil) -> UInt64? {
    guard advance() else { return nil }
    return choosePivot(takesGuess ? share() : nil)
  }

  /// Descends until there is something to compare; returns false if there is nothing left.
  mutating func advance() -> Bool {
    while bounds.isEmpty {
      if countsWords { return false }
      descend()
    }
    return true
  }

  var takesGuess: Bool { guesses > 0 && bounds.count > 2 }

  /// The word to compare next. Call it after ``advance()`` has returned true.
  mutating func choosePivot(_ share: Double?) -> UInt64 {
    let middle = bounds.lowerBound + bounds.count / 2
    var guess: Int?
    if let share, share >= 0, share <= 1 {
      guesses -= 1
      guess = bounds.lowerBound + min(Int(share * Double(bounds.count)), bounds.count - 1)
    }
    guard countsWords else {
      pivot = guess ?? middle
      isNear = false
      return tree.firstWord(below: InnerEntry.child(tree.nodes.words(node)[pivot]))
    }
    pivot = guess ?? middle
    let (leaf, offset) = tree.place(pivot, below: node)
    isNear = true
    // Halving prefers the first word of a leaf, as long as a leaf starts within the range.
    if guess == nil, offset > 0, pivot - offset > bounds.lowerBound {
      pivot -= offset
      isNear = false
      return tree.nodes.words(leaf)[0]
    }
    return tree.nodes.words(leaf)[offset]
  }

  /// The remaining words beside the pivot: the next to compare if the guess was good.
  var neighbours: (before: UInt64?, after: UInt64?) {
    guard isNear else { return (nil, nil) }
    return (
      pivot > bounds.lowerBound ? word(pivot - 1) : nil,
      pivot + 1 < bounds.upperBound ? word(pivot + 1) : nil
    )
  }

  private func word(_ index: Int) -> UInt64 {
    let (leaf, offset) = tree.place(index, below: node)
    return tree.nodes.words(leaf)[offset]
  }

  /// Answers for the pivot's neighbour on the side that ``answer(_:)`` has left.
  mutating func answer(neighbour precedes: Bool, after: Bool) {
    pivot = after ? bounds.lowerBound : bounds.upperBound - 1
    answer(precedes)
  }

  /// Answers whether the pivot comes before the searched element.
  package mutating func answer(_ pivotPrecedes: Bool) {
    bounds = pivotPrecedes ? pivot + 1..<bounds.upperBound : bounds.lowerBound..<pivot
  }

  /// The number of words before the searched element; valid once there is no further pivot.
  package var rank: Int { before + bounds.lowerBound }

  private mutating func descend() {
    let child = bounds.lowerBound - 1
    for entry in tree.nodes.entries(node).prefix(child) { before += InnerEntry.count(entry) }
    node = InnerEntry.child(tree.nodes.words(node)[child])
    bounds = Self.bounds(of: node, tree)
    guesses = Self.guessesPerNode
  }
}

extension OrderStatisticTree {
  package func search() -> RankSearch { RankSearch(self) }

  /// The first rank whose word does not precede; `precedes` must be true of a prefix of the list.
  package func partitionPoint(_ precedes: (UInt64) throws -> Bool) rethrows -> Int {
    var search = search()
    while let pivot = search.nextPivot() { search.answer(try precedes(pivot)) }
    return search.rank
  }
}
