import Testing

@testable import ListSnapshots

@Suite struct SnapshotMisuseTests {
  private typealias Snapshot = NSDiffableDataSourceSnapshot<String, Int>

  @Test func textsAreUIKits() {
    #expect(
      SnapshotMisuse.duplicateItems([1, 2]).text
        == "Fatal: supplied item identifiers are not unique. Duplicate identifiers: "
        + "{(\n    1,\n    2\n)}")
    #expect(
      SnapshotMisuse.unknownSection.text
        == "Section identifier was not found. You can verify the section exists by calling the "
        + "indexOfSectionIdentifier API (which has O(1) performance)")
  }

  @Test func duplicatesAreFoundOnceEach() {
    #expect(SnapshotMisuse.duplicates(in: [1, 2, 1, 3, 2, 1]) == [1, 2])
    #expect(SnapshotMisuse.duplicates(in: [1, 2]) == [])
  }

  @Test func duplicateItemsTrap() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var snapshot = Snapshot()
      snapshot.appendSections(["A"])
      snapshot.appendItems([7, 7])
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("Fatal: supplied item identifiers are not unique."))
  }

  @Test func aSectionThatIsThereAlreadyTraps() async {
    await #expect(processExitsWith: .failure) {
      var snapshot = Snapshot()
      snapshot.appendSections(["A"])
      snapshot.appendSections(["A"])
    }
  }

  @Test func itemsWithoutAnySectionTrap() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var snapshot = Snapshot()
      snapshot.appendItems([1])
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("There are currently no sections in the data source."))
  }

  @Test func itemsOfAnUnknownSectionTrap() async {
    await #expect(processExitsWith: .failure) {
      _ = Snapshot().itemIdentifiers(inSection: "A")
    }
  }

  @Test func insertingBeforeAnUnknownItemTraps() async {
    await #expect(processExitsWith: .failure) {
      var snapshot = Snapshot()
      snapshot.appendSections(["A"])
      snapshot.insertItems([1], beforeItem: 2)
    }
  }

  @Test func reloadingAnUnknownItemTraps() async {
    await #expect(processExitsWith: .failure) {
      var snapshot = Snapshot()
      snapshot.reloadItems([1])
    }
  }

  @Test func anIdentifierOfAnotherTypeTrapsAndNamesBoth() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let reference = NSDiffableDataSourceSnapshotReference(Snapshot())
      reference.appendSections(withIdentifiers: [1])
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("A snapshot of String cannot take an identifier of type Int"))
  }
}
