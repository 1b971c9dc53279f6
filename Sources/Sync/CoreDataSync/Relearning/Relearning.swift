/// What a scan learns anew, where the application's store and sync's own are of different days: one
/// of them was restored, copied, made anew or is missing.
///
/// What the store shows and no application has edited since counts for nothing: it stays until the
/// server has said what is true.
struct Relearning {
  /// All objects of the store.
  var objects: [String] = []
  /// The records of objects that sync's store does not know, by the store's history.
  var records: [String: RecordID] = [:]
  /// The records of objects that an application has deleted since, with their entities.
  var deleted: [String: (record: RecordID, entity: String)] = [:]
  /// What sync's store knows by URIs that are no object's, or another object's than it was.
  var strangers: Set<String> = []
  /// Properties that sync wrote last.
  var written: Set<SavedChanges.Property> = []
  /// Whether counters have increments of which it is not known if the server has them.
  var countersAreUnknown = false
  /// Objects of which the history does not say where they come from.
  var unexplained: Set<String> = []
}

extension SavedChanges {
  /// Leaves out what sync has overwritten.
  mutating func note(writtenBySync property: Property) {
    named[property] = nil
    relearning?.written.insert(property)
  }
}
