/// Objects that were deleted before they were ever saved, for as long as somebody else has them.
///
/// Owned by their context, whose queue guards it.
struct DroppedObjects {
  private struct Place {
    weak var object: NSManagedObject?
  }

  private var places: [Place] = []
  /// How many places there may be before those of freed objects are looked for.
  private var limit = 64

  mutating func insert(_ object: NSManagedObject) {
    if places.count >= limit {
      places.removeAll { $0.object == nil }
      limit = max(64, places.count * 2)
    }
    places.append(Place(object: object))
  }

  /// Those that nobody has brought back meanwhile.
  var objects: [NSManagedObject] {
    if places.isEmpty { return [] }
    return places.compactMap(\.object).filter { $0.lifecycle == .dropped }
  }

  /// The same; they are known no more.
  mutating func removeAll() -> [NSManagedObject] {
    if places.isEmpty { return [] }
    defer { self = DroppedObjects() }
    return objects
  }
}

extension NSManagedObjectContext {
  /// What was dropped is no object of this context any more: a fault without values, as ``reset()`` leaves one.
  final func endDropped() {
    for object in dropped.removeAll() {
      end(object)
      if undoManager == nil { object.forgetValues() }
    }
  }

  /// Takes an object out of the context, of which it keeps nothing but its identity and the values that it had.
  final func end(_ object: NSManagedObject) {
    willForget?(object)
    object.lifecycle = .absent
    object.flags.formIntersection([.observed, .observable])
    object.flags.insert(.fault)
    object.forgetSnapshot()
    unregister(object)
  }
}

extension NSManagedObject {
  /// Of an object that its context has let go of.
  final func forgetValues() {
    hold(nil)
    if relations != nil { members = [] }
    relations?.fetched = [:]
  }
}
