/// The changes of one event that concern a list.
package struct ListBatch {
  /// Objects of the list that leave it.
  package var leaving: [UInt64] = []
  /// Objects that belong to the list as they are now: those of it that have changed, and new ones.
  package var present: [ListEntry] = []
  /// Of `present`, objects that did not change but may be out of place: reported when they move.
  package var recheckedOnly: Set<UInt64> = []

  package init() {}

  package var isEmpty: Bool { leaving.isEmpty && present.isEmpty }
}
