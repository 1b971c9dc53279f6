// The types with which programs show the state of a mirrored store. There are no events of a store
// that is not mirrored, as in a program whose account is signed out.

extension NSPersistentCloudKitContainer {
  /// The kinds of events.
  public enum EventType: Int, Sendable {
    /// The set-up of a store's mirroring, which happens once.
    case setup = 0
    /// An import: what others have changed comes into the store.
    case `import` = 1
    /// An export: what was changed in the store is sent.
    case export = 2
  }

  /// A set-up, an import or an export of a mirrored store, as far as it has come.
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

extension NSPersistentCloudKitContainer.Event: KeyValueCodable {
  /// The value of a property, for predicates and sort descriptors.
  public func value(forKey key: String) -> Any? {
    switch key {
    case "identifier": identifier
    case "storeIdentifier": storeIdentifier
    case "type": type.rawValue
    case "startDate": startDate
    case "endDate": endDate
    case "succeeded": succeeded
    case "error": error
    default: value(forUndefinedKey: key)
    }
  }

  /// Traps: an event is immutable.
  public func setValue(_ value: Any?, forKey key: String) {
    setValue(value, forUndefinedKey: key)
  }
}
