// Names of Apple's that this platform cannot offer. The compiler's message names the alternative.

extension NSManagedObject {
  /// The observers of an object. Unavailable: observers are kept internally.
  @available(
    *, unavailable,
    message:
      "What observers keep is no concern of anybody's here: use observe(_:options:changeHandler:)"
  )
  public final var observationInfo: UnsafeMutableRawPointer? { nil }
}

extension NSPersistentStoreCoordinator {
  /// The results that Spotlight's records stand for. Unavailable: the records are not written here.
  @available(
    *, unavailable,
    message:
      "Spotlight's records of objects are not made here: fetch the object by its URI, with managedObjectID(forURIRepresentation:)"
  )
  public class func elementsDerived(fromExternalRecordAt fileURL: URL) -> [AnyHashable: Any] { [:] }

  /// The metadata of a store of unknown type. Unavailable: the type must be named.
  @available(
    *, unavailable,
    message:
      "It does not say of which type the store is: use metadataForPersistentStore(type:at:options:)"
  )
  public class func metadataForPersistentStore(with url: URL) throws -> [AnyHashable: Any] { [:] }
}

extension NSPredicate {
  /// A predicate made of a Spotlight query. Unavailable: there is no Spotlight here.
  @available(
    *, unavailable,
    message: "There is no Spotlight here: write the condition as a predicate, with init(format:)"
  )
  public convenience init?(fromMetadataQueryString queryString: String) { nil }
}

extension NSPersistentCloudKitContainerOptions {
  /// The scope of the CloudKit database. Unavailable: there is no CloudKit here.
  @available(*, unavailable, message: "There is no CloudKit here: stores stay on this machine")
  public final var databaseScope: Int { 0 }
}
