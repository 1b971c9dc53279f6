import CoreData

/// Mirrors one store of a container by an engine, and tells the container's events. The engine ends
/// when nobody has this any more.
final class SyncMirror: StoreMirror {
  let engine: SyncEngine
  private let starting: Task<Void, Never>

  init(
    of store: NSPersistentStore, _ coordinator: NSPersistentStoreCoordinator,
    telling mirrors: StoreMirrors, configuration: SyncConfiguration, transport: any SyncTransport
  ) {
    // A store is guarded by its coordinator.
    nonisolated(unsafe) let sent: NSPersistentStore? = store
    let engine = SyncEngine(
      coordinator: coordinator, configuration: configuration, transport: transport,
      seams: SyncEngine.Seams(), store: sent, listener: MirrorEvents(of: store, mirrors))
    self.engine = engine
    starting = Task { await engine.start() }
  }

  deinit {
    Task { [engine, starting] in
      await starting.value
      // A file that cannot be closed ends with the process.
      try? await engine.close()
    }
  }
}

/// Makes events of an engine's phases.
///
/// Sendable: the engine alone calls it.
private final class MirrorEvents: SyncPhaseListener, @unchecked Sendable {
  private let store: NSPersistentStore
  /// Weak: it keeps the mirror, which keeps the engine.
  private weak var mirrors: StoreMirrors?
  private var event: NSPersistentCloudKitContainer.Event?

  init(of store: NSPersistentStore, _ mirrors: StoreMirrors) {
    self.store = store
    self.mirrors = mirrors
  }

  func began(_ phase: SyncPhase, at start: Date) {
    let type: NSPersistentCloudKitContainer.EventType =
      switch phase {
      case .setup: .setup
      case .importing: .import
      case .exporting: .export
      }
    event = mirrors?.begin(type, of: store, at: start)
  }

  func ended(with error: (any Error)?) {
    if let event { mirrors?.end(event, with: error) }
    event = nil
  }
}
