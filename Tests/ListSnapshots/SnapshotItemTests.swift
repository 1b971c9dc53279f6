import ListSnapshots
import Testing

@Suite struct SnapshotItemTests {
  private typealias Snapshot = NSDiffableDataSourceSnapshot<String, Int>

  private static func make() -> Snapshot {
    var snapshot = Snapshot()
    snapshot.appendSections(["A", "B"])
    snapshot.appendItems([1, 2, 3], toSection: "A")
    snapshot.appendItems([4, 5])
    return snapshot
  }

  private var snapshot = Self.make()

  @Test func appendsToTheLastSectionUnlessTold() {
    #expect(snapshot.itemIdentifiers(inSection: "A") == [1, 2, 3])
    #expect(snapshot.itemIdentifiers(inSection: "B") == [4, 5])
    #expect(snapshot.itemIdentifiers == [1, 2, 3, 4, 5])
    #expect((snapshot.numberOfItems, snapshot.numberOfSections) == (5, 2))
    #expect(snapshot.numberOfItems(inSection: "B") == 2)
  }

  @Test mutating func insertsBeforeAndAfter() {
    snapshot.insertItems([10, 11], beforeItem: 1)
    snapshot.insertItems([12], afterItem: 5)
    #expect(snapshot.itemIdentifiers == [10, 11, 1, 2, 3, 4, 5, 12])
    #expect(snapshot.sectionIdentifier(containingItem: 12) == "B")
  }

  @Test mutating func movesBeforeAndAfterAlsoIntoOtherSections() {
    snapshot.moveItem(1, afterItem: 3)
    #expect(snapshot.itemIdentifiers(inSection: "A") == [2, 3, 1])
    snapshot.moveItem(2, beforeItem: 5)
    #expect(snapshot.itemIdentifiers(inSection: "B") == [4, 2, 5])
    #expect(snapshot.sectionIdentifier(containingItem: 2) == "B")
    snapshot.moveItem(2, beforeItem: 2)
    #expect(snapshot.numberOfItems == 5)
  }

  @Test mutating func itemsThatAreThereAlreadyAreMoved() {
    snapshot.appendItems([1, 6], toSection: "B")
    #expect(snapshot.itemIdentifiers == [2, 3, 4, 5, 1, 6])
    snapshot.insertItems([6, 4], beforeItem: 2)
    #expect(snapshot.itemIdentifiers == [6, 4, 2, 3, 5, 1])
    #expect(snapshot.numberOfItems == 6)
  }

  @Test mutating func deletesItemsAndPassesOverUnknownOnes() {
    snapshot.deleteItems([2, 5, 99])
    #expect(snapshot.itemIdentifiers == [1, 3, 4])
    #expect(snapshot.indexOfItem(2) == nil)
    #expect(snapshot.sectionIdentifier(containingItem: 5) == nil)
  }

  @Test mutating func deletingAllItemsLeavesNoSections() {
    snapshot.deleteAllItems()
    #expect((snapshot.numberOfItems, snapshot.numberOfSections) == (0, 0))
    snapshot.appendSections(["A"])
    #expect(snapshot.itemIdentifiers == [])
  }

  @Test mutating func indexesFollowEveryChange() {
    #expect(snapshot.indexOfItem(4) == 3)
    snapshot.insertItems([10], beforeItem: 1)
    #expect(snapshot.indexOfItem(4) == 4)
    snapshot.moveSection("B", beforeSection: "A")
    #expect(snapshot.indexOfItem(4) == 0)
    #expect(snapshot.indexOfItem(77) == nil)
  }

  @Test mutating func copiesChangeIndependently() {
    #expect(snapshot.indexOfItem(1) == 0)
    var copy = snapshot
    copy.moveItem(1, afterItem: 5)
    #expect(snapshot.indexOfItem(1) == 0)
    #expect(copy.indexOfItem(1) == 4)
  }

  @Test mutating func marksForReloadingKeepTheirOrderAndGoWithTheirItems() {
    snapshot.reloadItems([3, 1, 3])
    snapshot.reconfigureItems([5])
    snapshot.reloadSections(["B"])
    #expect(snapshot.reloadedItemIdentifiers == [3, 1])
    #expect(snapshot.reconfiguredItemIdentifiers == [5])
    #expect(snapshot.reloadedSectionIdentifiers == ["B"])
    snapshot.deleteItems([3])
    #expect(snapshot.reloadedItemIdentifiers == [1])
    snapshot.deleteSections(["B"])
    #expect(snapshot.reconfiguredItemIdentifiers == [])
    #expect(snapshot.reloadedSectionIdentifiers == [])
  }
}
