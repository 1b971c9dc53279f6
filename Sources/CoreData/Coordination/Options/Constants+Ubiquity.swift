/// The names of Core Data's first synchronisation over iCloud, which Apple has taken out of its systems: they
/// exist for sources that mention them, and have no effect. A store that is added with such an option is a
/// local one, and none of the notifications is ever posted.
///
/// Source: developer.apple.com/documentation/coredata/nspersistentstorecoordinator

/// An option of a store: its name in iCloud. No effect.
@available(*, deprecated, message: "Has no effect: there is no iCloud here")
public let NSPersistentStoreUbiquitousContentNameKey = "NSPersistentStoreUbiquitousContentNameKey"
/// An option of a store: where its log of transactions is. No effect.
@available(*, deprecated, message: "Has no effect: there is no iCloud here")
public let NSPersistentStoreUbiquitousContentURLKey = "NSPersistentStoreUbiquitousContentURLKey"
/// In a notification: what happened. Never posted.
@available(*, deprecated, message: "Has no effect: there is no iCloud here")
public let NSPersistentStoreUbiquitousTransitionTypeKey =
  "NSPersistentStoreUbiquitousTransitionTypeKey"
/// An option of a store: a name for each user of the same account. No effect.
@available(*, deprecated, message: "Has no effect: there is no iCloud here")
public let NSPersistentStoreUbiquitousPeerTokenOption =
  "NSPersistentStoreUbiquitousPeerTokenOption"
/// An option of a migration: to leave out what belongs to iCloud. No effect.
@available(*, deprecated, message: "Has no effect: there is no iCloud here")
public let NSPersistentStoreRemoveUbiquitousMetadataOption =
  "NSPersistentStoreRemoveUbiquitousMetadataOption"
/// An option of a store: which container it is in. No effect.
@available(*, deprecated, message: "Has no effect: there is no iCloud here")
public let NSPersistentStoreUbiquitousContainerIdentifierKey =
  "NSPersistentStoreUbiquitousContainerIdentifierKey"
/// An option of a store: to be made anew from iCloud. No effect.
@available(*, deprecated, message: "Has no effect: there is no iCloud here")
public let NSPersistentStoreRebuildFromUbiquitousContentOption =
  "NSPersistentStoreRebuildFromUbiquitousContentOption"

/// What happened to an account of iCloud or to what is in it; raw values are Apple's.
@available(*, deprecated, message: "Is never told: there is no iCloud here")
public enum NSPersistentStoreUbiquitousTransitionType: UInt, Sendable {
  /// An account was added.
  case accountAdded = 1
  /// An account was removed.
  case accountRemoved
  /// What was in the account was removed.
  case contentRemoved
  /// The first import is complete.
  case initialImportCompleted
}

extension NSPersistentStoreCoordinator {
  /// Removes a store; of what Apple's would remove from iCloud as well, there is nothing here.
  @available(*, deprecated, message: "There is no iCloud here: use destroyPersistentStore")
  public class func removeUbiquitousContentAndPersistentStore(
    at storeURL: URL, options: [AnyHashable: Any]? = nil
  ) throws {
    try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
      .destroyPersistentStore(at: storeURL, ofType: NSSQLiteStoreType, options: options)
  }
}
