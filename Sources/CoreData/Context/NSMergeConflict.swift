/// An object that was changed both in a context and in the store since it was read.
///
/// Source: developer.apple.com/documentation/coredata/nsmergeconflict
open class NSMergeConflict: NSObject {
  public final let sourceObject: NSManagedObject
  /// The values when the object was read, by property; to-one relationships as object IDs.
  public final let objectSnapshot: [String: Any]?
  public final let cachedSnapshot: [String: Any]?
  /// The values that the store has now; nil when the object was deleted there.
  public final let persistedSnapshot: [String: Any]?
  public final let oldVersionNumber: Int
  /// 0 when the object was deleted in the store.
  public final let newVersionNumber: Int
  private let stored: Row?

  init(source: NSManagedObject, stored: Row?) {
    sourceObject = source
    self.stored = stored
    objectSnapshot = source.snapshot.map(Self.values)
    cachedSnapshot = source.snapshot.map(Self.values)
    persistedSnapshot = stored.map(Self.values)
    oldVersionNumber = Int(source.snapshot?.version ?? 0)
    newVersionNumber = Int(stored?.version ?? 0)
  }

  private static func values(_ row: Row) -> [String: Any] {
    var values: [String: Any] = [:]
    for (slot, description) in row.layout.slots.enumerated() where description.isStored {
      let type =
        if case .attribute(let type) = description.kind { type } else {
          NSAttributeType.objectIDAttributeType
        }
      values[description.name] = row[slot].boxed(type) ?? NSNull()
    }
    return values
  }

  open override var description: String {
    let version = newVersionNumber == 0 ? "<deleted>" : "\(newVersionNumber)"
    return "NSMergeConflict for NSManagedObject with objectID '\(sourceObject.objectID)' "
      + "with oldVersion = \(oldVersionNumber) and newVersion = \(version)"
  }

  /// Changes the object so that the save can be tried again.
  func settle(_ type: NSMergePolicyType) {
    let storeWins =
      type == .mergeByPropertyStoreTrumpMergePolicyType || type == .rollbackMergePolicyType
    guard let stored else { return storeWins ? acceptDeletion() : insertAgain() }
    if sourceObject.lifecycle == .deleted {
      if storeWins { keep(stored) } else { sourceObject.snapshot = stored }
      return
    }
    sourceObject.settle(type, stored)
  }

  private var context: NSManagedObjectContext? { sourceObject.registry?.context }

  private func acceptDeletion() {
    sourceObject.flags.insert(.goneFromStore)
    if sourceObject.lifecycle.isPresent { context?.markDeleted(sourceObject) }
  }

  private func insertAgain() {
    if sourceObject.lifecycle == .deleted {
      sourceObject.flags.insert(.goneFromStore)
    } else {
      context?.updated.remove(sourceObject)
      sourceObject.flags.remove(.updated)
      sourceObject.lifecycle = .inserted
      sourceObject.current = sourceObject.readableRow.copy()
      sourceObject.snapshot = nil
      context?.inserted.insert(sourceObject)
    }
  }

  private func keep(_ stored: Row) {
    context?.deleted.remove(sourceObject)
    sourceObject.lifecycle = .live
    sourceObject.current = stored
    sourceObject.snapshot = stored
  }
}

extension NSManagedObject {
  /// Three rows meet: mine, the one that was read, the one that the store has now.
  fileprivate func settle(_ type: NSMergePolicyType, _ stored: Row) {
    let mine = readableRow
    let base = snapshot ?? stored
    let merged = stored.copy()
    for slot in 0..<mine.count where keepsMine(slot, type, mine, base, stored) {
      merged[slot] = mine[slot]
    }
    snapshot = stored
    current = type == .rollbackMergePolicyType ? stored : merged
    if type == .rollbackMergePolicyType { for store in members { store?.rollback() } }
    awake(fromSnapshotEvents: .mergePolicy)
  }

  private func keepsMine(
    _ slot: Int, _ type: NSMergePolicyType, _ mine: Row, _ base: Row, _ stored: Row
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
