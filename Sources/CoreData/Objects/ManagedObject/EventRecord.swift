/// How an object was before the current event: what `processPendingChanges` compares with, what an
/// undo goes back to.
final class EventRecord {
  let image: ObjectImage
  /// Members that joined or left since the event began; by the number of the relationship.
  @exclusivity(unchecked)
  var memberChanges: [Int: MemberDelta] = [:]
  /// The members of ordered relationships as they were before, where the event touched them.
  var orders: [Int: [NSManagedObject]] = [:]
  /// The event is over and its notification is being posted: for the object this is still the current
  /// event, its next edit begins another one.
  var isTold = false

  init(image: ObjectImage) { self.image = image }
}

/// What an event has to do with an object: for most objects that takes no record.
enum EventPart {
  /// Nothing so far.
  case none
  /// The object is new, and nothing else is to be remembered of it.
  case birth
  /// The object was there with these values, and its members are the same.
  case edit(Row)
  /// The same of an event that is over, see ``EventRecord/isTold``.
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

  /// Whether the object was there before; nil where there is no event.
  var wasPresent: Bool? {
    switch self {
    case .none: nil
    case .birth, .toldBirth: false
    case .edit, .toldEdit: true
    case .record(let record): record.image.lifecycle.isPresent
    }
  }

  /// What is to be known of the event, to look at; nil where there is none.
  var record: EventRecord? {
    switch self {
    case .none: nil
    case .birth, .toldBirth: Self.sharedBirth
    case .edit(let row), .toldEdit(let row):
      EventRecord(image: ObjectImage(lifecycle: .live, row: row))
    case .record(let record): record
    }
  }

  // Nobody writes to it.
  private nonisolated(unsafe) static let sharedBirth = EventRecord(image: .beforeBirth)
}

extension NSManagedObject {
  /// The record of the event that is not over yet, to note something in.
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

  /// The event is over.
  final func noteTold() {
    switch event {
    case .none, .toldBirth, .toldEdit: return
    case .birth: event = .toldBirth
    case .edit(let row): event = .toldEdit(row)
    case .record(let record): record.isTold = true
    }
  }
}

/// An object's lifecycle and values at one moment.
struct ObjectImage {
  let lifecycle: Lifecycle
  /// nil when the object was a fault without a row, whose values nobody had asked for.
  let row: Row?

  static var beforeBirth: ObjectImage { ObjectImage(lifecycle: .absent, row: nil) }
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
