/// A container whose stores are mirrored through a sync server, with options of CoreDataSync, for
/// as long as the container lives.
///
/// CloudKit does not exist here: without such options the container behaves like Apple's in a
/// program without the entitlement, and its stores stay on this machine.
///
/// Its descriptions turn history tracking on, as Apple's do. Loading a description with
/// `cloudKitContainerOptions` of CloudKit fails with an error that says so.
///
/// Source: developer.apple.com/documentation/coredata/nspersistentcloudkitcontainer
///
/// Sendable: what it adds to the superclass is constant.
open class NSPersistentCloudKitContainer: NSPersistentContainer, @unchecked Sendable {
  /// What keeps its stores equal to others.
  package final let mirrors = StoreMirrors()

  /// The notification of a set-up, an import or an export of a mirrored store, which has begun or
  /// ended. Posted on any thread; the object is the container.
  public class var eventChangedNotification: NSNotification.Name {
    NSNotification.Name("NSPersistentCloudKitContainerEventChangedNotification")
  }

  /// The user info key of the event in that notification.
  public class var eventNotificationUserInfoKey: String {
    "NSPersistentCloudKitContainerEventUserInfoKey"
  }

  /// Makes a container for a model, with one description that tracks history.
  public override init(name: String, managedObjectModel model: NSManagedObjectModel) {
    super.init(name: name, managedObjectModel: model)
    mirrors.note(self)
    persistentStoreCoordinator.mirrors = mirrors
    for description in persistentStoreDescriptions {
      description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
    }
  }

  /// Throws an error: there is no CloudKit to make a schema in.
  open func initializeCloudKitSchema(
    options: NSPersistentCloudKitContainerSchemaInitializationOptions = []
  ) throws {
    throw CoreDataError.unsupported("CloudKit (initializeCloudKitSchema)")
  }

  /// True for every object: the account never forbids a change here.
  open func canUpdateRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool { true }

  /// True for every object: the account never forbids a deletion here.
  open func canDeleteRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool { true }

  /// True if objects of the store may be changed: unless the store is read-only.
  open func canModifyManagedObjects(in store: NSPersistentStore) -> Bool { !store.isReadOnly }
}

/// Where a store is mirrored to. CoreDataSync makes options for a sync server.
open class NSPersistentCloudKitContainerOptions: NSObject {
  /// The identifier of the CloudKit container, or the name of a sync server's zone.
  open private(set) var containerIdentifier: String
  /// How the store is mirrored; nil for CloudKit, which does not exist here.
  package final let mirroring: StoreMirroring?
  /// The database of that container. Has no effect: there is no CloudKit here.
  open var databaseScope = DatabaseScope.private

  /// The databases of a CloudKit container: the values of `CKDatabase.Scope`, which does not exist
  /// here.
  public enum DatabaseScope: Int, Sendable {
    /// Of everybody.
    case `public` = 1
    /// Of one account.
    case `private` = 2
    /// Of what other accounts share with this one.
    case shared = 3
  }

  /// Makes options for the CloudKit container with this identifier.
  public init(containerIdentifier: String) {
    self.containerIdentifier = containerIdentifier
    mirroring = nil
    super.init()
  }

  /// Makes options for another way of mirroring.
  package init(containerIdentifier: String, mirroring: StoreMirroring) {
    self.containerIdentifier = containerIdentifier
    self.mirroring = mirroring
    super.init()
  }
}

/// Options for making a CloudKit schema.
public struct NSPersistentCloudKitContainerSchemaInitializationOptions: OptionSet, Sendable {
  /// The raw value, Apple's.
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Check the model without uploading anything.
  public static let dryRun = Self(rawValue: 2)
  /// Print the CloudKit records.
  public static let printSchema = Self(rawValue: 4)
}
