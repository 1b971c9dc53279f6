import Foundation
import ListSnapshots
import Testing

@testable import ListKit

/// One test for each rule of a batch of updates, with UIKit's text.
@Suite struct BatchRuleTests {
  private func path(_ section: Int, _ row: Int) -> IndexPath {
    IndexPath(row: row, section: section)
  }

  /// The first line of what is wrong with a batch; `nil` when it adds up.
  private func fault(
    _ before: [Int], _ after: [Int], _ fill: (inout ListBatch) -> Void
  ) -> String? {
    var batch = ListBatch()
    fill(&batch)
    do {
      try batch.validate(before: before, after: after)
      return nil
    } catch {
      return error.description.split(separator: "\n").first.map(String.init)
    }
  }

  @Test func wrongRowCountNamesBothCountsAndAllFourTerms() {
    let text = fault([7], [1]) { _ in }
    #expect(
      text
        == """
        Invalid update: invalid number of rows in section 0.  The number of rows contained in an \
        existing section after the update (1) must be equal to the number of rows contained in \
        that section before the update (7), plus or minus the number of rows inserted or deleted \
        from that section (0 inserted, 0 deleted) and plus or minus the number of rows moved into \
        or out of that section (0 moved in, 0 moved out).
        """)
  }

  @Test func wrongSectionCountNamesBothCounts() {
    let text = fault([], [1]) { _ in }
    #expect(
      text
        == """
        Invalid update: invalid number of sections.  The number of sections contained in the \
        table view after the update (1) must be equal to the number of sections contained in the \
        table view before the update (0), plus or minus the number of sections inserted or \
        deleted (0 inserted, 0 deleted).
        """)
  }

  @Test func theReportListsCountsAndOperations() {
    var batch = ListBatch()
    batch.deletedRows = [path(0, 1)]
    batch.reloadedRows = [path(0, 0)]
    let error = #expect(throws: ListInconsistency.self) {
      try batch.validate(before: [3], after: [0])
    }
    let text = error?.description ?? ""
    #expect(text.contains("Data source before updates = { 1 section with row counts: [3] }"))
    #expect(text.contains("Data source after updates = { 1 section with row counts: [0] }"))
    #expect(text.contains("\tDelete row (0 - 1),\n\tDelete row (0 - 0), Insert row (0 - 0)\n]"))
  }

  @Test func deletingARowThatIsNotThere() {
    #expect(
      fault([20], [19]) { $0.deletedRows = [path(0, 99)] }
        == "attempt to delete row 99 from section 0 which only contains 20 rows before the update")
  }

  @Test func deletingARowOfASectionThatIsNotThere() {
    #expect(
      fault([1, 1], [1, 1]) { $0.deletedRows = [path(2, 0)] }
        == "attempt to delete row 0 from section 2, but there are only 2 sections before the update"
    )
  }

  @Test func insertingARowBeyondTheEnd() {
    #expect(
      fault([7], [8]) { $0.insertedRows = [path(0, 8)] }
        == "attempt to insert row 8 into section 0, but there are only 8 rows in section 0 "
        + "after the update")
  }

  @Test func insertingARowIntoASectionThatIsNotThere() {
    #expect(
      fault([1, 1], [1, 1]) { $0.insertedRows = [path(2, 0)] }
        == "attempt to insert row 0 into section 2, but there are only 2 sections after the update")
  }

  @Test func deletingASectionThatIsNotThere() {
    #expect(
      fault([], []) { $0.deletedSections = [0] }
        == "attempt to delete section 0, but there are only 0 sections before the update")
  }

  @Test func insertingASectionBeyondTheEnd() {
    #expect(
      fault([1], [1]) { $0.insertedSections = [1] }
        == "attempt to insert section 1 but there are only 1 sections after the update")
  }

  @Test func movingARowThatIsNotThere() {
    #expect(
      fault([1, 1, 0], [1, 1, 0]) { $0.movedRows = [.init(from: path(2, 0), to: path(0, 0))] }
        == "attempt to move index path (<NSIndexPath: 0x0> {length = 2, path = 2 - 0}) that does "
        + "not exist - there are only 0 rows in section 2 before the update")
  }

  @Test func movingARowToAPlaceThatIsNotThere() {
    #expect(
      fault([2], [2]) { $0.movedRows = [.init(from: path(0, 0), to: path(0, 5))] }
        == "attempt to move index path (<NSIndexPath: 0x0> {length = 2, path = 0 - 0}) to index "
        + "path (<NSIndexPath: 0x0> {length = 2, path = 0 - 5}) that does not exist - there are "
        + "only 2 rows in section 0 after the update")
  }

  @Test func insertingAndMovingToOnePlace() {
    let text = fault([2], [3]) {
      $0.insertedRows = [path(0, 1)]
      $0.movedRows = [.init(from: path(0, 0), to: path(0, 1))]
    }
    #expect(
      text
        == "attempt to perform an insert and a move to the same index path "
        + "(<NSIndexPath: 0x0> {length = 2, path = 0 - 1})")
  }

  @Test func deletingAndMovingOneRow() {
    let text = fault([2], [1]) {
      $0.deletedRows = [path(0, 0)]
      $0.movedRows = [.init(from: path(0, 0), to: path(0, 0))]
    }
    #expect(
      text
        == "attempt to perform a delete and a move from the same index path "
        + "(<NSIndexPath: 0x0> {length = 2, path = 0 - 0})")
  }

  @Test func movingAndReloadingOneRowNeedsASecondBatch() {
    let text = fault([2], [2]) {
      $0.reloadedRows = [path(0, 0)]
      $0.movedRows = [.init(from: path(0, 0), to: path(0, 1))]
    }
    #expect(text?.hasPrefix("attempt to perform a delete and a move from the same") == true)
  }

  @Test func deletingAndReloadingOneRow() {
    let text = fault([2], [1]) {
      $0.deletedRows = [path(0, 1)]
      $0.reloadedRows = [path(0, 1)]
    }
    #expect(
      text
        == "attempt to delete and reload the same index path "
        + "(<NSIndexPath: 0x0> {length = 2, path = 0 - 1})")
  }

  @Test func movingIntoAnInsertedSection() {
    let text = fault([1], [0, 1]) {
      $0.insertedSections = [1]
      $0.movedRows = [.init(from: path(0, 0), to: path(1, 0))]
    }
    #expect(text == "cannot move a row into a newly inserted section (1)")
  }

  @Test func movingOutOfADeletedSection() {
    let text = fault([1, 1], [2]) {
      $0.deletedSections = [1]
      $0.movedRows = [.init(from: path(1, 0), to: path(0, 0))]
    }
    #expect(text == "cannot move a row from a deleted section (1)")
  }

  @Test func sectionsAreNotMovedAndDeletedAtOnce() {
    let text = fault([1, 1], [1]) {
      $0.deletedSections = [0]
      $0.movedSections = [.init(from: 0, to: 0)]
    }
    #expect(text == "attempt to perform a delete and a move from the same section (0)")
  }

  @Test func sectionsAreNotMovedToWhereOneIsInserted() {
    let text = fault([1, 1], [1, 1, 1]) {
      $0.insertedSections = [0]
      $0.movedSections = [.init(from: 1, to: 0)]
    }
    #expect(text == "attempt to perform an insert and a move to the same section (0)")
  }

  @Test func namingOneRowTwice() {
    #expect(
      fault([2], [0]) { $0.deletedRows = [path(0, 0), path(0, 0)] }
        == "Attempt to create two animations for cell")
  }

  @Test func rowsOfInsertedAndDeletedSectionsCountForNothing() {
    let text = fault([2, 1], [2, 3]) {
      $0.deletedSections = [1]
      $0.deletedRows = [path(1, 0)]
      $0.insertedSections = [1]
      $0.insertedRows = [path(1, 0), path(1, 1), path(1, 2)]
    }
    #expect(text == nil)
  }

  @Test func reloadedSectionsMayHaveAnyNumberOfRows() {
    #expect(fault([2, 1], [2, 9]) { $0.reloadedSections = [1] } == nil)
  }

  @Test func sectionNumbersOfInsertsAreTheFinalOnes() {
    let text = fault([2], [1, 3]) {
      $0.insertedSections = [0]
      $0.insertedRows = [path(1, 2)]
    }
    #expect(text == nil)
  }
}
