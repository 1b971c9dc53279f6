/// The state of an object between its context and its store.
///
///     absent ─insert→ inserted ─save→ live ─delete→ deleted ─save→ absent
///                        └─delete→ dropped
///
/// Undo and redo follow the arrows in both directions.
enum Lifecycle: UInt8 {
  /// In no context, or deleted and saved; an undo can insert the object again.
  case absent
  /// In the context only.
  case inserted
  /// In the store, as far as the context knows.
  case live
  /// In the store until the next save.
  case deleted
  /// Deleted before its first save: the next save ignores the object.
  case dropped

  var isDeleted: Bool { self == .deleted || self == .dropped }
  var isPresent: Bool { self == .inserted || self == .live }
}
