import Testing

@testable import CoreData
@testable import CoreDataSamples

@Suite struct FetchedListReplayTests {
  @Test(arguments: Sample.of([false, true], [1, 2, 3, 4, 5] as [UInt64]))
  func replayedChangesGiveTheNewList(isSectioned: Bool, seed: UInt64) {
    var run = Run(isSectioned: isSectioned, seed: seed, startCount: 40)
    for _ in 0..<200 { run.step(largestBatch: 8) }
  }

  @Test(arguments: [11, 12] as [UInt64])
  func smallListsChangeWithTheFewestMoves(seed: UInt64) {
    var run = Run(isSectioned: seed % 2 == 0, seed: seed, startCount: 6)
    for _ in 0..<200 { run.step(largestBatch: 6) }
  }

  @Test(arguments: [21, 22] as [UInt64])
  func largeBatchesAreReplayedToo(seed: UInt64) {
    var run = Run(isSectioned: true, seed: seed, startCount: 400)
    for _ in 0..<8 { run.step(largestBatch: 300) }
  }

  /// The edit of one row is what the batch of that row is; where some entry is not known, nothing is done.
  @Test(arguments: Sample.of([31, 32, 33, 34] as [UInt64]))
  func theEditOfOneRowIsABatchOfOne(seed: UInt64) throws {
    print("FetchedListReplayTests: seed \(seed)")
    var random = SplitMix64(seed: seed)
    let model = ListModel(isSectioned: false)
    for size in [1, 2, 3, 10, 300] {
      model.rows = [:]
      for key in 1...UInt64(size) {
        model.rows[key] = .init(group: Int.random(in: 0..<9, using: &random), title: "a")
      }
      let (alone, batched) = (model.makeList(), model.makeList())
      var (done, undone) = (0, 0)
      for _ in 0..<200 {
        let word = UInt64.random(in: 1...UInt64(size), using: &random)
        model.rows[word]?.group = [nil, Int.random(in: 0..<9, using: &random)]
          .randomElement(using: &random)!
        let unknown =
          Bool.random(using: &random)
          ? UInt64.random(in: 1...UInt64(size), using: &random) : 0
        let before = alone.replayed
        var changes = alone.move(model.entry(of: word), reader: model) {
          $0 == unknown ? nil : model.entry(of: $0)
        }
        if changes == nil {
          undone += 1
          #expect(unknown != 0 && alone.replayed == before, "seed \(seed)")
          changes = alone.move(model.entry(of: word), reader: model) { model.entry(of: $0) }
        } else {
          done += 1
        }
        var batch = ListBatch()
        batch.present = [model.entry(of: word)]
        let expected = batched.apply(batch, reader: model)
        alone.order.checkInvariants()
        #expect(alone.replayed == batched.replayed, "seed \(seed)")
        let found = try #require(changes)
        #expect(found.moves.map(Self.text) == expected.moves.map(Self.text), "seed \(seed)")
        #expect(found.updates.map(Self.text) == expected.updates.map(Self.text), "seed \(seed)")
      }
      #expect(done > 0 && (undone > 0 || size < 3))
    }
    // Rows out of order, and one that the list does not have, are a batch's.
    let list = model.makeList()
    let known = { model.entry(of: $0) as ListEntry? }
    let middle = model.entry(of: list.order[150])
    #expect(list.move(middle, reader: model, known: known)?.updates.count == 1)
    model.rows[list.order[149]]?.group = 100
    model.rows[list.order[151]]?.group = nil
    #expect(list.move(middle, reader: model, known: known) == nil)
    model.rows[9_999] = .init(group: 1, title: "a")
    #expect(list.move(model.entry(of: 9_999), reader: model, known: known) == nil)
    #expect(list.count == 300 && list.order[150] == middle.word)
  }

  private static func text(_ move: ListChanges.Move) -> String {
    "\(move.word) \(move.oldPath) \(move.oldRank) \(move.newPath) \(move.newRank)"
  }

  /// One list through many random batches.
  private struct Run {
    let model: ListModel
    let list: FetchedList
    let seed: UInt64
    var random: SplitMix64
    var nextKey: UInt64 = 1

    init(isSectioned: Bool, seed: UInt64, startCount: Int) {
      model = ListModel(isSectioned: isSectioned)
      random = SplitMix64(seed: seed)
      self.seed = seed
      for _ in 0..<startCount {
        model.rows[nextKey] = Self.randomRow(&random)
        nextKey += 1
      }
      list = model.makeList()
    }

