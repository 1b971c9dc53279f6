/// A search for the place of something in an ordered tree, step by step: the caller compares the
/// pivot that each step names. Many searches can so be advanced together, and what they ask for be
/// read at once.
///
/// The pivots of the upper levels are the first words of nodes, the same from search to search, so
/// that a caller can keep what it had to read about them. Valid until the tree changes.
package struct RankSearch {
  private let tree: OrderStatisticTree
  private var node: Node
  /// The entries of the node among which the place is still to be found. Of an inner node the first
  /// child needs no comparison.
  private var bounds: Range<Int>
  private var before = 0
  /// The entry that is to be compared.
  private var pivot = 0
  /// How many more guesses are tried in this node before it is halved.
  private var guesses = Self.guessesPerNode

  private static let guessesPerNode = 4

  init(_ tree: OrderStatisticTree) {
    self.tree = tree
    node = tree.root
    bounds = Self.bounds(of: tree.root, tree)
  }

  private static func bounds(of node: Node, _ tree: OrderStatisticTree) -> Range<Int> {
    let count = tree.nodes.count(node)
    return (tree.nodes.height(node) > 0 ? 1 : 0)..<count
  }

  private var isInLeaf: Bool { tree.nodes.height(node) == 0 }

  /// The word to compare next; nil once the place is found.
  ///
  /// - Parameter share: where the place may be between the two nearest words that were compared, from 0 to 1:
  ///   a good guess saves steps. A bad one costs a few.
  package mutating func nextPivot(guess share: @autoclosure () -> Double? = nil) -> UInt64? {
    guard advance() else { return nil }
    return choosePivot(takesGuess ? share() : nil)
  }

  /// Goes down to where there is something to compare; whether there is.
  mutating func advance() -> Bool {
    while bounds.isEmpty {
      if isInLeaf { return false }
      descend()
    }
    return true
  }

  var takesGuess: Bool { guesses > 0 && bounds.count > 2 }

  /// After ``advance()``.
  mutating func choosePivot(_ share: Double?) -> UInt64 {
    pivot = bounds.lowerBound + bounds.count / 2
    if let share, share >= 0, share <= 1 {
      guesses -= 1
      pivot = bounds.lowerBound + min(Int(share * Double(bounds.count)), bounds.count - 1)
    }
    let word = tree.nodes.words(node)[pivot]
    return isInLeaf ? word : tree.firstWord(below: InnerEntry.child(word))
  }

  /// The words beside the pivot among those that are left, in a leaf: the next to be compared if the pivot is where
  /// the guess was good.
  var neighbours: (before: UInt64?, after: UInt64?) {
    guard isInLeaf else { return (nil, nil) }
    let words = tree.nodes.words(node)
    return (
      pivot > bounds.lowerBound ? words[pivot - 1] : nil,
      pivot + 1 < bounds.upperBound ? words[pivot + 1] : nil
    )
  }

  /// Says whether the pivot's neighbour, on the side that ``answer(_:)`` has left, belongs before it too.
  mutating func answer(neighbour precedes: Bool, after: Bool) {
    pivot = after ? bounds.lowerBound : bounds.upperBound - 1
    answer(precedes)
  }

  /// Says whether the pivot belongs before what is searched for.
  package mutating func answer(_ pivotPrecedes: Bool) {
    bounds = pivotPrecedes ? pivot + 1..<bounds.upperBound : bounds.lowerBound..<pivot
  }

  /// The rank of the place, once there is no further pivot: how many words belong before it.
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

  /// The first rank from which on no word `precedes`, which must be true of a prefix of the list.
  package func partitionPoint(_ precedes: (UInt64) throws -> Bool) rethrows -> Int {
    var search = search()
    while let pivot = search.nextPivot() { search.answer(try precedes(pivot)) }
    return search.rank
  }
}
