extension NSManagedObjectContext {
  /// Saves the changes into the parent, as edits there, which the parent's own save writes.
  ///
  /// The parent acts as the child's store: changes are checked against the values that the child
  /// has read. An object that has other values in the parent, or no longer exists there, is a
  /// conflict.
  final func save(into parent: NSManagedObjectContext) throws {
    var resolver = ConflictResolver(context: self)
    while true {
      do {
        readOrders()
        let saved = try parent.confinement.performAndWait {
          try push(into: parent, settled: resolver.settled)
        }
        telling(saved.deleted + dropped.objects) {
          for object in saved.inserted + saved.updated { object.commitIntoParent() }
          finish(saved)
        }
        return announceSave(saved)
      } catch {
        try resolver.resolve(error)
      }
    }
  }

  /// Reads the members of ordered relationships that were edited here and merged since: an order
  /// that was made before would bring back members that others have deleted or taken.
  private func readOrders() {
    for object in updated {
      guard let stores = object.relations?.members else { continue }
      for (index, store) in stores.enumerated() where store?.order != nil && store?.isFault == true
      {
        _ = object.readMembers(index)
      }
    }
  }

  /// Runs on the parent's queue while this context waits.
  private func push(
    into parent: NSManagedObjectContext, settled: Set<NSManagedObject>
  ) throws -> SavedObjects {
    takeOverPermanentIDs()
    parent.takeOverPermanentIDs()
    takeOverSavedRows()
    parent.takeOverSavedRows()
    let saved = SavedObjects(context: self)
    let push = ParentPush(child: self, parent: parent, settled: settled)
    let twins = try push.check(saved)
    withExtendedLifetime(twins) {
      push.insert(saved.inserted)
      push.setValues(of: saved.inserted + saved.updated)
      push.delete(saved.deleted)
      push.watch(watched)
    }
    parent.processPendingChanges()
    return saved
  }
}

extension NSManagedObject {
  /// Makes the saved values the object's snapshot: the parent has them now.
  fileprivate func commitIntoParent() {
    guard let own = current else { return }
    let row = own.isSealed ? own : own.copy()
    if !row.isSealed { row.sealUnsaved(packedIdentity, in: space) }
    hold(row)
  }
}
