/// How an object was before the current event: what `processPendingChanges` compares with, what an
/// undo goes back to.
final class EventRecord {
  let image: ObjectImage
  /// Members that joined or left since the event began; by the number of the relationship.
  var memberChanges: [Int: MemberDelta] = [:]
  /// The members of ordered relationships as they were before, where the event touched them.
  var orders: [Int: [NSManagedObject]] = [:]
  /// The event is over and its notification is being posted: for the object this is still the current
  /// event, its next edit begins another one.
  var isTold = false

  init(image: ObjectImage) { self.image = image }
}

/// An object's lifecycle and values at one moment.
struct ObjectImage {
  let lifecycle: Lifecycle
  /// nil when the object was a fault without a row, whose values nobody had asked for.
  let row: Row?
}

/// Members that joined and left; no object is in both.
struct MemberDelta {
  var added: Set<NSManagedObject> = []
  var removed: Set<NSManagedObject> = []

  var isEmpty: Bool { added.isEmpty && removed.isEmpty }

  mutating func add(_ object: NSManagedObject) {
    if removed.remove(object) == nil { added.insert(object) }
  }

  mutating func remove(_ object: NSManagedObject) {
    if added.remove(object) == nil { removed.insert(object) }
  }
}

/// One step of undo: every object that an event changed, as it was before.
struct UndoStep {
  var changes: [Change] = []

  struct Change {
    let object: NSManagedObject
    let image: ObjectImage
    /// Where the event left the object.
    let lifecycleAfter: Lifecycle
    let memberChanges: [Int: MemberDelta]
    let orders: [Int: [NSManagedObject]]
  }
}
