/// A container whose stores CloudKit would mirror. CloudKit does not exist here: the container
/// behaves like Apple's in a program without the entitlement, and its stores stay on this machine.
///
/// Its descriptions turn history tracking on, as Apple's do. Loading a description with
/// `cloudKitContainerOptions` fails with an error that says so.
///
/// Source: developer.apple.com/documentation/coredata/nspersistentcloudkitcontainer
///
/// Sendable: adds no state to the superclass.
open class NSPersistentCloudKitContainer: NSPersistentContainer, @unchecked Sendable {
  /// The notification of set-ups, imports and exports. Never posted here.
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

/// The CloudKit database that a store would be mirrored to.
open class NSPersistentCloudKitContainerOptions: NSObject {
  /// The identifier of the CloudKit container.
  open private(set) var containerIdentifier: String
  /// The database of that container. Has no effect: no store with these options is loaded.
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
