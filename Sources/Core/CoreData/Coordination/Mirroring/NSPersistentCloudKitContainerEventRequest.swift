/// A request for the events of a container's mirrored stores, the last thousand since the stores
/// were opened. Of a container whose stores are not mirrored there are none.
///
/// Source: developer.apple.com/documentation/coredata/nspersistentcloudkitcontainereventrequest
open class NSPersistentCloudKitContainerEventRequest: NSPersistentStoreRequest {
  private enum Wanted {
    case all
    case afterDate(Date)
    case afterEvent(NSPersistentCloudKitContainer.Event)
    case matching(NSFetchRequest<NSFetchRequestResult>)
  }

  /// The form of the result; the events by default.
  open var resultType = NSPersistentCloudKitContainerEventResult.ResultType.events
  private var wanted = Wanted.all

  /// Makes a request for all events.
  public required override init() { super.init() }

  private class func make(_ wanted: Wanted) -> Self {
    let request = Self()
    request.wanted = wanted
    return request
  }

  open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

  /// A request for the events that began after a date.
  open class func fetchEvents(after date: Date) -> Self { make(.afterDate(date)) }

  /// A request for the events after another event; nil for all.
  open class func fetchEvents(after event: NSPersistentCloudKitContainer.Event?) -> Self {
    make(event.map { Wanted.afterEvent($0) } ?? .all)
  }

  /// A request for the events that a fetch request matches, in its order, with its limit; see
  /// ``fetchForEvents()``.
  open class func fetchEvents(matchingFetch fetchRequest: NSFetchRequest<NSFetchRequestResult>)
    -> Self
  { make(.matching(fetchRequest)) }

  /// A fetch request for events, to be passed to ``fetchEvents(matchingFetch:)``. Its predicate and
  /// its sort descriptors name properties of an event.
  open class func fetchForEvents() -> NSFetchRequest<NSFetchRequestResult> {
    NSFetchRequest<NSFetchRequestResult>(entityName: "NSCKEvent")
  }

  final func result(of mirrors: StoreMirrors?) -> NSPersistentCloudKitContainerEventResult {
    var events = mirrors?.events ?? []
    if let affectedStores {
      let identifiers = Set(affectedStores.map(\.identifier))
      events.removeAll { !identifiers.contains($0.storeIdentifier) }
    }
    switch wanted {
    case .all: break
    case .afterDate(let date): events.removeAll { $0.startDate <= date }
    case .afterEvent(let event):
      if let index = events.firstIndex(where: { $0.identifier == event.identifier }) {
        events.removeFirst(index + 1)
      } else {
        events.removeAll { $0.startDate <= event.startDate }
      }
    case .matching(let request): events = Self.events(events, matching: request)
    }
    return NSPersistentCloudKitContainerEventResult(events, type: resultType)
  }

  private static func events(
    _ events: [NSPersistentCloudKitContainer.Event],
    matching request: NSFetchRequest<NSFetchRequestResult>
  ) -> [NSPersistentCloudKitContainer.Event] {
    var events = events.filter { request.predicate?.evaluate(with: $0) ?? true }
    let order = request.sortDescriptors ?? []
    if !order.isEmpty {
      events.sort { first, second in
        let results = order.lazy.map { $0.compare(first, to: second) }
        return results.first { $0 != .orderedSame } == .orderedAscending
      }
    }
    let rest = events.dropFirst(request.fetchOffset)
    return Array(request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest)
  }
}

/// The result of a request for events.
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

  init(_ events: [NSPersistentCloudKitContainer.Event], type: ResultType) {
    resultType = type
    result = type == .events ? events as Any : [events.count]
  }
}
