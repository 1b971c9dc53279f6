/// What the application's store should show: a function of the records, but for what is held back.
struct DesiredGraph: Equatable {
  struct Object: Equatable {
    /// The name of its entity; empty in a change.
    var entity = ""
    /// Attributes that are not shown yet. A new object has the model's default of all others.
    var attributes: Named<SyncValue> = [:]
    var totals: Named<SyncValue> = [:]
    var references: Named<RecordID?> = [:]
    /// The other ends of relationships to many, on the side that sorts first.
    var members: Named<Set<RecordID>> = [:]
    /// The members of ordered relationships, in order.
    var lists: Named<[RecordID]> = [:]
  }
  var objects: [RecordID: Object] = [:]
  /// What does not show, or not as it is, though it lives.
  var held: [RecordID: Standing.Hold] = [:]
  /// Records of which values are missing.
  var wanted: Set<RecordID> = []
}
