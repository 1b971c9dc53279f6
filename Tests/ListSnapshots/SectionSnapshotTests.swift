import Testing

@testable import ListSnapshots

/// What a section snapshot does with what a programmer may get wrong, and with large trees.
@Suite struct SectionSnapshotTests {
  private typealias Snapshot = NSDiffableDataSourceSectionSnapshot<Int>

  @Test func whatComesIsCollapsed() {
    var snapshot = Snapshot()
    snapshot.append([1, 2])
    snapshot.append([11, 12], to: 1)
    snapshot.append([111], to: 11)
    #expect(snapshot.visibleItems == [1, 2])
    snapshot.expand([11])
    #expect(snapshot.visibleItems == [1, 2])
    snapshot.expand([1])
    #expect(snapshot.visibleItems == [1, 11, 111, 12, 2])
    #expect(
      snapshot.visualDescription() == """
        - 1
          - 11
            * 111
          * 12
        * 2
        """)
    snapshot.deleteAll()
    #expect(snapshot.items.isEmpty && snapshot.rootItems.isEmpty)
  }

  @Test func aCopyIsApart() {
    var snapshot = Snapshot()
    snapshot.append([1, 2])
    #expect(snapshot.index(of: 2) == 1)
    var copy = snapshot
    copy.delete([1])
    #expect(copy.index(of: 2) == 0)
    #expect(snapshot.index(of: 2) == 1)
  }

  @Test func aDeepTreeIsGoneThroughWithoutAStack() {
    var snapshot = Snapshot()
    snapshot.append([0])
    for level in 1..<100_000 { snapshot.append([level], to: level - 1) }
    #expect(snapshot.items.count == 100_000)
    #expect(snapshot.level(of: 99_999) == 99_999)
    snapshot.delete([1])
    #expect(snapshot.items == [0])
  }

  @Test func textsSayWhatIsWrong() {
    #expect(
      SnapshotMisuse.duplicateOutlineItems([1]).text
        == "Identifiers in a section snapshot must be unique. Duplicate item identifiers: "
        + "{(\n    1\n)}")
    #expect(SnapshotMisuse.unknownOutlineItems([7]).text.hasSuffix("{(\n    7\n)}"))
  }

  @Test func anItemTwiceTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var snapshot = Snapshot()
      snapshot.append([1])
      snapshot.append([2, 1], to: 1)
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("Identifiers in a section snapshot must be unique."))
  }

  @Test func aTreeThatHasAnItemOfThisOneTraps() async {
    await #expect(processExitsWith: .failure) {
      var snapshot = Snapshot()
      snapshot.append([1, 2])
      var tree = Snapshot()
      tree.append([3])
      tree.append([2], to: 3)
      snapshot.insert(tree, before: 1)
    }
  }

  @Test func aParentThatIsNotThereTraps() async {
    await #expect(processExitsWith: .failure) {
      var snapshot = Snapshot()
      snapshot.append([1], to: 2)
    }
  }

  @Test func theLevelOfAnUnknownItemTraps() async {
    await #expect(processExitsWith: .failure) { _ = Snapshot().level(of: 1) }
  }

  @Test func expandingAnUnknownItemTraps() async {
    await #expect(processExitsWith: .failure) {
      var snapshot = Snapshot()
      snapshot.expand([1])
    }
  }
}
