/// One step of undo: what an event has changed, as it was before and as the event left it.
struct UndoStep {
  var changes: [Change] = []

  /// What has happened to one object.
  struct Change {
    let object: NSManagedObject
    let before: Lifecycle
    let after: Lifecycle
    /// All values before the event, of an object that it has brought or taken away.
    let row: Row?
    let slots: [SlotChange]
    let memberChanges: [Int: MemberDelta]
    let orders: [Int: OrderChange]
    /// How many steps the context had recorded before this one.
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
    // What was a fault has been read by now, unless no value was touched; later it may have others.
    let row = event.image.row ?? object.snapshot
    self.row = before.isPresent && after.isPresent ? nil : row
    slots = before.isPresent ? row.map { object.slotChanges(since: $0) } ?? [] : []
    var orders: [Int: UndoStep.OrderChange] = [:]
    for (index, order) in event.orders {
      orders[index] = .init(before: order, after: object.memberObjects(index))
    }
    self.orders = orders
  }

  /// With the object that stands for the recorded one now.
  func on(_ object: NSManagedObject) -> Self {
    Self(
      object: object, before: before, after: after, row: row, slots: slots,
      memberChanges: memberChanges, orders: orders, number: number)
  }
}

extension NSManagedObject {
  /// The slots that have other values now, transient ones among them.
  fileprivate func slotChanges(since old: Row) -> [UndoStep.SlotChange] {
    guard let current, current !== old else { return [] }
    return layout.slots.indices.compactMap { slot in
      guard current.differs(from: old, in: slot) else { return nil }
      return UndoStep.SlotChange(slot: slot, before: old[slot], after: current[slot])
    }
  }
}
