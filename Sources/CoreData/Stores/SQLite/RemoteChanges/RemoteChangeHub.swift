import Synchronization

/// Tells the coordinators of this process that a store has been written to, by one of them or by another
/// process: `NSPersistentStoreRemoteChange`.
///
/// One for each file or database in memory, as long as a store with the option is open on it.
///
///     own commit ──────────────────────► announce ─┐
///     another's: inotify ─► check ─changed─────────┴─► one notification for each coordinator
///
/// What inotify tells is the writing of a page, somewhat before the commit: so the mark of the store is looked at
/// at once and then after growing delays.
///
/// Sendable: `state` has its lock.
final class RemoteChangeHub: @unchecked Sendable {
  private struct State {
    var listeners: [RemoteChangeListener] = []
    /// Nil for a database in memory, which no other process can write.
    var monitor: ChangeMonitor?
    var watch: FileWatch?
    var last = ChangeMonitor.Mark()
    /// Counts the events, so that an older one's checks end with the next.
    var event = 0
  }

  private static let hubs = Mutex<[String: RemoteChangeHub]>([:])
  /// Milliseconds until the next check; the last ones are for a disk that is slow to synchronise.
  private static let delays = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]

  private let key: String
  private let lock = NSLock()
  private var state = State()
  /// Notifications are posted here, one after the other.
  private let queue = DispatchQueue(label: "CoreData.RemoteChanges")

  private init(key: String) { self.key = key }

  // MARK: - Who listens

  /// - Parameters:
  ///   - key: what the stores share: a path, or a name of theirs.
  ///   - path: the file; nil in memory.
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

  /// When this returns the store's file is open here no more, unless others listen.
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

  /// Whether nobody listens any more.
  private func remove(_ listener: RemoteChangeListener) -> Bool {
    lock.withLock {
      state.listeners.removeAll { $0 === listener }
      guard state.listeners.isEmpty else { return false }
      state = State()
      return true
    }
  }

  /// Whether somebody of this process listens to a store.
  static func isOpen(_ key: String) -> Bool { hubs.withLock { $0[key] != nil } }

  // MARK: - What happens

  /// A store of this process has committed: the history's transaction with this number, if it has one.
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
      // A file that cannot be read just now is looked at again after the next delay.
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
