/// The policy by which a save resolves conflicts between a context's changes and the store.
///
/// Source: developer.apple.com/documentation/coredata/nsmergepolicy
///
/// Not Sendable, as on Apple's platforms, so that subclasses need not say that they are. Contexts
/// may share a policy that has no state, such as those of this class.
open class NSMergePolicy: NSObject {
  /// The rule by which the default implementation resolves conflicts.
  open private(set) var mergeType: NSMergePolicyType

  /// Makes a policy of this type.
  public init(merge type: NSMergePolicyType) {
    mergeType = type
    super.init()
  }

  // Nonisolated, here and below: the only state of these policies is their type, which is constant.

  /// Any conflict is an error, 133020 or 133021.
  public nonisolated(unsafe) static let error = NSMergePolicy(merge: .errorMergePolicyType)
  /// Merges by property; where both sides have changed a property, the context's value prevails.
  public nonisolated(unsafe) static let mergeByPropertyObjectTrump = NSMergePolicy(
    merge: .mergeByPropertyObjectTrumpMergePolicyType)
  /// Merges by property; where both sides have changed a property, the store's value prevails.
  public nonisolated(unsafe) static let mergeByPropertyStoreTrump = NSMergePolicy(
    merge: .mergeByPropertyStoreTrumpMergePolicyType)
  /// Writes the context's whole object.
  public nonisolated(unsafe) static let overwrite = NSMergePolicy(merge: .overwriteMergePolicyType)
  /// Discards the context's changes of the object.
  public nonisolated(unsafe) static let rollback = NSMergePolicy(merge: .rollbackMergePolicyType)

  /// Resolves conflicts by changing the objects, or throws.
  ///
  /// A save calls it with version conflicts first, then with constraint conflicts. Override this
  /// method or the two below to resolve conflicts in another way, and call `super` for the rest.
  /// The default follows ``mergeType``.
  open func resolve(mergeConflicts list: [Any]) throws {
    let locking = list.compactMap { $0 as? NSMergeConflict }
    if !locking.isEmpty { try resolve(optimisticLockingConflicts: locking) }
    let constraints = list.compactMap { $0 as? NSConstraintConflict }
    if !constraints.isEmpty { try resolve(constraintConflicts: constraints) }
  }

  /// Resolves version conflicts.
  ///
  /// - Throws: error 133020, with the conflicts under `NSPersistentStoreSaveConflictsErrorKey`, if
  ///   the policy is ``error``.
  open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    guard mergeType != .errorMergePolicyType else {
      throw CoreDataError.make(
        .managedObjectMerge,
        reason:
          "\(list.count) objects have changed in the store since they were read. Refresh them, "
          + "or set another mergePolicy.",
        userInfo: [NSPersistentStoreSaveConflictsErrorKey: list])
    }
    for conflict in list { try conflict.settle(mergeType) }
  }

  /// Resolves conflicts of uniqueness constraints. The stored object keeps its identity. A new
  /// object with the same values is merged into it and deleted; references to the new object lead
  /// to the stored one. Of several new objects the first is kept and the others are merged into it
  /// in order, as if each had been saved by itself: the last one's values prevail over the first
  /// one's under every policy by which new values prevail over stored ones.
  ///
  /// | policy | attributes | to-one | to-many |
  /// |---|---|---|---|
  /// | ``mergeByPropertyObjectTrump`` | the new one's, even nil | the new one's unless nil | both |
  /// | ``overwrite`` | the new one's, even nil | the new one's, even nil | both |
  /// | ``mergeByPropertyStoreTrump`` | the stored one's unless nil | the same | both |
  /// | ``rollback`` | the stored one's | the stored one's | both |
  ///
  /// - Throws: error 133021, with the conflicts under `NSPersistentStoreSaveConflictsErrorKey`, if
  ///   the policy is ``error``.
  open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    guard mergeType != .errorMergePolicyType else {
      throw CoreDataError.make(
        .managedObjectConstraintMerge,
        reason: "\(list.count) groups of objects have values that must be unique. Change them, or "
          + "set another mergePolicy.",
        userInfo: [NSPersistentStoreSaveConflictsErrorKey: list])
    }
    var merges = ConstraintMerges(mergeType)
    for conflict in list { conflict.settle(mergeType, merges: &merges) }
    merges.finish()
  }
}

/// The rules by which merge policies resolve conflicts.
public enum NSMergePolicyType: UInt, Sendable {
  /// A conflict is an error; see ``NSMergePolicy/error``.
  case errorMergePolicyType = 0
  /// The store's value prevails; see ``NSMergePolicy/mergeByPropertyStoreTrump``.
  case mergeByPropertyStoreTrumpMergePolicyType = 1
  /// The context's value prevails; see ``NSMergePolicy/mergeByPropertyObjectTrump``.
  case mergeByPropertyObjectTrumpMergePolicyType = 2
  /// The context's object is written; see ``NSMergePolicy/overwrite``.
  case overwriteMergePolicyType = 3
  /// The context's changes are discarded; see ``NSMergePolicy/rollback``.
  case rollbackMergePolicyType = 4
}

/// The policy ``NSMergePolicy/error``.
public nonisolated(unsafe) let NSErrorMergePolicy: AnyObject = NSMergePolicy.error
/// The policy ``NSMergePolicy/mergeByPropertyStoreTrump``.
public nonisolated(unsafe) let NSMergeByPropertyStoreTrumpMergePolicy: AnyObject =
  NSMergePolicy.mergeByPropertyStoreTrump
/// The policy ``NSMergePolicy/mergeByPropertyObjectTrump``.
public nonisolated(unsafe) let NSMergeByPropertyObjectTrumpMergePolicy: AnyObject =
  NSMergePolicy.mergeByPropertyObjectTrump
/// The policy ``NSMergePolicy/overwrite``.
public nonisolated(unsafe) let NSOverwriteMergePolicy: AnyObject = NSMergePolicy.overwrite
/// The policy ``NSMergePolicy/rollback``.
public nonisolated(unsafe) let NSRollbackMergePolicy: AnyObject = NSMergePolicy.rollback
