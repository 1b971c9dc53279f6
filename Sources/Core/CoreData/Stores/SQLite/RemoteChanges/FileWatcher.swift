import Synchronization

/// Notifies of writes to files of this computer, by any process.
///
/// The process uses one inotify instance, since a user may have only 128. The instance and its
/// event source go with the last watch. No thread waits: the source wakes a queue.
///
/// Sendable: `lock` guards `state`.
final class FileWatcher: @unchecked Sendable {
  static let shared = FileWatcher()

  private struct Handler {
    let serial: Int
    let run: @Sendable () -> Void
  }

  private struct State {
    var descriptor: Int32 = -1
    var source: (any DispatchSourceRead)?
    var handlers: [Int32: [Handler]] = [:]
    var lastSerial = 0
  }

  private let lock = NSLock()
  private var state = State()
  private let queue = DispatchQueue(label: "CoreData.FileWatcher")

  /// Calls `run` after writes to one of the files, on the watcher's queue, until the watch is
  /// released. Missing files are skipped. Throws `persistentStoreOpen` if inotify's limits are
  /// exhausted.
  func watch(_ paths: [String], run: @escaping @Sendable () -> Void) throws -> FileWatch {
    try lock.withLock {
      try open()
      state.lastSerial += 1
      let handler = Handler(serial: state.lastSerial, run: run)
      var watches: [Int32] = []
      for path in paths {
        let watch = inotify_add_watch(state.descriptor, path, UInt32(IN_MODIFY))
        if watch < 0, errno == ENOENT { continue }
        guard watch >= 0 else {
          remove(handler.serial, watches: watches)
          throw Self.failure("inotify_add_watch", limit: "max_user_watches")
        }
        state.handlers[watch, default: []].append(handler)
        watches.append(watch)
      }
      if watches.isEmpty { closeUnused() }
      return FileWatch(serial: handler.serial, watches: watches)
    }
  }

  fileprivate func end(_ watch: FileWatch) {
    lock.withLock { remove(watch.serial, watches: watch.watches) }
  }

  private static func failure(_ call: String, limit: String) -> NSError {
    let text = String(cString: strerror(errno))
    return CoreDataError.make(
      .persistentStoreOpen,
      reason: "The store's files cannot be watched for changes (\(call): \(text)). Raise "
        + "/proc/sys/fs/inotify/\(limit), or leave out "
        + "NSPersistentStoreRemoteChangeNotificationPostOptionKey.")
  }

  // MARK: - With the lock held

  private func open() throws {
    guard state.descriptor < 0 else { return }
    let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { throw Self.failure("inotify_init1", limit: "max_user_instances") }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler { [weak self] in self?.readEvents(descriptor) }
    source.setCancelHandler { close(descriptor) }
    source.resume()
    state.descriptor = descriptor
    state.source = source
  }

  private func remove(_ serial: Int, watches: [Int32]) {
    for watch in watches {
      state.handlers[watch]?.removeAll { $0.serial == serial }
      guard state.handlers[watch]?.isEmpty == true else { continue }
      state.handlers[watch] = nil
      inotify_rm_watch(state.descriptor, watch)
    }
    closeUnused()
  }

  private func closeUnused() {
    guard state.handlers.isEmpty else { return }
    state.source?.cancel()
    state.source = nil
    state.descriptor = -1
  }

  // MARK: - On the queue

  /// Runs each handler of the pending events once, however many events there are.
  private func readEvents(_ descriptor: Int32) {
    let watches = Self.watchesOfEvents(descriptor)
    let handlers = lock.withLock {
      state.descriptor == descriptor ? watches.flatMap { state.handlers[$0] ?? [] } : []
    }
    var called: Set<Int> = []
    for handler in handlers where called.insert(handler.serial).inserted { handler.run() }
  }

  private static func watchesOfEvents(_ descriptor: Int32) -> Set<Int32> {
    var watches: Set<Int32> = []
    let size = MemoryLayout<inotify_event>.size
    withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 8) { buffer in
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        var offset = 0
        while offset + size <= count {
          let event = buffer.load(fromByteOffset: offset, as: inotify_event.self)
          watches.insert(event.wd)
          offset += size + Int(event.len)
        }
      }
    }
    return watches
  }
}

/// A watch of some files, which ends with its last reference.
///
/// Sendable: constant.
final class FileWatch: Sendable {
  fileprivate let serial: Int
  fileprivate let watches: [Int32]

  fileprivate init(serial: Int, watches: [Int32]) {
    self.serial = serial
    self.watches = watches
  }

  deinit { FileWatcher.shared.end(self) }
}
