/// Managed objects in the order of their insertion.
///
///     places: ┌ a │ b │ · │ c │ … ┐   an object knows its index; a removed object leaves a gap
///
/// Insertion, removal and look-up hash nothing, since a save may have a hundred thousand objects.
/// An object is in at most one roster of its context, according to its ``Lifecycle``.
struct ObjectRoster: Sequence {
  private var places: ContiguousArray<NSManagedObject?> = []
  private(set) var count = 0
  /// Changes with each insertion and removal.
  private(set) var version = 0
  // Made when a client first requests it, and updated from then on.
  private var known: Set<NSManagedObject>?
  private var kinds: Set<Kind> = []
  private var lastKind: Kind?

  /// The class and the entity of objects that have been in the roster.
  struct Kind: Hashable {
    let type: NSManagedObject.Type
    /// Unretained: layouts are never freed.
    let layout: Unmanaged<EntityLayout>

    static func == (left: Kind, right: Kind) -> Bool {
      left.type == right.type && left.layout.toOpaque() == right.layout.toOpaque()
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(type))
      hasher.combine(layout.toOpaque())
    }
  }

  /// Whether a class of the roster's objects overrides the method, whose default does nothing.
  func overrides(_ method: OverriddenMethods) -> Bool {
    kinds.contains { OverriddenMethods(of: $0.type).contains(method) }
  }

  /// Whether a save must check anything: by rules of the model, or by a method that a class may
  /// override.
  func hasChecks(_ method: OverriddenMethods, model: (EntityLayout) -> Bool) -> Bool {
    kinds.contains { kind in
      OverriddenMethods(of: kind.type).contains(method)
        || kind.layout._withUnsafeGuaranteedRef(model)
        || method != .validateForDelete && kind.type.seesValidatedValues
    }
  }

  var isEmpty: Bool { count == 0 }

  var objects: [NSManagedObject] {
    if count < places.count { return places.compactMap { $0 } }
    // Sound: without gaps no element is nil, and an optional reference has the layout of a
    // reference. The cast avoids retaining each object again.
    return Array(unsafeBitCast(places, to: ContiguousArray<NSManagedObject>.self))
  }

  /// Iterates over the objects at the time of the call; later changes of the roster have no effect.
  func makeIterator() -> some IteratorProtocol<NSManagedObject> {
    places.lazy.compactMap { $0 }.makeIterator()
  }

  /// The objects as a set, for clients.
  var set: Set<NSManagedObject> {
    mutating get {
      if let known { return known }
      let made = Set(objects)
      known = made
      return made
    }
  }

  func contains(_ object: NSManagedObject) -> Bool {
    let place = Int(object.rosterPlace)
    return places.indices.contains(place) && places[place] === object
  }

  mutating func insert(_ object: NSManagedObject) {
    guard !contains(object) else { return }
    object.rosterPlace = Int32(places.count)
    places.append(object)
    note(Kind(type: type(of: object), layout: .passUnretained(object.layout)))
    count += 1
    version += 1
    known?.insert(object)
  }

  private mutating func note(_ kind: Kind) {
    if kind == lastKind { return }
    lastKind = kind
    kinds.insert(kind)
  }

  mutating func remove(_ object: NSManagedObject) {
    guard contains(object) else { return }
    places[Int(object.rosterPlace)] = nil
    count -= 1
    version += 1
    known?.remove(object)
    if places.count > 64, count * 2 < places.count { closeGaps() }
  }

  mutating func removeAll() {
    let next = version + 1
    self = ObjectRoster()
    version = next
  }

  private mutating func closeGaps() {
    places = ContiguousArray(places.lazy.filter { $0 != nil })
    for (place, object) in places.enumerated() { object?.rosterPlace = Int32(place) }
  }
}
