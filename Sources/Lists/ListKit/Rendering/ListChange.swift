import Foundation

/// The change of a list's window by a batch of updates or a scroll.
///
/// To replay it, remove the rows of `removed` and `moved` from the old window, then insert those of
/// `moved` and `inserted` at their offsets in the window, the lowest first.
package struct ListChange {
  package enum Cause: String, Sendable {
    /// The row was inserted into the list or deleted from it.
    case update
    /// The row is in the list; the window moved over it or away from it.
    case scroll
  }

  package var removed: [(id: String, cause: Cause)] = []
  package var moved: [(id: String, place: Int)] = []
  package var inserted: [(id: String, place: Int, cause: Cause)] = []
  package var reloaded: [String] = []
  /// The numbers of rows that were inserted, deleted and moved in the whole list.
  package var totals = Totals()

  package struct Totals: Sendable, Equatable {
    package var inserted = 0
    package var deleted = 0
    package var moved = 0

    package init(inserted: Int = 0, deleted: Int = 0, moved: Int = 0) {
      self.inserted = inserted
      self.deleted = deleted
      self.moved = moved
    }

    package mutating func add(_ other: Totals) {
      inserted += other.inserted
      deleted += other.deleted
      moved += other.moved
    }
  }
}
