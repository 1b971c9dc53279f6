/// A version conflict: an object that was changed both in a context and in the store since it was
/// read.
///
/// There are two kinds. If another context of the same coordinator has saved a newer row, that row
/// is the cached one and ``persistedSnapshot`` is nil. If another writer has changed the store, the
/// cached row is the one that the context has read, and ``persistedSnapshot`` is the store's.
///
/// Source: developer.apple.com/documentation/coredata/nsmergeconflict
open class NSMergeConflict: NSObject {
  /// The changed object of the context.
  open private(set) var sourceObject: NSManagedObject
  /// The values that the context has read, by property; to-one relationships as object IDs.
  open private(set) var objectSnapshot: [String: Any]?
  /// The values of the row that the coordinator's contexts share; nil if the object was deleted.
  open private(set) var cachedSnapshot: [String: Any]?
  /// The values that the store has now, if the shared row is stale.
  open private(set) var persistedSnapshot: [String: Any]?
  /// The row version that the context has read.
  open private(set) var oldVersionNumber: Int
  /// The row version in the store; 0 if the object was deleted there.
  open private(set) var newVersionNumber: Int
  /// The store's row, if the save has read it.
  private let known: Row?

  /// Makes a conflict; the built-in policies resolve it by reading the store's row.
  public init(
    source sourceObject: NSManagedObject, newVersion newVersionNumber: Int,
    oldVersion oldVersionNumber: Int, cachedSnapshot: [String: Any]?,
    persistedSnapshot: [String: Any]?
  ) {
    self.sourceObject = sourceObject
    self.newVersionNumber = newVersionNumber
    self.oldVersionNumber = oldVersionNumber
    self.cachedSnapshot = cachedSnapshot
    self.persistedSnapshot = persistedSnapshot
    objectSnapshot = sourceObject.snapshot?.storedValues
    known = nil
  }

  init(source: NSManagedObject, _ conflict: SaveConflicts.Conflict) {
    sourceObject = source
    known = conflict.stored
    objectSnapshot = source.snapshot?.storedValues
    let stored = conflict.stored?.storedValues
    cachedSnapshot = conflict.isOfSharedRow ? stored : objectSnapshot
    persistedSnapshot = conflict.isOfSharedRow ? nil : stored
    oldVersionNumber = Int(source.snapshot?.version ?? 0)
    // An object that the parent context has never saved has no version yet, but it exists.
    newVersionNumber = conflict.stored.map { max(1, Int($0.version)) } ?? 0
  }

  /// The object's ID and the versions; stored values stay out of logs.
  open override var description: String {
    let version = newVersionNumber == 0 ? "<deleted>" : "\(newVersionNumber)"
    return "NSMergeConflict for NSManagedObject with objectID '\(sourceObject.objectID)' "
      + "with oldVersion = \(oldVersionNumber) and newVersion = \(version)"
  }

  // MARK: - Resolution

  /// Changes the object by a policy, so that the save can be repeated.
  func settle(_ type: NSMergePolicyType) throws {
    let storeWins =
      type == .mergeByPropertyStoreTrumpMergePolicyType || type == .rollbackMergePolicyType
    guard let stored = try stored else { return storeWins ? acceptDeletion() : insertAgain() }
    if sourceObject.lifecycle == .deleted {
      if storeWins { keep(stored) } else { deleteAgain(stored) }
      return
    }
    // An object that the save only watches has no changes: it gets the store's values.
    if sourceObject.lifecycle == .live, !sourceObject.flags.contains(.updated) {
      return sourceObject.rebase(onto: stored)
    }
    sourceObject.settle(type, stored: stored)
  }

  private var stored: Row? {
    get throws {
      if let known { return known }
      if newVersionNumber == 0 { return nil }
      return try context?.rootCoordinator?.row(of: sourceObject.objectID)
    }
  }

  private var context: NSManagedObjectContext? { sourceObject.registry?.context }

  private func acceptDeletion() {
    sourceObject.flags.insert(.goneFromStore)
    guard sourceObject.lifecycle.isPresent else { return }
    context?.leaveUnsavedRelationships(sourceObject)
    context?.markDeleted(sourceObject)
  }

  /// Repeats the deletion on the newer row: delete rules are applied again, to members that have
  /// joined since.
  private func deleteAgain(_ stored: Row) {
    // An undo restores the values that were deleted: those of the newer row.
    if let read = sourceObject.snapshot {
      sourceObject.noteReplacedBases(read, new: stored, below: Array(0..<stored.count))
    }
    // The rules apply to what the newer row refers to.
    sourceObject.hold(stored)
    sourceObject.addTransientDefaults()
    for store in sourceObject.members { store?.turnIntoFault() }
    context?.repeatedDeletions.append(sourceObject)
  }

  private func insertAgain() {
    if sourceObject.lifecycle == .deleted {
      sourceObject.flags.insert(.goneFromStore)
    } else {
      context?.updated.remove(sourceObject)
      sourceObject.flags.remove(.updated)
      sourceObject.lifecycle = .inserted
      context?.noteReturn(of: sourceObject)
      sourceObject.current = sourceObject.readableRow.copy()
      sourceObject.snapshot = nil
      context?.inserted.insert(sourceObject)
    }
  }

  private func keep(_ stored: Row) {
    context?.deleted.remove(sourceObject)
    context?.newerRows[sourceObject.packedIdentity] = nil
    sourceObject.lifecycle = .live
    sourceObject.hold(stored)
  }
}

extension Row {
  /// The values of attributes and to-one relationships by name: nil as `NSNull`, objects as IDs.
  var storedValues: [String: Any] {
    var values: [String: Any] = [:]
    let stored = layout.slots.indices.filter { layout.slots[$0].isStored }
    for (name, place) in layout.propertyPlaces(ofSlots: stored) {
      values[name] = storedValue(place) ?? NSNull()
    }
    return values
  }

  private func storedValue(_ place: EntityLayout.Place) -> Any? {
    switch place {
    case .slot(let slot):
      guard case .attribute(let type) = layout.slots[slot].kind else {
        return self[slot].boxed(.objectIDAttributeType)
      }
      return self[slot].boxed(type)
    case .composite(let index): return layout.compositeValue(index) { self[$0] }
    default: return nil
    }
  }
}

extension NSManagedObject {
  /// Merges three rows by a policy: this object's, the one that was read, and the store's.
  fileprivate func settle(_ type: NSMergePolicyType, stored: Row) {
    let mine = readableRow
    let base = snapshot ?? stored
    let merged = stored.copy()
    let kept = (0..<mine.count).filter {
      keepsMine($0, type: type, mine: mine, base: base, stored: stored)
    }
    for slot in kept { merged[slot] = mine[slot] }
    noteReplacedBases(base, new: stored, below: kept)
    registry?.context?.newerRows[packedIdentity] = nil
    snapshot = stored
    current = type == .rollbackMergePolicyType ? stored : merged
    if type == .rollbackMergePolicyType {
      addTransientDefaults()
      rollBackMembers()
    }
    awake(fromSnapshotEvents: .mergePolicy)
  }

  private func keepsMine(
    _ slot: Int, type: NSMergePolicyType, mine: Row, base: Row, stored: Row
  ) -> Bool {
    guard layout.slots[slot].isStored else { return true }
    switch type {
    case .overwriteMergePolicyType: return true
    case .rollbackMergePolicyType: return false
    case .mergeByPropertyStoreTrumpMergePolicyType:
      return mine[slot] != base[slot] && stored[slot] == base[slot]
    default: return mine[slot] != base[slot]
    }
  }
}
