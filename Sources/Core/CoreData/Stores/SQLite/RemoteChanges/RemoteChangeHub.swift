import Synchronization

/// Posts `NSPersistentStoreRemoteChange` for the coordinators of this process when one of them or
/// another process has written to a store.
///
/// There is one hub for each file or database in memory, while a store with the option is open on
/// it.
///
///     own commit ──────────────────────► announce ─┐
///     another's: inotify ─► check ─changed─────────┴─► one notification for each coordinator
///
/// inotify reports the write of a page, which precedes the commit: so the store's mark is checked
/// at once and again after growing delays.
///
/// Sendable: `lock` guards `state`.
final class RemoteChangeHub: @unchecked Sendable {
  private struct State {
    var listeners: [RemoteChangeListener] = []
    /// The monitor of the file; nil for a database in memory, which no other process can write.
    var monitor: ChangeMonitor?
    var watch: FileWatch?
    var last = ChangeMonitor.Mark()
    /// The number of events so far: a new event ends the checks of the one before.
    var event = 0
  }

  private static let hubs = Mutex<[String: RemoteChangeHub]>([:])
  /// The delays before each check in milliseconds; the last ones are for slow disks.
  private static let delays = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]

  private let key: String
  private let lock = NSLock()
  private var state = State()
  /// The queue that posts notifications, one after the other.
  private let queue = DispatchQueue(label: "CoreData.RemoteChanges")

  private init(key: String) { self.key = key }

  // MARK: - Listeners

  /// Adds a listener to the hub of a key, which is made if there is none.
  ///
  /// - Parameters:
  ///   - key: the identity of the database: a path, or a name.
  ///   - path: the file; nil for a database in memory.
  static func join(
    _ listener: RemoteChangeListener, key: String, path: String?
  ) throws -> RemoteChangeHub {
    try hubs.withLock { hubs in
      let hub = hubs[key] ?? RemoteChangeHub(key: key)
      try hub.add(listener, path: path)
      hubs[key] = hub
      return hub
    }
  }

  /// Removes a listener. When this returns without further listeners, the hub's connection to the
  /// file is closed.
  func leave(_ listener: RemoteChangeListener) {
    Self.hubs.withLock { hubs in
      if remove(listener), hubs[key] === self { hubs[key] = nil }
    }
  }

  private func add(_ listener: RemoteChangeListener, path: String?) throws {
    try lock.withLock {
      if let path, state.monitor == nil, let (monitor, mark) = try ChangeMonitor.start(path: path) {
        state.last = mark
        state.watch = try FileWatcher.shared.watch([path, path + "-wal"]) { [weak self] in
          self?.fileWasWritten()
        }
        state.monitor = monitor
      }
      state.listeners.append(listener)
    }
  }

  /// Removes a listener; true if it was the last one.
  private func remove(_ listener: RemoteChangeListener) -> Bool {
    lock.withLock {
      state.listeners.removeAll { $0 === listener }
      guard state.listeners.isEmpty else { return false }
      state = State()
      return true
    }
  }

  /// Whether a store of this process listens to a key.
  static func isOpen(_ key: String) -> Bool { hubs.withLock { $0[key] != nil } }

  // MARK: - Changes

  /// Called after a commit of this process with the number of the history's transaction; nil
  /// without history.
  func didCommit(_ number: Int64?) {
    queue.async { [self] in
      if let number { announce(transaction: number) } else { checkOwn() }
    }
  }

  private func announce(transaction number: Int64) {
    let isNew = lock.withLock {
      guard number > state.last.transaction ?? 0 else { return false }
      state.last.transaction = number
      return true
    }
    if isNew { post(number) }
  }

  private func checkOwn() {
    if lock.withLock({ state.monitor == nil }) { return post(nil) }
    check()
  }

  private func fileWasWritten() {
    let event = lock.withLock {
      state.event += 1
      return state.event
    }
    queue.async { [weak self] in self?.check(event: event, attempt: 0) }
  }

  private func check(event: Int, attempt: Int) {
    guard lock.withLock({ state.event == event }) else { return }
    check()
    guard attempt + 1 < Self.delays.count else { return }
    let delay = DispatchTimeInterval.milliseconds(Self.delays[attempt + 1])
    queue.asyncAfter(deadline: .now() + delay) { [weak self] in
      self?.check(event: event, attempt: attempt + 1)
    }
  }

  private func check() {
    let found = lock.withLock { () -> ChangeMonitor.Mark? in
      // A file that cannot be read now is checked again after the next delay.
      guard let mark = try? state.monitor?.mark(), mark != state.last else { return nil }
      state.last = mark
      return mark
    }
    if let found { post(found.transaction) }
  }

  private func post(_ number: Int64?) {
    for listener in lock.withLock({ state.listeners }) { listener.post(number) }
  }
}
