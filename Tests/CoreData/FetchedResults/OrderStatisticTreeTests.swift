import Testing

@testable import CoreData
@testable import CoreDataSamples

@Suite struct OrderStatisticTreeTests {
  @Test(arguments: [0, 1, 2, 3, 4, 5, 16, 17, 100, 1_000, 20_000])
  func aBuiltTreeHasItsWordsInOrder(count: Int) {
    for capacity in [4, 5, 128] {
      let words = (0..<UInt64(count)).map { $0 * 3 + 1 }
      let tree = OrderStatisticTree(words, capacity: capacity)
      tree.checkInvariants()
      expectSame(tree, words)
    }
  }

  @Test func everyPairOfChangesToEverySmallTreeIsRight() {
    for count in 0...18 {
      for first in changes(count) {
        let middle = count + first.growth
        for second in changes(middle) { check(count, [first, second]) }
      }
    }
  }

  @Test func everyOrderOfSevenInsertionsAndRemovalsIsRight() {
    for order in permutations(of: Array(0..<7)) {
      let tree = OrderStatisticTree([], capacity: 4)
      var words: [UInt64] = []
      for (step, value) in order.enumerated() {
        let rank = order[..<step].count { $0 < value }
        tree.insert(UInt64(value + 1), at: rank)
        words.insert(UInt64(value + 1), at: rank)
      }
      expectSame(tree, words)
      for value in order {
        #expect(tree.rank(of: UInt64(value + 1)) == words.firstIndex(of: UInt64(value + 1)))
        let rank = words.firstIndex(of: UInt64(value + 1))!
        words.remove(at: rank)
        #expect(tree.remove(at: rank) == UInt64(value + 1))
      }
      #expect(tree.isEmpty)
    }
  }

  @Test(arguments: [4, 7, 128], [1, 2, 3] as [UInt64])
  func randomChangesAgreeWithAnArray(capacity: Int, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var words = (0..<500).map { UInt64($0 + 1) }
    let tree = OrderStatisticTree(words, capacity: capacity)
    var fresh: UInt64 = 1_000
    for step in 0..<6_000 {
      let grows = step < 3_000 ? 3 : 1
      if words.isEmpty || Int.random(in: 0..<4, using: &random) < grows {
        let word = Bool.random(using: &random) ? fresh : fresh << 41 | fresh
        fresh += 1
        let rank = Int.random(in: 0...words.count, using: &random)
        tree.insert(word, at: rank)
        words.insert(word, at: rank)
      } else {
        let rank = Int.random(in: 0..<words.count, using: &random)
        #expect(tree.remove(at: rank) == words.remove(at: rank), "seed \(seed)")
      }
    }
    tree.checkInvariants()
    expectSame(tree, words)
  }

  @Test func aPartitionPointIsFoundAtEveryRank() {
    for count in [0, 1, 3, 4, 9, 40, 300] {
      let tree = OrderStatisticTree((0..<UInt64(count)).map { $0 + 1 }, capacity: 4)
      for rank in 0...count {
        #expect(tree.partitionPoint { $0 <= UInt64(rank) } == rank)
      }
    }
  }

  @Test(arguments: [1, 2] as [UInt64])
  func noGuessMisleadsASearch(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let tree = OrderStatisticTree((1...20_000).map { UInt64($0) })
    let guesses: [Double?] = [nil, 0, 0.5, 1, -1, 2, .nan, .infinity]
    for _ in 0..<500 {
      let rank = Int.random(in: 0...20_000, using: &random)
      var search = tree.search()
      var steps = 0
      while let pivot = search.nextPivot(guess: guesses.randomElement(using: &random)!) {
        search.answer(pivot <= UInt64(rank))
        steps += 1
      }
      #expect(search.rank == rank, "seed \(seed)")
      #expect(steps <= 33, "seed \(seed)")
    }
  }

