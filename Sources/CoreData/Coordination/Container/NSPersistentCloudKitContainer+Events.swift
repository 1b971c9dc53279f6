// The types with which programs show the state of CloudKit's mirroring. The container behaves like
// one whose account is signed out: no event ever happens.

extension NSPersistentCloudKitContainer {
  /// The kinds of events.
  public enum EventType: Int, Sendable {
    /// The set-up of a store's mirroring.
    case setup = 0
    /// An import from CloudKit.
    case `import` = 1
    /// An export to CloudKit.
    case export = 2
  }

  /// A set-up, an import or an export of a store. No event is ever made here.
  ///
  /// Source: developer.apple.com/documentation/coredata/nspersistentcloudkitcontainer/event
  public final class Event: NSObject, NSCopying, Sendable {
    /// The event's own identifier.
    public let identifier: UUID
    /// The UUID of the store.
    public let storeIdentifier: String
    /// The kind of the event.
    public let type: EventType
    /// The time of the event's start.
    public let startDate: Date
    /// The time of the event's end; nil until then.
    public let endDate: Date?
    /// Whether the event has ended without an error.
    public let succeeded: Bool
    /// The error of a failed event; nil otherwise.
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

    /// The event itself, which is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }
  }
}

/// A request for the past events of a store. There are none here.
///
/// Source: developer.apple.com/documentation/coredata/nspersistentcloudkitcontainereventrequest
open class NSPersistentCloudKitContainerEventRequest: NSPersistentStoreRequest {
  /// The form of the result; the events by default.
  open var resultType = NSPersistentCloudKitContainerEventResult.ResultType.events

  /// Makes a request for all events.
  public required override init() { super.init() }

  open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

  /// A request for the events after a date.
  open class func fetchEvents(after date: Date) -> Self { Self() }

  /// A request for the events after another event; nil for all.
  open class func fetchEvents(after event: NSPersistentCloudKitContainer.Event?) -> Self { Self() }

  /// A request for the events that a fetch request matches; see ``fetchForEvents()``.
  open class func fetchEvents(matchingFetch fetchRequest: NSFetchRequest<NSFetchRequestResult>)
    -> Self
  { Self() }

  /// A fetch request for events, to be passed to ``fetchEvents(matchingFetch:)``.
  open class func fetchForEvents() -> NSFetchRequest<NSFetchRequestResult> {
    NSFetchRequest<NSFetchRequestResult>(entityName: "NSCKEvent")
  }
}

/// The result of a request for events: an empty array, or the count 0.
///
/// Source: developer.apple.com/documentation/coredata/nspersistentcloudkitcontainereventresult
public final class NSPersistentCloudKitContainerEventResult: NSPersistentStoreResult {
  /// The forms of the result.
  public enum ResultType: Int, Sendable {
    /// `[NSPersistentCloudKitContainer.Event]`
    case events = 0
    /// `[Int]` with one element, the count.
    case countEvents = 1
  }

  /// The result, in the form that ``resultType`` names.
  public let result: Any?
  /// The form of ``result``.
  public let resultType: ResultType

  init(_ type: ResultType) {
    resultType = type
    result = type == .events ? [NSPersistentCloudKitContainer.Event]() as Any : [0]
  }
}
