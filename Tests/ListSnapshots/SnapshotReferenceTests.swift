import Foundation
import Testing

@testable import ListSnapshots

@Suite struct SnapshotReferenceTests {
  private typealias Snapshot = NSDiffableDataSourceSnapshot<String, Int>

  private static func make() -> Snapshot {
    var snapshot = Snapshot()
    snapshot.appendSections(["A", "B"])
    snapshot.appendItems([1, 2], toSection: "A")
    snapshot.appendItems([3], toSection: "B")
    snapshot.reloadItems([2])
    snapshot.reconfigureItems([3])
    snapshot.reloadSections(["A"])
    return snapshot
  }

  @Test func aDeferredSnapshotIsMadeOnceAtTheFirstLook() {
    var made = 0
    let reference = NSDiffableDataSourceSnapshotReference(deferred: { () -> Snapshot in
      made += 1
      return Self.make()
    })
    #expect(made == 0)
    #expect(!reference.isBuilt)
    #expect(reference.numberOfItems == 3)
    #expect(reference.numberOfSections == 2)
    #expect(made == 1)
    #expect(reference.isBuilt)
  }

  @Test func aReferenceNobodyLooksAtIsNeverBuilt() {
    var made = 0
    _ = NSDiffableDataSourceSnapshotReference(deferred: { () -> Snapshot in
      made += 1
      return Self.make()
    })
    #expect(made == 0)
  }

  @Test func theTypedValueHasEverything() {
    let snapshot = Snapshot(NSDiffableDataSourceSnapshotReference(Self.make()))
    #expect(snapshot.sectionIdentifiers == ["A", "B"])
    #expect(snapshot.itemIdentifiers == [1, 2, 3])
    #expect(snapshot.reloadedItemIdentifiers == [2])
    #expect(snapshot.reconfiguredItemIdentifiers == [3])
    #expect(snapshot.reloadedSectionIdentifiers == ["A"])
  }

  @Test func otherTypesAreCastOneByOne() {
    let reference = NSDiffableDataSourceSnapshotReference(Self.make())
    let snapshot = NSDiffableDataSourceSnapshot<String, AnyIdentifier>(reference)
    #expect(snapshot.itemIdentifiers == [1, 2, 3].map { AnyIdentifier(base: $0) })
    #expect(snapshot.reloadedSectionIdentifiers == ["A"])
  }

  @Test func anUntypedReferenceTakesAnythingHashable() {
    let reference = NSDiffableDataSourceSnapshotReference()
    reference.appendSections(withIdentifiers: ["A"])
    reference.appendItems(withIdentifiers: [1, 2])
    #expect(reference.itemIdentifiers as? [Int] == [1, 2])
    #expect(reference.sectionIdentifiers as? [String] == ["A"])
    #expect(Snapshot(reference).itemIdentifiers(inSection: "A") == [1, 2])
  }

  @Test func readsWithoutTypes() {
    let reference = NSDiffableDataSourceSnapshotReference(Self.make())
    #expect(reference.numberOfItems(inSection: "A") == 2)
    #expect(reference.itemIdentifiersInSection(withIdentifier: "A") as? [Int] == [1, 2])
    #expect(
      reference.sectionIdentifierForSection(containingItemIdentifier: 3) as? String == "B")
    #expect(reference.index(ofItemIdentifier: 3) == 2)
    #expect(reference.index(ofItemIdentifier: 9) == NSNotFound)
    #expect(reference.index(ofSectionIdentifier: "B") == 1)
    #expect(reference.index(ofSectionIdentifier: "Z") == NSNotFound)
    #expect(reference.reloadedItemIdentifiers as? [Int] == [2])
    #expect(reference.reconfiguredItemIdentifiers as? [Int] == [3])
    #expect(reference.reloadedSectionIdentifiers as? [String] == ["A"])
  }

  @Test func everyChangeIsTheTypedOne() {
    let reference = NSDiffableDataSourceSnapshotReference(Self.make())
    var snapshot = Self.make()
    func expectSame(_ comment: Comment) {
      let value = Snapshot(reference)
      #expect(value.sectionIdentifiers == snapshot.sectionIdentifiers, comment)
      #expect(value.itemIdentifiers == snapshot.itemIdentifiers, comment)
      #expect(value.reloadedItemIdentifiers == snapshot.reloadedItemIdentifiers, comment)
    }
    reference.appendSections(withIdentifiers: ["C"])
    snapshot.appendSections(["C"])
    reference.appendItems(withIdentifiers: [4], intoSectionWithIdentifier: "C")
    snapshot.appendItems([4], toSection: "C")
    expectSame("append")
    reference.insertItems(withIdentifiers: [5], beforeItemWithIdentifier: 1)
    snapshot.insertItems([5], beforeItem: 1)
    reference.insertItems(withIdentifiers: [6], afterItemWithIdentifier: 1)
    snapshot.insertItems([6], afterItem: 1)
    expectSame("insert")
    reference.moveItem(withIdentifier: 5, beforeItemWithIdentifier: 4)
    snapshot.moveItem(5, beforeItem: 4)
    reference.moveItem(withIdentifier: 6, afterItemWithIdentifier: 4)
    snapshot.moveItem(6, afterItem: 4)
    expectSame("move")
    reference.insertSections(withIdentifiers: ["X"], beforeSectionWithIdentifier: "A")
    snapshot.insertSections(["X"], beforeSection: "A")
    reference.insertSections(withIdentifiers: ["Y"], afterSectionWithIdentifier: "A")
    snapshot.insertSections(["Y"], afterSection: "A")
    reference.moveSection(withIdentifier: "X", afterSectionWithIdentifier: "C")
    snapshot.moveSection("X", afterSection: "C")
    reference.moveSection(withIdentifier: "C", beforeSectionWithIdentifier: "A")
    snapshot.moveSection("C", beforeSection: "A")
    expectSame("sections")
    reference.reloadItems(withIdentifiers: [1])
    snapshot.reloadItems([1])
    reference.reconfigureItems(withIdentifiers: [1])
    reference.reloadSections(withIdentifiers: ["C"])
    #expect(reference.reconfiguredItemIdentifiers as? [Int] == [3, 1])
    #expect(reference.reloadedSectionIdentifiers as? [String] == ["A", "C"])
    reference.deleteItems(withIdentifiers: [2])
    snapshot.deleteItems([2])
    reference.deleteSections(withIdentifiers: ["Y"])
    snapshot.deleteSections(["Y"])
    expectSame("delete")
    reference.deleteAllItems()
    #expect(reference.numberOfSections == 0)
  }

  @Test func copiesChangeIndependently() throws {
    let reference = NSDiffableDataSourceSnapshotReference(Self.make())
    let copy = try #require(reference.copy() as? NSDiffableDataSourceSnapshotReference)
    copy.deleteItems(withIdentifiers: [1])
    #expect(reference.numberOfItems == 3)
    #expect(copy.numberOfItems == 2)
  }
}
