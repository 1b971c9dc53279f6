// All that objects ask of their context: no other file of theirs calls it.
extension NSManagedObject {
  /// Traps in a debug build if the caller is not on the context's queue.
  final func assertConfined() { managedObjectContext?.assertConfined() }

  final var observingConfinement: Confinement? { registry?.context?.confinement }

  /// The context's object with an ID; nil without a context.
  final func objectOfContext(_ identity: NSManagedObjectID) -> NSManagedObject? {
    registry?.context?.object(with: identity)
  }

  /// Notifies the context that this object is about to change, while its values are still the old
  /// ones.
  final func noteEdit() {
    guard !flags.contains(.untracked), let registryReference else { return }
    // Sound: a registry lives as long as it has a member, such as this object, and the context sets
    // its reference to nil before it is freed.
    registryReference._withUnsafeGuaranteedRef { registry in
      registry.uncountedContext?._withUnsafeGuaranteedRef { $0.willEdit(self) }
    }
  }

  final func adoptRowFromStore() {
    guard let context = registry?.context else {
      current = Row.empty(objectID)
      return
    }
    context.assertConfined()
    do {
      guard let row = try context.newestRow(of: self) else {
        return context.handleInaccessibleFault(self)
      }
      hold(row)
    } catch {
      context.handleInaccessibleFault(self, property: nil, error: error)
    }
  }

  /// The members of a relationship, including the store's, which are read if needed.
  final func readMembers(_ index: Int) -> ToManyMembers {
    let store = memberStore(index)
    if store.isFault { fillMembers(store, index: index) }
    return store
  }

  /// Reads the members of a relationship that have not been read.
  ///
  /// - Parameter note: is given the members among which those that are deleted here still are.
  final func fillMembers(
    _ store: ToManyMembers, index: Int, note: (([NSManagedObject]) -> Void)? = nil
  ) {
    store.fill(registry?.context?.storedMembers(of: self, layout.toMany[index]) ?? [])
    if let note {
      putInOrder(store)
      note(objects(of: store))
    }
    registry?.context?.leaveOutDeleted(store, index: index, of: self)
    putInOrder(store)
  }

  /// Restores an order that was made here for members that still exist; the store's other members
  /// follow.
  private func putInOrder(_ store: ToManyMembers) {
    guard let order = store.order, let context = registry?.context else { return }
    let present = order.filter(store.contains)
    let known = Set(present)
    let others = (store.stored ?? []).map { context.object(with: $0) }
    store.order = present + others.filter { !known.contains($0) && store.contains($0) }
  }

  /// The members as objects of this context; in order for an ordered relationship.
  final func memberObjects(_ index: Int) -> [NSManagedObject] {
    objects(of: readMembers(index))
  }

  private func objects(of store: ToManyMembers) -> [NSManagedObject] {
    if let order = store.order { return order }
    guard let context = registry?.context else { return Array(store.delta.added) }
    var objects: [NSManagedObject] = []
    objects.reserveCapacity(store.count)
    for id in store.stored ?? [] {
      let object = context.object(with: id)
      if !store.delta.removed.contains(object) { objects.append(object) }
    }
    if !store.delta.added.isEmpty {
      objects += store.delta.added.sorted { $0.packedIdentity.bits < $1.objectID.packed.bits }
    }
    return objects
  }

  final func committedMembers(_ index: Int) -> Any {
    guard lifecycle != .inserted, let context = registry?.context else { return NSNull() }
    let relationship = layout.toMany[index]
    // A transient relationship has no committed members.
    let stored = relationship.isTransient ? [] : readMembers(index).stored ?? []
    let objects = stored.map { context.object(with: $0) }
    return relationship.isOrdered
      ? NSOrderedSet(array: objects) as Any : NSSet(array: objects)
  }
}