    private static func randomRow(_ random: inout SplitMix64) -> ListModel.Row {
      let group = Int.random(in: -1..<20, using: &random)
      return .init(
        group: group < 0 ? nil : group, title: ["a", "b", "c", "d"].randomElement(using: &random)!)
    }

    mutating func step(largestBatch: Int) {
      let old = ReplayedList(sections: model.sections())
      let batch = makeBatch(Int.random(in: 1...largestBatch, using: &random))
      let changes = list.apply(batch, reader: model) { _ in
        Issue.record("No section is out of order, seed \(seed)")
      }
      let new = ReplayedList(sections: model.sections())
      list.order.checkInvariants()
      list.sections.checkInvariants()
      var replayed = old
      replayed.apply(changes)
      #expect(list.replayed == new, "seed \(seed)")
      #expect(replayed == new, "seed \(seed)")
      expectRightPaths(changes, old, new)
      expectOnlyNeededSections(changes, old, new)
      if batch.present.count <= 5, model.rows.count < 20 {
        expectFewestMoves(changes, batch, old, new)
      }
    }

    private mutating func makeBatch(_ size: Int) -> ListBatch {
      var batch = ListBatch()
      var touched: Set<UInt64> = []
      for _ in 0..<size {
        let existing = model.rows.keys.sorted().filter { !touched.contains($0) }
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3:
          model.rows[nextKey] = Self.randomRow(&random)
          touched.insert(nextKey)
          nextKey += 1
        case 3..<5:
          guard let word = existing.randomElement(using: &random) else { continue }
          model.rows[word] = nil
          batch.leaving.append(word)
        default:
          guard let word = existing.randomElement(using: &random) else { continue }
          if Bool.random(using: &random) { model.rows[word] = Self.randomRow(&random) }
          touched.insert(word)
        }
      }
      batch.present = touched.sorted().shuffled(using: &random).map(model.entry)
      return batch
    }

    private func expectRightPaths(
      _ changes: ListChanges, _ old: ReplayedList, _ new: ReplayedList
    ) {
      for deletion in changes.deletions {
        #expect(old.word(at: deletion.path) == deletion.word, "seed \(seed)")
      }
      for insertion in changes.insertions {
        #expect(new.word(at: insertion.path) == insertion.word, "seed \(seed)")
      }
      for move in changes.moves + changes.updates {
        #expect(old.word(at: move.oldPath) == move.word, "seed \(seed)")
        #expect(new.word(at: move.newPath) == move.word, "seed \(seed)")
      }
    }

    private func expectOnlyNeededSections(
      _ changes: ListChanges, _ old: ReplayedList, _ new: ReplayedList
    ) {
      let before = Set(old.sections.map(\.name))
      let after = Set(new.sections.map(\.name))
      let deleted = Set(changes.deletedSections.map(\.section.name))
      let inserted = Set(changes.insertedSections.map(\.section.name))
      #expect(deleted == before.subtracting(after), "seed \(seed)")
      #expect(inserted == after.subtracting(before), "seed \(seed)")
    }

    /// Tries every set of objects that might stay.
    private func expectFewestMoves(
      _ changes: ListChanges, _ batch: ListBatch, _ old: ReplayedList, _ new: ReplayedList
    ) {
      let before = flat(old)
      let after = flat(new)
      let survivors = batch.present.map(\.word).filter { before[$0] != nil }
      let unchanged = before.keys.filter { word in
        !survivors.contains(word) && after[word] != nil
      }
      var most = 0
      for choice in 0..<(1 << survivors.count) {
        let chosen = survivors.indices.filter { choice >> $0 & 1 == 1 }.map { survivors[$0] }
        guard chosen.count > most else { continue }
        let staying = (unchanged + chosen).sorted { before[$0]!.rank < before[$1]!.rank }
        let isRising = zip(staying, staying.dropFirst()).allSatisfy {
          after[$0]!.rank < after[$1]!.rank
        }
        let inPlace = chosen.allSatisfy { before[$0]!.section == after[$0]!.section }
        if isRising, inPlace { most = chosen.count }
      }
      #expect(changes.moves.count == survivors.count - most, "seed \(seed)")
    }

    private func flat(_ list: ReplayedList) -> [UInt64: (rank: Int, section: String)] {
      var result: [UInt64: (rank: Int, section: String)] = [:]
      for section in list.sections {
        for word in section.words { result[word] = (result.count, section.name) }
      }
      return result
    }
  }
}
