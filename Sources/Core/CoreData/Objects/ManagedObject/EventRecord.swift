/// The state of an object before the current event. `processPendingChanges` compares with it, and
/// undo restores it.
final class EventRecord {
  let image: ObjectImage
  /// Members added or removed since the event began, by the number of the relationship.
  @exclusivity(unchecked)
  var memberChanges: [Int: MemberDelta] = [:]
  /// The previous members of ordered relationships that the event has changed.
  var orders: [Int: [NSManagedObject]] = [:]
  /// Whether the event is over and its notification is being posted. The event is then still
  /// current for the object, but its next edit begins another event.
  var isTold = false

  init(image: ObjectImage) { self.image = image }
}

/// The object's part in the current event; most objects need no record.
enum EventPart {
  /// The event has not changed the object.
  case none
  /// The object is new, and nothing else needs recording.
  case birth
  /// The object had these values, and its members are unchanged.
  case edit(Row)
  /// `birth` and `edit` of an event that is over; see ``EventRecord/isTold``.
  case toldBirth
  case toldEdit(Row)
  case record(EventRecord)

  var isNone: Bool { if case .none = self { true } else { false } }

  /// Whether the object's next edit begins another event.
  var isOver: Bool {
    switch self {
    case .none, .toldBirth, .toldEdit: true
    case .birth, .edit: false
    case .record(let record): record.isTold
    }
  }

  /// Whether the object was present before the event; nil without an event.
  var wasPresent: Bool? {
    switch self {
    case .none: nil
    case .birth, .toldBirth: false
    case .edit, .toldEdit: true
    case .record(let record): record.image.lifecycle.isPresent
    }
  }

  /// The record of the event, for reading only; nil without an event.
  var record: EventRecord? {
    switch self {
    case .none: nil
    case .birth, .toldBirth: Self.sharedBirth
    case .edit(let row), .toldEdit(let row):
      EventRecord(image: ObjectImage(lifecycle: .live, row: row))
    case .record(let record): record
    }
  }

  // Sound: never modified, since `ownEvent` makes a record of its own before any change is noted.
  private nonisolated(unsafe) static let sharedBirth = EventRecord(image: .beforeBirth)
}

extension NSManagedObject {
  /// The record of the event for writing; nil if the event is over.
  final var ownEvent: EventRecord? {
    if event.isOver { return nil }
    switch event {
    case .birth: event = .record(EventRecord(image: .beforeBirth))
    case .edit:
      if let record = event.record { event = .record(record) }
    default: break
    }
    return event.record
  }

  /// Marks the event as over.
  final func noteTold() {
    switch event {
    case .none, .toldBirth, .toldEdit: return
    case .birth: event = .toldBirth
    case .edit(let row): event = .toldEdit(row)
    case .record(let record): record.isTold = true
    }
  }
}

/// The lifecycle and the values of an object at one moment.
struct ObjectImage {
  let lifecycle: Lifecycle
  /// nil for a fault without a row, whose values were never read.
  let row: Row?

  static var beforeBirth: ObjectImage { ObjectImage(lifecycle: .absent, row: nil) }
}

/// Added and removed members; no object is in both sets.
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
