import Foundation
import ListSnapshots

extension ListBatch {
  /// Validates the batch against the rows per section before and after it, by UIKit's rules and
  /// with its texts.
  ///
  /// Rows inserted into a section that the batch inserts or reloads, and rows deleted from one that
  /// it deletes, are accepted and not counted: a fetched results controller reports both.
  package func validate(before: [Int], after: [Int]) throws(ListInconsistency) {
    if let text = firstFault(before: before, after: after) {
      throw ListInconsistency(text, batch: self, before: before, after: after)
    }
  }

  private func firstFault(before: [Int], after: [Int]) -> String? {
    faultInSectionIndexes(before.count, after.count) ?? faultInRowIndexes(before, after)
      ?? faultInCombinations() ?? faultInSectionMoves() ?? faultInSectionCount(before, after)
      ?? faultInRowCounts(before, after)
  }

  // MARK: Indexes out of bounds

  private func faultInSectionIndexes(_ before: Int, _ after: Int) -> String? {
    for section in deletedSections + reloadedSections where !(0..<before).contains(section) {
      return "attempt to delete section \(section), but there are only \(before) sections "
        + "before the update"
    }
    for section in insertedSections where !(0..<after).contains(section) {
      return "attempt to insert section \(section) but there are only \(after) sections "
        + "after the update"
    }
    for move in movedSections {
      if !(0..<before).contains(move.from) {
        return "attempt to move section \(move.from), but there are only \(before) sections "
          + "before the update"
      }
      if !(0..<after).contains(move.to) {
        return "attempt to move section \(move.from) to section \(move.to), but there are only "
          + "\(after) sections after the update"
      }
    }
    return nil
  }

  private func faultInRowIndexes(_ before: [Int], _ after: [Int]) -> String? {
    faultInDeletedRows(before) ?? faultInInsertedRows(after) ?? faultInMovedRows(before, after)
  }

  private func faultInDeletedRows(_ before: [Int]) -> String? {
    for path in deletedRows + reloadedRows {
      guard before.indices.contains(path.section) else {
        return
          "attempt to delete \(words.row) \(path.row) from section \(path.section), but there are "
          + "only \(before.count) sections before the update"
      }
      guard (0..<before[path.section]).contains(path.row) else {
        return "attempt to delete \(words.row) \(path.row) from section \(path.section) which only "
          + "contains \(before[path.section]) \(words.row)s before the update"
      }
    }
    return nil
  }

  private func faultInInsertedRows(_ after: [Int]) -> String? {
    for path in insertedRows {
      guard after.indices.contains(path.section) else {
        return
          "attempt to insert \(words.row) \(path.row) into section \(path.section), but there are "
          + "only \(after.count) sections after the update"
      }
      guard (0..<after[path.section]).contains(path.row) else {
        return
          "attempt to insert \(words.row) \(path.row) into section \(path.section), but there are "
          + "only \(after[path.section]) \(words.row)s in section \(path.section) after the update"
      }
    }
    return nil
  }

  private func faultInMovedRows(_ before: [Int], _ after: [Int]) -> String? {
    for move in movedRows {
      if let what = missing(move.from, in: before) {
        return "attempt to move index path (\(move.from.object)) that does not exist - "
          + "\(what) before the update"
      }
      if let what = missing(move.to, in: after) {
        return "attempt to move index path (\(move.from.object)) to index path "
          + "(\(move.to.object)) that does not exist - \(what) after the update"
      }
    }
    return nil
  }

  private func missing(_ path: IndexPath, in rows: [Int]) -> String? {
    guard rows.indices.contains(path.section) else {
      return "there are only \(rows.count) sections"
    }
    if (0..<rows[path.section]).contains(path.row) { return nil }
    return "there are only \(rows[path.section]) \(words.row)s in section \(path.section)"
  }
}

extension IndexPath {
  /// The description of an index path in UIKit's texts.
  var object: String { "<NSIndexPath: 0x0> {length = 2, path = \(text)}" }
}
