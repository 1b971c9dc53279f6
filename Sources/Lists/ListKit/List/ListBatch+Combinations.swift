import Foundation
import ListSnapshots

// Combinations that one batch may not contain, and the rule of the counts.
extension ListBatch {
  func faultInCombinations() -> String? {
    faultInSectionCombinations() ?? faultInDeletionsTwice() ?? faultInInsertionsTwice()
  }

  private func faultInSectionCombinations() -> String? {
    let from = Set(movedSections.map(\.from))
    let to = Set(movedSections.map(\.to))
    if let section = (deletedSections + reloadedSections).first(where: from.contains) {
      return "attempt to perform a delete and a move from the same section (\(section))"
    }
    if let section = insertedSections.first(where: to.contains) {
      return "attempt to perform an insert and a move to the same section (\(section))"
    }
    if let section = Set(deletedSections).intersection(reloadedSections).min() {
      return "attempt to delete and reload the same section (\(section))"
    }
    let isTwice =
      from.count < movedSections.count || to.count < movedSections.count
      || [deletedSections, insertedSections, reloadedSections].contains(where: hasTwice)
    return isTwice ? "Attempt to create two animations for section" : nil
  }

  private func faultInDeletionsTwice() -> String? {
    let from = Set(movedRows.map(\.from))
    if let path = (deletedRows + reloadedRows).first(where: from.contains) {
      return "attempt to perform a delete and a move from the same index path (\(path.object))"
    }
    if let path = Set(deletedRows).intersection(reloadedRows).min() {
      return "attempt to delete and reload the same index path (\(path.object))"
    }
    let isTwice =
      from.count < movedRows.count || hasTwice(deletedRows) || hasTwice(reloadedRows)
    return isTwice ? "Attempt to create two animations for cell" : nil
  }

  private func faultInInsertionsTwice() -> String? {
    let to = Set(movedRows.map(\.to))
    if let path = insertedRows.first(where: to.contains) {
      return "attempt to perform an insert and a move to the same index path (\(path.object))"
    }
    let isTwice = to.count < movedRows.count || hasTwice(insertedRows)
    return isTwice ? "Attempt to create two animations for cell" : nil
  }

  private func hasTwice<Place: Hashable>(_ places: [Place]) -> Bool {
    Set(places).count < places.count
  }

  func faultInSectionMoves() -> String? {
    let inserted = Set(insertedSections)
    let deleted = Set(deletedSections)
    for move in movedRows {
      if inserted.contains(move.to.section) {
        return
          "cannot move \(words.row == "item" ? "an" : "a") \(words.row) into a newly inserted section (\(move.to.section))"
      }
      if deleted.contains(move.from.section) {
        return
          "cannot move \(words.row == "item" ? "an" : "a") \(words.row) from a deleted section (\(move.from.section))"
      }
    }
    return nil
  }

  // MARK: Counts

  func faultInSectionCount(_ before: [Int], _ after: [Int]) -> String? {
    if after.count == before.count + insertedSections.count - deletedSections.count { return nil }
    return "Invalid update: invalid number of sections.  The number of sections contained in the "
      + "\(words.view) after the update (\(after.count)) must be equal to the number of sections "
      + "contained in the \(words.view) before the update (\(before.count)), plus or minus the "
      + "number of sections inserted or deleted (\(insertedSections.count) inserted, "
      + "\(deletedSections.count) deleted)."
  }

  func faultInRowCounts(_ before: [Int], _ after: [Int]) -> String? {
    let tally = RowTally(self)
    let sections = SectionMapping(self, before: before.count, after: after.count)
    let reloaded = Set(reloadedSections)
    for (old, new) in sections.newIndexes.enumerated() where !reloaded.contains(old) {
      guard let new, !tally.adds(up: before[old], at: old, to: after[new], at: new) else {
        continue
      }
      return tally.text(before[old], at: old, after[new], at: new)
    }
    return nil
  }
}

/// The numbers of rows that a batch adds to and removes from each section.
private struct RowTally {
  let inserted: [Int: Int]
  let deleted: [Int: Int]
  let movedIn: [Int: Int]
  let movedOut: [Int: Int]

  let row: String

  init(_ batch: ListBatch) {
    row = batch.words.row
    func count(_ paths: [IndexPath]) -> [Int: Int] {
      paths.reduce(into: [:]) { $0[$1.section, default: 0] += 1 }
    }
    inserted = count(batch.insertedRows)
    deleted = count(batch.deletedRows)
    movedIn = count(batch.movedRows.map(\.to))
    movedOut = count(batch.movedRows.map(\.from))
  }

  func adds(up before: Int, at old: Int, to after: Int, at new: Int) -> Bool {
    let gained = (inserted[new] ?? 0) + (movedIn[new] ?? 0)
    let lost = (deleted[old] ?? 0) + (movedOut[old] ?? 0)
    return before + gained - lost == after
  }

  func text(_ before: Int, at old: Int, _ after: Int, at new: Int) -> String {
    "Invalid update: invalid number of \(row)s in section \(new).  The number of \(row)s contained in "
      + "an existing section after the update (\(after)) must be equal to the number of \(row)s "
      + "contained in that section before the update (\(before)), plus or minus the number of "
      + "\(row)s inserted or deleted from that section (\(inserted[new] ?? 0) inserted, "
      + "\(deleted[old] ?? 0) deleted) and plus or minus the number of \(row)s moved into or out of "
      + "that section (\(movedIn[new] ?? 0) moved in, \(movedOut[old] ?? 0) moved out)."
  }
}
