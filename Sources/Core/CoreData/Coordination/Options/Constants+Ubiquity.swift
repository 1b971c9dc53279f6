/// The names of Core Data's first synchronisation over iCloud, which Apple has removed from its
/// systems. They exist for sources that mention them and have no effect: a store added with such an
/// option is local, and the notifications are never posted.
///
/// Source: developer.apple.com/documentation/coredata/nspersistentstorecoordinator

/// Store option: the store's name in iCloud. No effect.
@available(*, deprecated, message: "Has no effect: there is no iCloud here")
public let NSPersistentStoreUbiquitousContentNameKey = "NSPersistentStoreUbiquitousContentNameKey"
/// Store option: the location of the transaction log. No effect.
@available(*, deprecated, message: "Has no effect: there is no iCloud here")
public let NSPersistentStoreUbiquitousContentURLKey = "NSPersistentStoreUbiquitousContentURLKey"
/// User info of a notification: the kind of transition. Never posted.
@available(*, deprecated, message: "Has no effect: there is no iCloud here")
public let NSPersistentStoreUbiquitousTransitionTypeKey =
  "NSPersistentStoreUbiquitousTransitionTypeKey"
/// Store option: a name for each user of one account. No effect.
@available(*, deprecated, message: "Has no effect: there is no iCloud here")
public let NSPersistentStoreUbiquitousPeerTokenOption =
  "NSPersistentStoreUbiquitousPeerTokenOption"
/// Migration option: remove iCloud's metadata. No effect.
@available(*, deprecated, message: "Has no effect: there is no iCloud here")
public let NSPersistentStoreRemoveUbiquitousMetadataOption =
  "NSPersistentStoreRemoveUbiquitousMetadataOption"
/// Store option: the identifier of the iCloud container. No effect.
@available(*, deprecated, message: "Has no effect: there is no iCloud here")
public let NSPersistentStoreUbiquitousContainerIdentifierKey =
  "NSPersistentStoreUbiquitousContainerIdentifierKey"
/// Store option: rebuild the store from iCloud. No effect.
@available(*, deprecated, message: "Has no effect: there is no iCloud here")
public let NSPersistentStoreRebuildFromUbiquitousContentOption =
  "NSPersistentStoreRebuildFromUbiquitousContentOption"

/// A transition of an iCloud account or of its content; raw values are Apple's.
@available(*, deprecated, message: "Is never told: there is no iCloud here")
public enum NSPersistentStoreUbiquitousTransitionType: UInt, Sendable {
  /// An account was added.
  case accountAdded = 1
  /// An account was removed.
  case accountRemoved
  /// The content of the account was removed.
  case contentRemoved
  /// The first import was completed.
  case initialImportCompleted
}

extension NSPersistentStoreCoordinator {
  /// Destroys the store at a URL. Apple's method also removes its iCloud content; there is none
  /// here.
  @available(*, deprecated, message: "There is no iCloud here: use destroyPersistentStore")
  public class func removeUbiquitousContentAndPersistentStore(
    at storeURL: URL, options: [AnyHashable: Any]? = nil
  ) throws {
    try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
      .destroyPersistentStore(at: storeURL, ofType: NSSQLiteStoreType, options: options)
  }
}
