// Names of Apple's that this platform cannot offer. The compiler's message names the alternative.

extension NSManagedObject {
  /// The observers of an object. Unavailable: observers are kept internally.
  @available(
    *, unavailable,
    message:
      "What observers keep is no concern of anybody's here: use observe(_:options:changeHandler:)"
  )
  public final var observationInfo: UnsafeMutableRawPointer? { nil }

  /// Tells that a property is about to change. Unavailable: Combine is not here by itself.
  @available(
    *, unavailable,
    message: "There is no Combine here: use changes(of:) of the context, or the product CombineShim"
  )
  public final var objectWillChange: Any { self }
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

  /// Makes a store of Spotlight's records. Unavailable: the records are not written here.
  @available(
    *, unavailable,
    message:
      "Spotlight's records of objects are not made here: replacePersistentStore(at:withPersistentStoreFrom:type:) leads a backup back"
  )
  public final func importStore(
    withIdentifier storeIdentifier: String?, fromExternalRecordsDirectoryAt externalRecordsURL: URL,
    to destinationURL: URL, options: [AnyHashable: Any]? = nil, ofType storeType: String
  ) throws -> NSPersistentStore { try addPersistentStore(type: .sqlite, at: destinationURL) }

  /// The ID of an object by the bytes of its URI. Unavailable: texts are Swift's here.
  @available(*, unavailable, renamed: "managedObjectID(for:)")
  public final func __managedObjectID(
    fromUTF8String utf8string: UnsafePointer<CChar>, length: Int
  ) -> NSManagedObjectID? { nil }
}

extension NSPredicate {
  /// A predicate made of a Spotlight query. Unavailable: there is no Spotlight here.
  @available(
    *, unavailable,
    message: "There is no Spotlight here: write the condition as a predicate, with init(format:)"
  )
  public convenience init?(fromMetadataQueryString queryString: String) { nil }
}

extension UndoManager {
  /// Registers a message for the undo. Unavailable: there are no selectors to perform.
  @available(
    *, unavailable,
    message: "There are no selectors to perform here: use registerUndo(withTarget:handler:)"
  )
  @_disfavoredOverload
  public final func registerUndo(
    withTarget target: Any, selector: Selector, object anObject: Any?
  ) {}

  /// An object that records a message for the undo. Unavailable: there are no invocations.
  @available(
    *, unavailable,
    message: "There are no invocations to record here: use registerUndo(withTarget:handler:)"
  )
  public final func prepare(withInvocationTarget target: Any) -> Any { target }
}

extension NSComparisonPredicate {
  /// A comparison by a method. Unavailable: there are no selectors to perform.
  @available(
    *, unavailable,
    message: "There are no selectors to perform here: use a predicate with a block"
  )
  public convenience init(
    leftExpression: NSExpression, rightExpression: NSExpression, customSelector: Selector
  ) {
    self.init(
      leftExpression: leftExpression, rightExpression: rightExpression, modifier: .direct,
      type: .customSelector)
  }

  /// The method that compares. Unavailable: there are no selectors to perform.
  @available(
    *, unavailable,
    message: "There are no selectors to perform here: use a predicate with a block"
  )
  public final var customSelector: Selector? { nil }
}

extension NSPredicate {
  /// Allows a decoded predicate that a validator accepts. Unavailable: nobody asks a validator.
  @available(
    *, unavailable,
    message: "Nobody asks a validator here: look at the predicate, then call allowEvaluation()"
  )
  public final func allowEvaluation(validator: Any) throws {}
}

/// Judges decoded predicates. Unavailable: nobody asks a validator.
@available(
  *, unavailable,
  message: "Nobody asks a validator here: look at the predicate, then call allowEvaluation()"
)
public protocol NSPredicateValidating {}

extension NSFetchRequest {
  /// Decodes a request. Unavailable: requests are not archived.
  @available(
    *, unavailable,
    message: "Requests are not archived here: archive the predicate and the sort descriptors"
  )
  public convenience init?(coder: NSCoder) { nil }
}

extension NSManagedObjectContext {
  /// Decodes a context. Unavailable: contexts are not archived.
  @available(
    *, unavailable,
    message: "Contexts are not archived here: make one, and set its persistentStoreCoordinator"
  )
  public convenience init?(coder: NSCoder) { nil }
}
