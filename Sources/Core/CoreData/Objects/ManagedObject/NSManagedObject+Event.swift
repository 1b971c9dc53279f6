extension NSManagedObject {
  final func valuesBeforeEvent() -> [String: Any] {
    guard let event = event.record else { return [:] }
    var old: [String: Any] = [:]
    let slots = slots(changedBy: event).filter { layout.slots[$0].isStored }
    for (name, place) in layout.propertyPlaces(ofSlots: slots) {
      old[name] = boxed(place) { before(event, slot: $0) } ?? NSNull()
    }
    for (index, delta) in event.memberChanges
    where !delta.isEmpty && !layout.relation(toMany: index).isTransient {
      old[layout.toMany[index].name] = oldMembers(index, event: event)
    }
    return old
  }

  /// The names of the properties that the current event has changed, including transient ones.
  final var keysChangedByEvent: Set<String> {
    guard let event = event.record else { return [] }
    var keys = Set(slots(changedBy: event).map(layout.propertyName(ofSlot:)))
    for (index, delta) in event.memberChanges where !delta.isEmpty {
      keys.insert(layout.toMany[index].name)
    }
    for index in event.orders.keys { keys.insert(layout.toMany[index].name) }
    return keys
  }

  private func slots(changedBy event: EventRecord) -> [Int] {
    guard let current else { return [] }
    return layout.slots.indices.filter { before(event, slot: $0) != current[$0] }
  }

  /// The value before the event: a new object's is the model's default, a former fault's is the
  /// store's.
  private func before(_ event: EventRecord, slot: Int) -> Value {
    if event.image.lifecycle == .absent { return layout.defaults[slot] }
    return (event.image.row ?? snapshot)?[slot] ?? .null
  }

  private func oldMembers(_ index: Int, event: EventRecord) -> Any {
    if let order = event.orders[index] { return NSOrderedSet(array: order) }
    var members = Set(memberObjects(index))
    if let delta = event.memberChanges[index] {
      members.subtract(delta.added)
      members.formUnion(delta.removed)
    }
    return NSSet(array: Array(members))
  }
}
