/// An operation that changes values of objects without setting them: a merge, undo, refresh or
/// rollback.
///
/// Observers are notified before it of properties that may change, and after it, when all objects
/// are consistent, of properties that have changed. The values of a fault, and members that were
/// never read, cannot change: nothing is reported for them.
struct ObservedOperation {
  private var participants: [Participant] = []
  private let scope: ChangeScope
  private let tellsAll: Bool

  private struct Participant {
    let object: NSManagedObject
    let observers: ObserverTable
    let before: [String: Fingerprint]

    var watches: [PropertyWatch] {
      before.keys.sorted().flatMap(observers.watches(of:))
    }
  }

  /// - Parameter tellsAll: whether all values are discarded and read again; then all of them count
  ///   as changed.
  init(_ objects: some Sequence<NSManagedObject>, in scope: ChangeScope, tellsAll: Bool) {
    self.scope = scope
    self.tellsAll = tellsAll
    var seen: Set<ObjectIdentifier> = []
    for object in objects {
      guard let observers = object.observers, !observers.isInOperation,
        seen.insert(ObjectIdentifier(object)).inserted
      else { continue }
      participants.append(
        Participant(object: object, observers: observers, before: object.fingerprints(observers)))
    }
    scope.enter()
    // Notified observers may change properties; those changes are reported as always.
    for participant in participants {
      scope.begin(participant.watches, change: .setting, isCertain: false)
    }
    for participant in participants { participant.observers.beginOperation() }
  }

  func end() {
    for participant in participants { participant.observers.endOperation() }
    for participant in participants {
      let keys = changedKeys(participant)
      participant.observers.tracked?.willChange(keys)
      participant.observers.tracked?.didChange(keys)
      scope.confirm(keys.flatMap(participant.observers.watches(of:)))
    }
    scope.leave()
  }

  private func changedKeys(_ participant: Participant) -> [String] {
    let keys = participant.before.keys.sorted()
    if tellsAll { return keys }
    return keys.filter {
      participant.object.fingerprint($0, reading: true) != participant.before[$0]
    }
  }
}

/// A property's value in a form that can be compared later.
private enum Fingerprint: Equatable {
  case values([Value])
  case object(NSManagedObject?)
  case members(Set<NSManagedObject>)
  case order([NSManagedObject])
}

extension NSManagedObject {
  /// Whether the values may have been read. An object that its context has released is a fault, but
  /// its values may have been read.
  fileprivate var hasSeenValues: Bool { !isFault || lifecycle == .absent }

  fileprivate func fingerprints(_ observers: ObserverTable) -> [String: Fingerprint] {
    var all: [String: Fingerprint] = [:]
    for key in observers.watchedKeys + (observers.tracked?.keys ?? []) {
      all[key] = fingerprint(key, reading: false)
    }
    return all
  }

  /// The fingerprint of a property; nil for a key outside the model, and for values and members
  /// that have not been read.
  fileprivate func fingerprint(_ key: String, reading: Bool) -> Fingerprint? {
    let mayReadRow = reading || hasSeenValues
    switch layout.place(of: key) {
    case .slot where !mayReadRow: return nil
    case .composite where !mayReadRow: return nil
    case .slot(let slot) where layout.slots[slot].kind == .toOne: return .object(destination(slot))
    case .slot(let slot): return .values([read(slot)])
    case .composite(let index): return .values(layout.composites[index].slots.map { read($0) })
    case .toMany(let index):
      let isRead = reading || lifecycle == .inserted || storedMembers(index)?.isFault == false
      guard isRead else { return nil }
      let members = memberObjects(index)
      return layout.relation(toMany: index).isOrdered ? .order(members) : .members(Set(members))
    case .fetched, nil: return nil
    }
  }
}

extension NSManagedObjectContext {
  /// Runs `body`, which may change values of `objects`, as one operation.
  final func telling<Result>(
    _ objects: @autoclosure () -> [NSManagedObject], everything: Bool = false,
    body: () throws -> Result
  ) rethrows -> Result {
    guard registry.hasObservedObjects else { return try body() }
    let operation = ObservedOperation(
      objects().lazy.filter { $0.flags.contains(.observed) }, in: registry.changeScope,
      tellsAll: everything)
    defer { operation.end() }
    return try body()
  }
}

extension NSManagedObjectContext: KeyValueObserver {}
