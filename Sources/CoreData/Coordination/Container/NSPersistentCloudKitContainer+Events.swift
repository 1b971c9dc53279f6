// What views of a synchronisation's state are written with. The container is as one whose account is signed out: none of
// this ever happens here.

extension NSPersistentCloudKitContainer {
  /// What an event does.
  public enum EventType: Int, Sendable {
    case setup = 0
    case `import` = 1
    case export = 2
  }

  /// A set-up, an import or an export of a store. There are none here.
  ///
  /// Source: developer.apple.com/documentation/coredata/nspersistentcloudkitcontainer/event
  public final class Event: NSObject, NSCopying, Sendable {
    public let identifier: UUID
    public let storeIdentifier: String
    public let type: EventType
    public let startDate: Date
    /// nil while it goes on.
    public let endDate: Date?
    public let succeeded: Bool
    public let error: (any Error)?

    init(
      identifier: UUID, storeIdentifier: String, type: EventType, startDate: Date, endDate: Date?,
      error: (any Error)?
    ) {
      self.identifier = identifier
      self.storeIdentifier = storeIdentifier
      self.type = type
      self.startDate = startDate
      self.endDate = endDate
      succeeded = endDate != nil && error == nil
      self.error = error
    }

    /// Itself: an event never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }
  }
}

/// Asks for the events of a store's past: there are none here.
///
/// Source: developer.apple.com/documentation/coredata/nspersistentcloudkitcontainereventrequest
open class NSPersistentCloudKitContainerEventRequest: NSPersistentStoreRequest {
  open var resultType = NSPersistentCloudKitContainerEventResult.ResultType.events

  public required override init() { super.init() }

  open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

  open class func fetchEvents(after date: Date) -> Self { Self() }

  open class func fetchEvents(after event: NSPersistentCloudKitContainer.Event?) -> Self { Self() }

  open class func fetchEvents(matchingFetch fetchRequest: NSFetchRequest<NSFetchRequestResult>)
    -> Self
  { Self() }

  /// A request to be given to ``fetchEvents(matchingFetch:)``.
  open class func fetchForEvents() -> NSFetchRequest<NSFetchRequestResult> {
    NSFetchRequest<NSFetchRequestResult>(entityName: "NSCKEvent")
  }
}

/// The events that a request has found: none, or their number, 0.
///
/// Source: developer.apple.com/documentation/coredata/nspersistentcloudkitcontainereventresult
public final class NSPersistentCloudKitContainerEventResult: NSPersistentStoreResult {
  public enum ResultType: Int, Sendable {
    /// `[NSPersistentCloudKitContainer.Event]`
    case events = 0
    /// `[Int]` of one number.
    case countEvents = 1
  }

  public let result: Any?
  public let resultType: ResultType

  init(_ type: ResultType) {
    resultType = type
    result = type == .events ? [NSPersistentCloudKitContainer.Event]() as Any : [0]
  }
}
