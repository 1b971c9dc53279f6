// What edits call when an object is observed: `flags.contains(.observed)` is all that an edit of another object
// pays.

extension NSManagedObject {
  /// Runs `body`, which changes a property, and tells who observes it.
  @inline(never)
  final func changing(
    _ place: EntityLayout.Place, _ change: () -> PropertyChange = { .setting }, _ body: () -> Void,
    isAsForeseen: () -> Bool = { true }
  ) {
    let keys = layout.keys(of: place)
    guard let observers, observers.isWatched(keys), !observers.isSilent(keys) else { return body() }
    let scope = registry?.changeScope ?? ChangeScope()
    let watches = keys.flatMap(observers.watches(of:))
    scope.enter()
    observers.tracked?.willChange(keys)
    scope.begin(watches, change())
    observers.silence(keys)
    body()
    observers.endSilence(keys)
    if !isAsForeseen() { scope.begin(watches, .setting) }
    observers.tracked?.didChange(keys)
    scope.leave()
  }

  /// Runs `body`, which changes a property in a way that no observer is told of.
  final func changingSilently(_ place: EntityLayout.Place, _ body: () -> Void) {
    let keys = layout.keys(of: place)
    observers?.silence(keys)
    body()
    observers?.endSilence(keys)
  }

  /// Runs `body`, which makes objects members of a to-many relationship; those that are members already are no news.
  final func joining(_ objects: [NSManagedObject], _ index: Int, _ body: () -> Void) {
    guard isWatched(index) else { return body() }
    let store = readMembers(index)
    let new = objects.filter { !store.contains($0) }
    if new.isEmpty { return body() }
    changing(
      .toMany(index),
      {
        guard self.layout.relation(toMany: index).isOrdered else { return .joining(new) }
        let members = self.memberObjects(index)
        return PropertyChange(from: members, to: members + new)
      }, body, isAsForeseen: { new.allSatisfy(store.contains) })
  }

  /// The same for members that leave.
  final func leaving(_ objects: [NSManagedObject], _ index: Int, _ body: () -> Void) {
    guard isWatched(index) else { return body() }
    let store = readMembers(index)
    let old = objects.filter { store.contains($0) }
    if old.isEmpty { return body() }
    changing(
      .toMany(index),
      {
        guard self.layout.relation(toMany: index).isOrdered else { return .leaving(old) }
        let members = self.memberObjects(index)
        return PropertyChange(from: members, to: members.filter { !old.contains($0) })
      }, body, isAsForeseen: { !old.contains(where: store.contains) })
  }

  /// The same for members that take the place of those there are.
  final func replacing(_ objects: [NSManagedObject], _ index: Int, _ body: () -> Void) {
    changing(
      .toMany(index),
      { PropertyChange(.set, Set(objects), members: self.memberObjects(index)) }, body)
  }

  private func isWatched(_ index: Int) -> Bool {
    let keys = [layout.toMany[index].name]
    return observers.map { $0.isWatched(keys) && !$0.isSilent(keys) } ?? false
  }

  // MARK: - What a client announces

  final func announceChange(_ key: String, _ change: () -> PropertyChange = { .setting }) {
    guard flags.contains(.observed), let observers else { return }
    // The key itself first: the report names it alone.
    let keys = [key] + (layout.place(of: key).map(layout.keys) ?? []).filter { $0 != key }
    if observers.isWatched(keys) { observers.announce(keys, change()) }
  }

  final func reportChange(_ key: String) {
    if flags.contains(.observed) { observers?.report(key) }
  }

  /// The members of a to-many relationship; none where the class itself has a collection, which only it knows.
  final func observedMembers(_ key: String) -> [NSManagedObject] {
    if case .toMany(let index) = layout.place(of: key) { memberObjects(index) } else { [] }
  }

  final func change(
    _ kind: NSKeyValueChange, at indexes: IndexSet, _ key: String
  ) -> PropertyChange {
    let goes = kind == .removal || kind == .replacement
    let comes = kind == .insertion || kind == .replacement
    return PropertyChange(
      kind: kind, indexes: indexes,
      old: goes ? PropertyChange.array(observedMembers(key), indexes) : nil,
      new: comes ? { [unowned self] in PropertyChange.array(observedMembers(key), indexes) } : nil)
  }
}

extension EntityLayout {
  /// What has another value when a property has: an element of a composite attribute is part of others' values.
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
