/// One step of undo: the changes of an event, with the state before the event and the state after
/// it.
struct UndoStep {
  var changes: [Change] = []

  /// The change of one object.
  struct Change {
    let object: NSManagedObject
    let before: Lifecycle
    let after: Lifecycle
    /// All values before the event, for an object that the event has added or removed.
    let row: Row?
    let slots: [SlotChange]
    let memberChanges: [Int: MemberDelta]
    let orders: [Int: OrderChange]
    /// The number of steps that the context had recorded before this one.
    let number: Int
  }

  struct SlotChange {
    let slot: Int
    let before: Value
    let after: Value
  }

  struct OrderChange {
    let before: [NSManagedObject]
    let after: [NSManagedObject]
  }
}

extension UndoStep.Change {
  init(object: NSManagedObject, event: EventRecord, number: Int) {
    self.object = object
    self.number = number
    before = event.image.lifecycle
    after = object.lifecycle
    memberChanges = event.memberChanges
    // A fault of that time has its row by now, unless no value was accessed; a later row may
    // differ.
    let row = event.image.row ?? object.snapshot
    self.row = before.isPresent && after.isPresent ? nil : row
    slots = before.isPresent ? row.map { object.slotChanges(since: $0) } ?? [] : []
    var orders: [Int: UndoStep.OrderChange] = [:]
    for (index, order) in event.orders {
      orders[index] = .init(before: order, after: object.memberObjects(index))
    }
    self.orders = orders
  }

  /// This change with the instance that now represents the recorded object.
  func on(_ object: NSManagedObject) -> Self {
    Self(
      object: object, before: before, after: after, row: row, slots: slots,
      memberChanges: memberChanges, orders: orders, number: number)
  }
}

extension NSManagedObject {
  /// The slots whose values differ from `old`, transient ones included.
  fileprivate func slotChanges(since old: Row) -> [UndoStep.SlotChange] {
    guard let current, current !== old else { return [] }
    return layout.slots.indices.compactMap { slot in
      guard current.differs(from: old, in: slot) else { return nil }
      return UndoStep.SlotChange(slot: slot, before: old[slot], after: current[slot])
    }
  }
}

extension UndoStep.Change {
  /// Whether the step has deleted the object.
  var isDeletion: Bool { before.isPresent && !after.isPresent }

  /// This change and a later one of the same object as one change.
  func followed(by later: Self) -> Self {
    let orders = orders.merging(later.orders) { first, later in
      // A repeated deletion has read the members anew.
      .init(before: isDeletion ? later.before : first.before, after: later.after)
    }
    return Self(
      object: object, before: before, after: later.after, row: row ?? rowBefore(later.row),
      slots: slots(before: later.slots),
      memberChanges: memberChanges.merging(later.memberChanges) { first, later in
        first.followed(by: later)
      }, orders: orders, number: number)
  }

  /// The values before this change, given those before the later one.
  private func rowBefore(_ later: Row?) -> Row? {
    guard let later, !slots.isEmpty else { return later }
    let row = later.copy()
    for part in slots { row[part.slot] = part.before }
    return row
  }

  private func slots(before later: [UndoStep.SlotChange]) -> [UndoStep.SlotChange] {
    let changed = slots.map { first in
      let last = later.last { $0.slot == first.slot } ?? first
      return UndoStep.SlotChange(slot: first.slot, before: first.before, after: last.after)
    }
    return changed + later.filter { part in !slots.contains { $0.slot == part.slot } }
  }
}

extension MemberDelta {
  fileprivate func followed(by later: MemberDelta) -> MemberDelta {
    var delta = self
    for object in later.added { delta.add(object) }
    for object in later.removed { delta.remove(object) }
    return delta
  }
}
