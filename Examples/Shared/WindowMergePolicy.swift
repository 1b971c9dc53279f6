import CoreData

/// Two windows may change one object at a time: the one that saves last has its say. But what another
/// one has deleted stays deleted, even if this one has changed it meanwhile.
final class WindowMergePolicy: NSMergePolicy, @unchecked Sendable {
  init() { super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType) }

  override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    let isGone = { (conflict: NSMergeConflict) in conflict.newVersionNumber == 0 }
    try NSMergePolicy.rollback.resolve(optimisticLockingConflicts: list.filter(isGone))
    try super.resolve(optimisticLockingConflicts: list.filter { !isGone($0) })
  }
}
