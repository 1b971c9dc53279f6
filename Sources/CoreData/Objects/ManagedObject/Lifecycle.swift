/// Where an object stands between its context and its store.
///
///     absent ─insert→ inserted ─save→ live ─delete→ deleted ─save→ absent
///                        └─delete→ dropped
///
/// Undo and redo go along the arrows in both directions.
enum Lifecycle: UInt8 {
  /// In no context, or a leftover of a saved deletion, which an undo can insert again.
  case absent
  /// In the context only.
  case inserted
  /// In the store, as far as the context knows.
  case live
  /// In the store until the next save.
  case deleted
  /// Deleted before it was ever saved: of no concern to the next save.
  case dropped

  var isDeleted: Bool { self == .deleted || self == .dropped }
  var isPresent: Bool { self == .inserted || self == .live }
}
