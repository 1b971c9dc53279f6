/// A search for the place of something in an ordered tree, step by step: the caller compares the
/// pivot that each step names. Many searches can so be advanced together, and what they ask for be
/// read at once.
///
/// The pivots of the upper levels are the first words of nodes, the same from search to search, so
/// that a caller can keep what it had to read about them. Below them a good guess goes straight to a
/// word of a leaf: what is between saves no step. Valid until the tree changes.
package struct RankSearch {
  private let tree: OrderStatisticTree
  private var node: Node
  /// Where the place is still to be found: among the entries of the node, of which the first needs no comparison, or
  /// among the words below it where these lie in one level of leaves.
  private var bounds: Range<Int>
  private var before = 0
  /// What is to be compared, among what the bounds count.
  private var pivot = 0
  /// Whether the words beside the pivot may be where the place is.
  private var isNear = false
  /// How many more guesses are tried in this node before it is halved.
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

  /// Whether the bounds count words.
  private var countsWords: Bool { tree.nodes.height(node) <= 1 }

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
      if countsWords { return false }
      descend()
    }
    return true
  }

  var takesGuess: Bool { guesses > 0 && bounds.count > 2 }

  /// After ``advance()``.
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
    // Halves begin with leaves, as long as there are some.
    if guess == nil, offset > 0, pivot - offset > bounds.lowerBound {
      pivot -= offset
      isNear = false
      return tree.nodes.words(leaf)[0]
    }
    return tree.nodes.words(leaf)[offset]
  }

  /// The words beside the pivot among those that are left: the next to be compared if the guess was good.
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
