/// Objects that were deleted before their first save, referenced weakly.
///
/// Owned by their context, whose queue guards it.
struct DroppedObjects {
  private struct Place {
    weak var object: NSManagedObject?
  }

  private var places: [Place] = []
  /// The number of entries at which those of freed objects are purged.
  private var limit = 64

  mutating func insert(_ object: NSManagedObject) {
    if places.count >= limit {
      places.removeAll { $0.object == nil }
      limit = max(64, places.count * 2)
    }
    places.append(Place(object: object))
  }

  /// The objects that are alive and were not brought back by an undo.
  var objects: [NSManagedObject] {
    if places.isEmpty { return [] }
    return places.compactMap(\.object).filter { $0.lifecycle == .dropped }
  }

  /// Removes all objects; returns those that are alive and were not brought back.
  mutating func removeAll() -> [NSManagedObject] {
    if places.isEmpty { return [] }
    defer { self = DroppedObjects() }
    return objects
  }
}

extension NSManagedObjectContext {
  /// Ends the dropped objects: they leave this context as faults without values, as after
  /// ``reset()``.
  final func endDropped() {
    for object in dropped.removeAll() {
      end(object)
      if undoManager == nil { object.forgetValues() }
    }
  }

  /// Removes an object from the context. The object keeps its identity and, until `forgetValues`,
  /// its values.
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
  /// Drops the values of an object that has left its context.
  final func forgetValues() {
    hold(nil)
    if relations != nil { members = [] }
    relations?.fetched = [:]
  }
}
