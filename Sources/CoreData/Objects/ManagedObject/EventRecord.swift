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

  /// What most new objects share: they were not there before, and nothing else is to be remembered of them.
  // Never written to: whoever has something to note takes ``own`` first.
  nonisolated(unsafe) static let birth = EventRecord(
    image: ObjectImage(lifecycle: .absent, row: nil))
  nonisolated(unsafe) static let toldBirth = {
    let record = EventRecord(image: ObjectImage(lifecycle: .absent, row: nil))
    record.isTold = true
    return record
  }()
}

extension NSManagedObject {
  /// The event's record as this object's own, to note something in.
  final var ownEvent: EventRecord? {
    guard let event, event === EventRecord.birth else { return event }
    let own = EventRecord(image: event.image)
    self.event = own
    return own
  }

  /// The event is over.
  final func noteTold() {
    if event === EventRecord.birth { event = .toldBirth } else { event?.isTold = true }
  }
}

/// An object's lifecycle and values at one moment.
struct ObjectImage {
  let lifecycle: Lifecycle
  /// nil when the object was a fault without a row, whose values nobody had asked for.
  let row: Row?
}

/// Members that joined and left; no object is in both.
struct MemberDelta {
  var added = ObjectSet()
  var removed = ObjectSet()

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