  /// Trees of every height, searched with guesses good and bad, with and without what is beside the pivot.
  @Test(arguments: [4, 8, 128], [0, 1, 5, 40, 300, 3_000])
  func everyPlaceIsFoundWithNeighboursToo(capacity: Int, count: Int) {
    var random = SplitMix64(seed: UInt64(capacity * 10_000 + count))
    let tree = OrderStatisticTree((0..<UInt64(count)).map { 2 * $0 + 2 }, capacity: capacity)
    for _ in 0..<300 {
      let rank = Int.random(in: 0...count, using: &random)
      let place = UInt64(2 * rank + 1)
      var search = tree.search()
      while search.advance() {
        let share = [nil, 0, 1, Double.random(in: 0...1, using: &random)]
          .randomElement(using: &random)!
        let pivot = search.choosePivot(search.takesGuess ? share : nil)
        let (before, after) = search.neighbours
        #expect(before ?? pivot - 2 == pivot - 2 && after ?? pivot + 2 == pivot + 2)
        let precedes = pivot < place
        search.answer(precedes)
        guard let word = precedes ? after : before, Bool.random(using: &random) else { continue }
        search.answer(neighbour: word < place, after: precedes)
      }
      #expect(search.rank == rank, "capacity \(capacity), count \(count)")
    }
  }

  @Test func aReplacedWordKeepsItsRank() {
    let tree = OrderStatisticTree((1...100).map { UInt64($0) }, capacity: 4)
    let temporary = UInt64(1) << 63 | 7
    tree.replace(40, by: temporary)
    #expect(tree.rank(of: temporary) == 39)
    #expect(tree.rank(of: 40) == nil)
    #expect(tree[39] == temporary)
    tree.checkInvariants()
  }

  @Test func wordsOfSeveralEntitiesAndScatteredKeysAreLocated() {
    let dense = (0..<2_000).map { UInt64(1) << 40 | UInt64($0 + 1) }
    let other = (0..<2_000).map { UInt64(2) << 40 | UInt64($0 * 3 + 1) }
    let scattered = (0..<500).map { UInt64(3) << 40 | UInt64($0 * 9_001 + 1) }
    let words = zip(dense, other).flatMap { [$0, $1] } + scattered
    let tree = OrderStatisticTree(words)
    for (rank, word) in words.enumerated() { #expect(tree.rank(of: word) == rank) }
    tree.checkInvariants()
  }

  // MARK: - Changes

  private enum Change {
    case insert(Int)
    case remove(Int)

    var growth: Int {
      if case .insert = self { 1 } else { -1 }
    }
  }

  private func changes(_ count: Int) -> [Change] {
    (0...count).map { .insert($0) } + (0..<count).map { .remove($0) }
  }

  private func check(_ count: Int, _ changes: [Change]) {
    var words = (0..<count).map { UInt64($0 + 1) }
    let tree = OrderStatisticTree(words, capacity: 4)
    for (number, change) in changes.enumerated() {
      switch change {
      case .insert(let rank):
        tree.insert(UInt64(100 + number), at: rank)
        words.insert(UInt64(100 + number), at: rank)
      case .remove(let rank):
        tree.remove(at: rank)
        words.remove(at: rank)
      }
    }
    #expect(tree.words(in: 0..<tree.count).elementsEqual(words))
  }

  private func permutations(of values: [Int]) -> [[Int]] {
    guard let first = values.first else { return [[]] }
    return permutations(of: Array(values.dropFirst())).flatMap { rest in
      (0...rest.count).map { index in
        var result = rest
        result.insert(first, at: index)
        return result
      }
    }
  }

  private func expectSame(_ tree: OrderStatisticTree, _ words: [UInt64]) {
    // All at once, and too few for a walk; a word that is not there among them.
    #expect(tree.ranks(of: words + [.max]) == words.indices.map(Optional.some) + [nil])
    #expect(tree.ranks(of: [.max] + words.suffix(1)) == [nil] + words.indices.suffix(1).map { $0 })
    #expect(tree.count == words.count)
    #expect(tree.words(in: 0..<tree.count).elementsEqual(words))
    for rank in stride(from: 0, to: words.count, by: max(1, words.count / 97)) {
      #expect(tree[rank] == words[rank])
      #expect(tree.rank(of: words[rank]) == rank)
    }
    let middle = words.count / 3..<words.count * 2 / 3
    #expect(tree.words(in: middle).elementsEqual(words[middle]))
  }
}
