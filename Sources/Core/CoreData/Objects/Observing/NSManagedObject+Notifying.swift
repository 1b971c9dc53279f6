// Called by edits of observed objects. An edit of any other object only tests
// `flags.contains(.observed)`.

extension NSManagedObject {
  /// Runs `body`, which changes a property, and notifies its observers.
  ///
  /// - Parameter isAsForeseen: whether the change turned out as announced; if not, a setting is
  ///   reported.
  @inline(never)
  final func changing(
    _ place: EntityLayout.Place, change: () -> PropertyChange = { .setting }, body: () -> Void,
    isAsForeseen: () -> Bool = { true }
  ) {
    let keys = layout.keys(of: place)
    guard let observers, observers.isWatched(keys), !observers.isSilent(keys) else { return body() }
    let scope = registry?.changeScope ?? ChangeScope()
    let watches = keys.flatMap(observers.watches(of:))
    scope.enter()
    observers.tracked?.willChange(keys)
    scope.begin(watches, change: change())
    observers.silence(keys)
    body()
    observers.endSilence(keys)
    if !isAsForeseen() { scope.begin(watches, change: .setting) }
    observers.tracked?.didChange(keys)
    scope.leave()
  }

  /// Runs `body`, which changes a property, without notifying its observers.
  final func changingSilently(_ place: EntityLayout.Place, body: () -> Void) {
    let keys = layout.keys(of: place)
    observers?.silence(keys)
    body()
    observers?.endSilence(keys)
  }

  /// Runs `body`, which adds objects to a to-many relationship. Only new members are reported.
  final func joining(_ objects: [NSManagedObject], index: Int, body: () -> Void) {
    guard isWatched(index) else { return body() }
    let store = readMembers(index)
    let new = objects.filter { !store.contains($0) }
    if new.isEmpty { return body() }
    changing(
      .toMany(index),
      change: {
        guard self.layout.relation(toMany: index).isOrdered else { return .joining(new) }
        let members = self.memberObjects(index)
        return PropertyChange(from: members, to: members + new)
      }, body: body, isAsForeseen: { new.allSatisfy(store.contains) })
  }

  /// Runs `body`, which removes objects from a to-many relationship. Only previous members are
  /// reported.
  final func leaving(_ objects: [NSManagedObject], index: Int, body: () -> Void) {
    guard isWatched(index) else { return body() }
    let store = readMembers(index)
    let old = objects.filter { store.contains($0) }
    if old.isEmpty { return body() }
    changing(
      .toMany(index),
      change: {
        guard self.layout.relation(toMany: index).isOrdered else { return .leaving(old) }
        let members = self.memberObjects(index)
        return PropertyChange(from: members, to: members.filter { !old.contains($0) })
      }, body: body, isAsForeseen: { !old.contains(where: store.contains) })
  }

  /// Runs `body`, which replaces the members of a to-many relationship.
  final func replacing(_ objects: [NSManagedObject], index: Int, body: () -> Void) {
    changing(
      .toMany(index),
      change: { PropertyChange(.set, objects: Set(objects), members: self.memberObjects(index)) },
      body: body)
  }

  private func isWatched(_ index: Int) -> Bool {
    let keys = [layout.toMany[index].name]
    return observers.map { $0.isWatched(keys) && !$0.isSilent(keys) } ?? false
  }

  // MARK: - Changes that a client announces

  final func announceChange(_ key: String, change: () -> PropertyChange = { .setting }) {
    guard flags.contains(.observed), let observers else { return }
    // The key itself comes first: the report contains it alone.
    let keys = [key] + (layout.place(of: key).map(layout.keys) ?? []).filter { $0 != key }
    if observers.isWatched(keys) { observers.announce(keys, change: change()) }
  }

  final func reportChange(_ key: String) {
    if flags.contains(.observed) { observers?.report(key) }
  }

  /// The members of a to-many relationship; empty for a collection of the class itself.
  final func observedMembers(_ key: String) -> [NSManagedObject] {
    if case .toMany(let index) = layout.place(of: key) { memberObjects(index) } else { [] }
  }

  final func change(
    _ kind: NSKeyValueChange, at indexes: IndexSet, key: String
  ) -> PropertyChange {
    let goes = kind == .removal || kind == .replacement
    let comes = kind == .insertion || kind == .replacement
    return PropertyChange(
      kind: kind, indexes: indexes,
      old: goes ? PropertyChange.array(observedMembers(key), indexes: indexes) : nil,
      new: comes
        ? { [unowned self] in PropertyChange.array(observedMembers(key), indexes: indexes) } : nil)
  }
}

extension EntityLayout {
  /// The keys whose values change with a property: an element belongs to the values of the
  /// composite attributes around it.
  func keys(of place: Place) -> [String] {
    switch place {
    case .slot(let slot):
      if slots[slot].composite == nil { return [slots[slot].name] }
      return compositeKeys(slot..<slot + 1)
    case .composite(let index): return compositeKeys(composites[index].slots)
    case .toMany(let index): return [toMany[index].name]
    case .fetched(let index): return [fetched[index].name]
    }
  }

  private func compositeKeys(_ changed: Range<Int>) -> [String] {
    composites.filter { $0.slots.overlaps(changed) }.map(\.path) + changed.map { slots[$0].name }
  }
}
