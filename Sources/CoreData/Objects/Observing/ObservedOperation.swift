/// Something that gives objects other values than they had without anybody setting them: a merge, an undo, a
/// refresh, a rollback. Their observers are told when it is over and all objects agree with each other, of
/// properties that do have another value; before it, they are told of those that may get one.
///
/// A fault has no values yet that could become others, and neither has a relationship that nobody has read: nothing is
/// told of them.
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

  /// - Parameter tellsAll: Whether the values are given up, to be read again: then all of them count as changed.
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
    // What they are told beforehand may make them change something, of which they are told as always.
    for participant in participants { scope.begin(participant.watches, .setting, isCertain: false) }
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

/// A property's value, as far as it takes to say that it is another one.
private enum Fingerprint: Equatable {
  case values([Value])
  case object(NSManagedObject?)
  case members(Set<NSManagedObject>)
  case order([NSManagedObject])
}

extension NSManagedObject {
  /// Whether the values that it has may have been read: an object that its context has let go of is a fault by name
  /// alone.
  fileprivate var hasSeenValues: Bool { !isFault || lifecycle == .absent }

  fileprivate func fingerprints(_ observers: ObserverTable) -> [String: Fingerprint] {
    var all: [String: Fingerprint] = [:]
    for key in observers.watchedKeys + (observers.tracked?.keys ?? []) {
      all[key] = fingerprint(key, reading: false)
    }
    return all
  }

  /// nil for what is no property of the model, and for members that have not been read.
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
  /// Runs `body`, which may give objects other values, as one operation.
  final func telling<Result>(
    _ objects: @autoclosure () -> [NSManagedObject], everything: Bool = false,
    _ body: () throws -> Result
  ) rethrows -> Result {
    guard registry.hasObservedObjects else { return try body() }
    let operation = ObservedOperation(
      objects().lazy.filter { $0.flags.contains(.observed) }, in: registry.changeScope,
      tellsAll: everything)
    defer { operation.end() }
    return try body()
  }
}
