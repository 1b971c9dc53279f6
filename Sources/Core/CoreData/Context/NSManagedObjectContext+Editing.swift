extension NSManagedObjectContext {
  final func enter(_ object: NSManagedObject) {
    assertConfined()
    if object.registry === registry { return reinsert(object) }
    if object.registry?.context != nil {
      fatalError(
        "An NSManagedObject may only be in (or observed by) a single NSManagedObjectContext.")
    }
    if object.layout.isAbstract { fatalError(Self.abstractText(object.entity)) }
    if object.flags.contains(.observed) {
      // Outside of a context the object's relationships led to no object.
      registry.hasObservedObjects = true
      return telling([object]) { enterUnknown(object) }
    }
    enterUnknown(object)
  }

  private func enterUnknown(_ object: NSManagedObject) {
    let hadValues = object.current != nil
    object.flags.remove(.fault)
    register(object, packed: object.packedIdentity, space: object.space)
    if !hadValues { object.current = Row.defaults(of: object) }
    willEdit(object)
    object.lifecycle = .inserted
    inserted.insert(object)
    object.awakeFromInsert()
  }

  private static func abstractText(_ entity: NSEntityDescription) -> String {
    let name = entity.name ?? ""
    let concrete = entity.subentitiesByName.keys.sorted().joined(separator: ", ")
    return "Cannot insert an object of the entity “\(name)”, which is abstract: insert one of its "
      + "subentities (\(concrete.isEmpty ? "it has none" : concrete))."
  }

  /// Undoes the deletion of an object that is inserted again before it has left the context.
  private func reinsert(_ object: NSManagedObject) {
    guard object.lifecycle.isDeleted else { return }
    willEdit(object)
    revive(object)
  }

  final func beginDeletion(of object: NSManagedObject) {
    assertConfined()
    guard object.registry === registry else {
      fatalError(
        "An NSManagedObjectContext cannot delete objects in other contexts. \(object.objectID)")
    }
    object.prepareForDeletion()
    guard object.lifecycle.isPresent else { return }
    willChange(object)
    pendingDeletions.append(object)
    markDeleted(object)
  }

  final func markDeleted(_ object: NSManagedObject) {
    if object.lifecycle == .inserted {
      inserted.remove(object)
      object.lifecycle = .dropped
      dropped.insert(object)
    } else {
      updated.remove(object)
      object.flags.remove(.updated)
      deleted.insert(object)
      object.lifecycle = .deleted
    }
  }

  /// Makes a deleted or dropped object present again.
  final func revive(_ object: NSManagedObject) {
    pendingDeletions.removeAll { $0 === object }
    switch object.lifecycle {
    case .deleted where !object.flags.contains(.goneFromStore):
      deleted.remove(object)
      object.lifecycle = .live
      noteUpdated(object)
      // Another context saved the object meanwhile.
      if !newerRows.isEmpty, let newer = newerRows.removeValue(forKey: object.packedIdentity) {
        object.rebase(onto: newer)
      }
      if !partings.isEmpty { meetAgain(object) }
    default:
      deleted.remove(object)
      if object.flags.contains(.goneFromStore) { for store in object.members { store?.clear() } }
      object.flags.subtract([.goneFromStore, .fault])
      if object.registry !== registry {
        register(object, packed: object.packedIdentity, space: object.space)
      }
      noteReturn(of: object)
      object.snapshot = nil
      object.lifecycle = .inserted
      inserted.insert(object)
    }
  }

  /// Called by an object before an edit: records the state before the event, and that the object is
  /// changed.
  final func willEdit(_ object: NSManagedObject) {
    assertConfined()
    willChange(object)
    if object.lifecycle == .live { noteUpdated(object) }
  }

  /// Records the state before the event for a change that does not count as an edit.
  private func willChange(_ object: NSManagedObject) {
    if object.event.isOver, !isMerging { beginEvent(of: object) }
  }

  private func beginEvent(of object: NSManagedObject) {
    if object.lifecycle == .absent {
      // An undo removes the object, so its values before its birth are never asked for.
      object.event = .birth
    } else {
      // A sealed row is immutable and needs no copy.
      let row = object.current.map { $0.isSealed ? $0 : $0.copy() }
      if let row, object.lifecycle == .live {
        object.event = .edit(row)
      } else {
        object.event = .record(
          EventRecord(image: ObjectImage(lifecycle: object.lifecycle, row: row)))
      }
    }
    eventObjects.append(object)
    scheduleProcessing()
  }

  final func noteUpdated(_ object: NSManagedObject) {
    guard !object.flags.contains(.updated) else { return }
    object.flags.insert(.updated)
    updated.insert(object)
  }

  final func watch(_ object: NSManagedObject) {
    assertConfined()
    guard object.registry === registry, object.lifecycle == .live else { return }
    object.fireFault()
    watched.insert(object)
  }

  final func choose(_ store: NSPersistentStore, for object: Any) {
    assertConfined()
    guard let object = object as? NSManagedObject else {
      fatalError("assign(_:to:) takes a managed object, not a \(type(of: object))")
    }
    guard object.packedIdentity.isTemporary else {
      fatalError(
        "Can't assign an object to a store once it has been saved (\(object.objectID)): insert a "
          + "copy of it and delete this one.")
    }
    assignedStores[object] = store
  }

  /// Schedules `endEvent` for the main queue: its changes are processed at the end of the current
  /// event, with the next block of the queue. Changes on a private queue are processed at the end
  /// of `perform`.
  private func scheduleProcessing() {
    guard !isProcessingScheduled, concurrencyType == .mainQueueConcurrencyType else { return }
    // A test without its actor could meet the main queue in this context.
    guard confinement.isCurrent else { return }
    isProcessingScheduled = true
    confinement.perform { [confinement] in
      guard let context = confinement.context else { return }
      context.isProcessingScheduled = false
      context.endEvent()
    }
  }
}
