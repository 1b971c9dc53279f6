/// A container whose stores CloudKit would mirror. There is no CloudKit here: it is a container as
/// Apple's is in a program without the entitlement, whose stores are on this machine alone.
///
/// Its descriptions note history, as Apple's do. A description with `cloudKitContainerOptions` fails to load
/// with an error that says so.
///
/// Source: developer.apple.com/documentation/coredata/nspersistentcloudkitcontainer
open class NSPersistentCloudKitContainer: NSPersistentContainer, @unchecked Sendable {
  /// Announces set-ups, imports and exports: never posted here.
  public class var eventChangedNotification: NSNotification.Name {
    NSNotification.Name("NSPersistentCloudKitContainerEventChangedNotification")
  }

  /// The key of the event in that notification.
  public class var eventNotificationUserInfoKey: String {
    "NSPersistentCloudKitContainerEventUserInfoKey"
  }

  public override init(name: String, managedObjectModel model: NSManagedObjectModel) {
    super.init(name: name, managedObjectModel: model)
    for description in persistentStoreDescriptions {
      description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
    }
  }

  /// Throws: there is no CloudKit whose schema could be made.
  open func initializeCloudKitSchema(
    options: NSPersistentCloudKitContainerSchemaInitializationOptions = []
  ) throws {
    throw CoreDataError.unsupported("CloudKit (initializeCloudKitSchema)")
  }

  /// Whether nothing but the store itself stands in the way of a change: true for every object.
  open func canUpdateRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool { true }

  /// Whether nothing but the store itself stands in the way of a deletion: true for every object.
  open func canDeleteRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool { true }

  /// Whether objects of a store may be changed: true unless it is only read.
  open func canModifyManagedObjects(in store: NSPersistentStore) -> Bool { !store.isReadOnly }
}

/// The CloudKit database that a store is mirrored to.
open class NSPersistentCloudKitContainerOptions: NSObject {
  /// The identifier of the CloudKit container.
  public let containerIdentifier: String

  public init(containerIdentifier: String) {
    self.containerIdentifier = containerIdentifier
    super.init()
  }
}

/// How a CloudKit schema is made.
public struct NSPersistentCloudKitContainerSchemaInitializationOptions: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Check the model, and upload nothing.
  public static let dryRun = Self(rawValue: 2)
  /// Print the records.
  public static let printSchema = Self(rawValue: 4)
}
