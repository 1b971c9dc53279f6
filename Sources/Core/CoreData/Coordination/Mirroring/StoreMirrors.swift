/// The mirrors of a container's stores, and the events that they have told. They go on for as long
/// as the container keeps this; its coordinator knows it, and does not keep it.
///
/// Sendable: the lock guards everything.
package final class StoreMirrors: @unchecked Sendable {
  private struct State {
    weak var container: NSPersistentCloudKitContainer?
    var mirrors: [(store: NSPersistentStore, mirror: any StoreMirror)] = []
    var events: [NSPersistentCloudKitContainer.Event] = []
  }

  /// So many events are remembered.
  private static let mostEvents = 1000
  private let lock = NSLock()
  private var state = State()

  package init() {}

  /// The container that the notifications are about.
  func note(_ container: NSPersistentCloudKitContainer) {
    lock.withLock { state.container = container }
  }

  // MARK: - Mirrors

  /// In the order in which the stores were opened.
  package var all: [any StoreMirror] { lock.withLock { state.mirrors.map(\.mirror) } }

  /// Begins to mirror a store, unless it is mirrored already: one that was reopened.
  func start(
    _ mirroring: StoreMirroring, of store: NSPersistentStore,
    coordinator: NSPersistentStoreCoordinator
  ) {
    if lock.withLock({ state.mirrors.contains { $0.store === store } }) { return }
    let mirror = mirroring.makeMirror(of: store, coordinator, mirrors: self)
    lock.withLock { state.mirrors.append((store, mirror)) }
  }

  /// Ends the mirror of a store that is removed from its coordinator.
  func end(_ store: NSPersistentStore) {
    // It ends when it is let go, outside of the lock.
    _ = lock.withLock {
      state.mirrors.firstIndex { $0.store === store }.map { state.mirrors.remove(at: $0) }
    }
  }

  // MARK: - Events

  /// Tells that an event has begun.
  package func begin(
    _ type: NSPersistentCloudKitContainer.EventType, of store: NSPersistentStore, at start: Date
  ) -> NSPersistentCloudKitContainer.Event {
    let event = NSPersistentCloudKitContainer.Event(
      identifier: UUID(), storeIdentifier: store.identifier ?? "", type: type, startDate: start,
      endDate: nil, error: nil)
    tell(event)
    return event
  }

  /// Tells that an event has ended.
  package func end(_ event: NSPersistentCloudKitContainer.Event, with error: (any Error)?) {
    tell(
      NSPersistentCloudKitContainer.Event(
        identifier: event.identifier, storeIdentifier: event.storeIdentifier, type: event.type,
        startDate: event.startDate, endDate: Date(), error: error))
  }

  private func tell(_ event: NSPersistentCloudKitContainer.Event) {
    let container = lock.withLock {
      if let index = state.events.lastIndex(where: { $0.identifier == event.identifier }) {
        state.events[index] = event
      } else {
        state.events.append(event)
        state.events.removeFirst(max(0, state.events.count - Self.mostEvents))
      }
      return state.container
    }
    NotificationCenter.default.post(
      name: NSPersistentCloudKitContainer.eventChangedNotification, object: container,
      userInfo: [NSPersistentCloudKitContainer.eventNotificationUserInfoKey: event])
  }

  /// In the order of their beginnings.
  var events: [NSPersistentCloudKitContainer.Event] { lock.withLock { state.events } }
}

extension NSPersistentStoreCoordinator {
  /// The mirrors of its stores; nil where nobody keeps any.
  package final var mirrors: StoreMirrors? {
    get { state.withLock { $0.mirrors } }
    set { state.withLock { $0.mirrors = newValue } }
  }
}
