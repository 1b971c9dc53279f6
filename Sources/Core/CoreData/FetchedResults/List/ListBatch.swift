/// The changes of one event that concern a list.
package struct ListBatch {
  /// Objects to remove from the list.
  package var leaving: [UInt64] = []
  /// Objects to insert into the list, and objects of the list that have changed.
  package var present: [ListEntry] = []
  /// Objects of `present` that did not change but may be out of order: reported only if they move.
  package var recheckedOnly: Set<UInt64> = []

  package init() {}

  package var isEmpty: Bool { leaving.isEmpty && present.isEmpty }
}
