import ListSnapshots
import Testing

@Suite struct SnapshotSectionTests {
  private var snapshot: NSDiffableDataSourceSnapshot<String, Int> = {
    var snapshot = NSDiffableDataSourceSnapshot<String, Int>()
    snapshot.appendSections(["A", "B", "C"])
    for (section, item) in [("A", 1), ("B", 2), ("C", 3)] {
      snapshot.appendItems([item], toSection: section)
    }
    return snapshot
  }()

  @Test mutating func insertsBeforeAndAfter() {
    snapshot.insertSections(["X"], beforeSection: "A")
    snapshot.insertSections(["Y", "Z"], afterSection: "C")
    #expect(snapshot.sectionIdentifiers == ["X", "A", "B", "C", "Y", "Z"])
    #expect(snapshot.indexOfSection("Z") == 5)
    #expect(snapshot.indexOfSection("Q") == nil)
    #expect(snapshot.numberOfItems(inSection: "X") == 0)
  }

  @Test mutating func movesWithTheItems() {
    snapshot.moveSection("A", afterSection: "C")
    #expect(snapshot.sectionIdentifiers == ["B", "C", "A"])
    #expect(snapshot.itemIdentifiers == [2, 3, 1])
    snapshot.moveSection("A", beforeSection: "B")
    #expect(snapshot.sectionIdentifiers == ["A", "B", "C"])
    snapshot.moveSection("B", beforeSection: "C")
    snapshot.moveSection("B", afterSection: "A")
    #expect(snapshot.sectionIdentifiers == ["A", "B", "C"])
    #expect(["A", "B", "C"].map { snapshot.indexOfSection($0) } == [0, 1, 2])
  }

  @Test mutating func deletesWithTheItems() {
    snapshot.deleteSections(["B", "unknown"])
    #expect(snapshot.sectionIdentifiers == ["A", "C"])
    #expect(snapshot.itemIdentifiers == [1, 3])
    #expect(snapshot.sectionIdentifier(containingItem: 2) == nil)
    snapshot.appendSections(["D"])
    #expect(snapshot.itemIdentifiers(inSection: "D") == [])
    #expect(snapshot.sectionIdentifier(containingItem: 3) == "C")
  }
}
