// What of CloudKit's mirroring this platform cannot offer. The types of records and shares do not
// exist; `Any` stands for them.

extension NSPersistentCloudKitContainer {
  /// The record that an object is mirrored to. Unavailable: there is no CloudKit here.
  @available(*, unavailable, message: "There is no CloudKit here: stores stay on this machine")
  public final func record(for managedObjectID: NSManagedObjectID) -> Any? { nil }

  /// The ID of an object's record. Unavailable: there is no CloudKit here.
  @available(*, unavailable, message: "There is no CloudKit here: stores stay on this machine")
  public final func recordID(for managedObjectID: NSManagedObjectID) -> Any? { nil }

  /// The records of several objects. Unavailable: there is no CloudKit here.
  @available(*, unavailable, message: "There is no CloudKit here: stores stay on this machine")
  public final func records(
    for managedObjectIDs: [NSManagedObjectID]
  ) -> [NSManagedObjectID: Any] { [:] }

  /// The IDs of several objects' records. Unavailable: there is no CloudKit here.
  @available(*, unavailable, message: "There is no CloudKit here: stores stay on this machine")
  public final func recordIDs(
    for managedObjectIDs: [NSManagedObjectID]
  ) -> [NSManagedObjectID: Any] { [:] }

  /// The shares that objects belong to. Unavailable: there is no CloudKit here.
  @available(*, unavailable, message: "There is no CloudKit here: stores stay on this machine")
  public final func fetchShares(
    matching objectIDs: [NSManagedObjectID]
  ) throws -> [NSManagedObjectID: Any] { [:] }

  /// The shares of a store. Unavailable: there is no CloudKit here.
  @available(*, unavailable, message: "There is no CloudKit here: stores stay on this machine")
  public final func fetchShares(in persistentStore: NSPersistentStore?) throws -> [Any] { [] }

  /// Shares objects with other accounts. Unavailable: there is no CloudKit here.
  @available(*, unavailable, message: "There is no CloudKit here: stores stay on this machine")
  public final func share(
    _ managedObjects: [NSManagedObject], to share: Any?,
    completion: (Set<NSManagedObjectID>?, Any?, Any?, (any Error)?) -> Void = { _, _, _, _ in }
  ) {}

  /// Takes what other accounts share. Unavailable: there is no CloudKit here.
  @available(*, unavailable, message: "There is no CloudKit here: stores stay on this machine")
  public final func acceptShareInvitations(
    from metadata: [Any], into persistentStore: NSPersistentStore,
    completion: ([Any]?, (any Error)?) -> Void = { _, _ in }
  ) {}

  /// The accounts that a share can be offered to. Unavailable: there is no CloudKit here.
  @available(*, unavailable, message: "There is no CloudKit here: stores stay on this machine")
  public final func fetchParticipants(
    matching lookupInfos: [Any], into persistentStore: NSPersistentStore,
    completion: ([Any]?, (any Error)?) -> Void = { _, _ in }
  ) {}

  /// Stores what was changed of a share. Unavailable: there is no CloudKit here.
  @available(*, unavailable, message: "There is no CloudKit here: stores stay on this machine")
  public final func persistUpdatedShare(
    _ share: Any, in persistentStore: NSPersistentStore,
    completion: (Any?, (any Error)?) -> Void = { _, _ in }
  ) {}

  /// Removes a zone with its objects. Unavailable: there is no CloudKit here.
  @available(*, unavailable, message: "There is no CloudKit here: stores stay on this machine")
  public final func purgeObjectsAndRecordsInZone(
    with zoneID: Any, in persistentStore: NSPersistentStore?,
    completion: (Any?, (any Error)?) -> Void = { _, _ in }
  ) {}
}
