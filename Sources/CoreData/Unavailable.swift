// Names of Apple's that cannot be had here: the compiler says what leads on.

extension NSManagedObject {
  @available(
    *, unavailable,
    message:
      "What observers keep is no concern of anybody's here: use observe(_:options:changeHandler:)"
  )
  public final var observationInfo: UnsafeMutableRawPointer? { nil }
}

extension NSPersistentStoreCoordinator {
  @available(
    *, unavailable,
    message:
      "Spotlight's records of objects are not made here: fetch the object by its URI, with managedObjectID(forURIRepresentation:)"
  )
  public class func elementsDerived(fromExternalRecordAt fileURL: URL) -> [AnyHashable: Any] { [:] }

  @available(
    *, unavailable,
    message:
      "It does not say of which type the store is: use metadataForPersistentStore(type:at:options:)"
  )
  public class func metadataForPersistentStore(with url: URL) throws -> [AnyHashable: Any] { [:] }
}

extension NSPredicate {
  @available(
    *, unavailable,
    message: "There is no Spotlight here: write the condition as a predicate, with init(format:)"
  )
  public convenience init?(fromMetadataQueryString queryString: String) { nil }
}

extension NSPersistentCloudKitContainerOptions {
  @available(*, unavailable, message: "There is no CloudKit here: stores stay on this machine")
  public final var databaseScope: Int { 0 }
}
