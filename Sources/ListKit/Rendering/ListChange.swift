import Foundation

/// What happened to the rows that a renderer holds: the window of a table after a batch of updates
/// or a scroll.
///
/// To replay it: take `removed` and the rows of `moved` out of the old window, then put `moved` and
/// `inserted` in at their places, lowest first.
package struct ListChange {
  package enum Cause: String, Sendable {
    /// The row came into the table or left it.
    case update
    /// The row is in the table; the window moved over it or away from it.
    case scroll
  }

  package var removed: [(id: String, cause: Cause)] = []
  package var moved: [(id: String, place: Int)] = []
  package var inserted: [(id: String, place: Int, cause: Cause)] = []
  package var reloaded: [String] = []
  /// Rows that came into, went from and moved in the whole table, seen or not.
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
  }
}
