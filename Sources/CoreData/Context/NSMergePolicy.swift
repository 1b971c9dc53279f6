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
  /// Override it to decide yourself; call `super` for what is left. The default acts by
  /// ``mergeType``.
  open func resolve(mergeConflicts list: [Any]) throws {
    try resolve(optimisticLockingConflicts: list.compactMap { $0 as? NSMergeConflict })
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
    for conflict in list { conflict.settle(mergeType) }
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
