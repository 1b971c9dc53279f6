/// How a save settles conflicts between a context's changes and what the store has by now.
///
/// Source: developer.apple.com/documentation/coredata/nsmergepolicy
///
/// Sendable: it has no state but its type.
open class NSMergePolicy: NSObject, @unchecked Sendable {
  public final let mergeType: NSMergePolicyType

  public init(merge type: NSMergePolicyType) {
    mergeType = type
    super.init()
  }

  /// A conflict is an error (133020).
  public static let error = NSMergePolicy(merge: .errorMergePolicyType)
  /// Property by property; where both sides changed it, the context's wins.
  public static let mergeByPropertyObjectTrump = NSMergePolicy(
    merge: .mergeByPropertyObjectTrumpMergePolicyType)
  /// Property by property; where both sides changed it, the store's wins.
  public static let mergeByPropertyStoreTrump = NSMergePolicy(
    merge: .mergeByPropertyStoreTrumpMergePolicyType)
  /// The context's whole object is written.
  public static let overwrite = NSMergePolicy(merge: .overwriteMergePolicyType)
  /// The context's changes to the object are dropped.
  public static let rollback = NSMergePolicy(merge: .rollbackMergePolicyType)

  /// Settles conflicts by changing the objects, or throws.
  ///
  /// A save calls it with conflicts of row versions first, then with those of constraints. Override this
  /// or the two below to decide yourself; call `super` for what is left. The default acts by
  /// ``mergeType``.
  open func resolve(mergeConflicts list: [Any]) throws {
    let locking = list.compactMap { $0 as? NSMergeConflict }
    if !locking.isEmpty { try resolve(optimisticLockingConflicts: locking) }
    let constraints = list.compactMap { $0 as? NSConstraintConflict }
    if !constraints.isEmpty { try resolve(constraintConflicts: constraints) }
  }

  /// Settles conflicts of row versions.
  ///
  /// - Throws: 133020 with the conflicts under `NSPersistentStoreSaveConflictsErrorKey` when the
  ///   policy is ``error``.
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

  /// Settles conflicts of uniqueness constraints. The object whose row is in the store keeps its identity;
  /// a new one with the same values is merged into it and goes, and what led to the new one leads to the
  /// stored one. Of several new ones the first stays, and the others are merged into it, as if each had been saved by
  /// itself: what the last has goes before what the first has wherever new values go before stored ones.
  ///
  /// | | attributes | to-one | to-many |
  /// |---|---|---|---|
  /// | ``mergeByPropertyObjectTrump`` | the new object's, nil too | the new object's, where it has one | both |
  /// | ``overwrite`` | the new object's, nil too | the new object's, nil too | both |
  /// | ``mergeByPropertyStoreTrump`` | the stored one's; the new object's where that is nil | the same | both |
  /// | ``rollback`` | the stored one's | the stored one's | both |
  ///
  /// - Throws: 133021 with the conflicts under `NSPersistentStoreSaveConflictsErrorKey` when the
  ///   policy is ``error``.
  open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    guard mergeType != .errorMergePolicyType else {
      throw CoreDataError.make(
        .managedObjectConstraintMerge,
        reason: "\(list.count) groups of objects have values that must be unique. Change them, or "
          + "set another mergePolicy.",
        userInfo: [NSPersistentStoreSaveConflictsErrorKey: list])
    }
    var merges = ConstraintMerges(mergeType)
    for conflict in list { conflict.settle(mergeType, &merges) }
    merges.finish()
  }
}

public enum NSMergePolicyType: UInt, Sendable {
  case errorMergePolicyType = 0
  case mergeByPropertyStoreTrumpMergePolicyType = 1
  case mergeByPropertyObjectTrumpMergePolicyType = 2
  case overwriteMergePolicyType = 3
  case rollbackMergePolicyType = 4
}

public let NSErrorMergePolicy: AnyObject & Sendable = NSMergePolicy.error
public let NSMergeByPropertyStoreTrumpMergePolicy: AnyObject & Sendable =
  NSMergePolicy.mergeByPropertyStoreTrump
public let NSMergeByPropertyObjectTrumpMergePolicy: AnyObject & Sendable =
  NSMergePolicy.mergeByPropertyObjectTrump
public let NSOverwriteMergePolicy: AnyObject & Sendable = NSMergePolicy.overwrite
public let NSRollbackMergePolicy: AnyObject & Sendable = NSMergePolicy.rollback
