import CoreData

/// Listens for saves of this and other processes, on a connection and a thread of its own, and
/// posts `NSPersistentStoreRemoteChange` for the store's coordinator.
///
/// Reconnects when the connection is lost. If saves were missed meanwhile, posts one notification
/// for all of them.
///
/// Sendable: `lock` guards the mutable state that several threads use.
final class ChangeListener: @unchecked Sendable {
  private let address: ServerAddress
  private let storeUUID: String
  private let timeout: TimeInterval?
  private let lock = NSLock()
  private weak var store: NSPersistentStore?
  private let replicas: Replicas?
  private var isEnded = false
  /// The number of the last known transaction; nil until listening starts.
  private var last: Int64?
  /// The time of the last sign of life from the server; used by the listening thread only.
  private var heard = Date()
  /// Both ends of the pipe that wakes the thread.
  private var wake: [Int32] = [-1, -1]

  init(
    _ store: NSPersistentStore, address: ServerAddress, replicas: Replicas?,
    timeout: TimeInterval?
  ) {
    self.store = store
    self.replicas = replicas
    self.address = address
    self.timeout = timeout
    storeUUID = store.identifier ?? ""
  }

  /// Starts listening; returns when the server has confirmed it.
  func start() throws {
    let connection = try listening()
    guard pipe(&wake) == 0 else {
      throw CoreDataError.make(.persistentStoreOpen, reason: "There are too many open files.")
    }
    let thread = Thread { self.run(connection) }
    thread.name = "CoreData PostgreSQL changes"
    thread.start()
  }

  /// Stops listening. May be called several times.
  func cancel() {
    lock.withLock {
      guard !isEnded else { return }
      isEnded = true
      var byte: UInt8 = 0
      // A failure is harmless: a full pipe wakes the thread too.
      _ = write(wake[1], &byte, 1)
    }
  }

  private var hasEnded: Bool { lock.withLock { isEnded || store == nil } }

  private func listening() throws -> PostgreSQLConnection {
    let connection = try PostgreSQLConnection(address, timeout: timeout)
    try connection.execute("LISTEN \(HistoryTables.channel)")
    note(try lastTransaction(connection))
    heard = Date()
    return connection
  }

  private func lastTransaction(_ connection: PostgreSQLConnection) throws -> Int64 {
    try connection.query("SELECT last_transaction FROM \(SchemaNames.store)").integer(0, column: 0)
  }

  /// Seconds without data after which the server is asked: a listening connection looks alive even
  /// if notifications no longer reach it.
  private static let trust: TimeInterval = 30

  private func run(_ first: PostgreSQLConnection) {
    var connection: PostgreSQLConnection? = first
    var pause = 0.05
    while !hasEnded {
      if let open = connection {
        if !wait(open) { connection = nil }
        continue
      }
      Thread.sleep(forTimeInterval: pause)
      pause = min(2, pause * 2)
      // `try?`: the reason for a failed connection may be gone after the next pause.
      connection = try? listening()
      if connection != nil { pause = 0.05 }
    }
    wake.forEach { close($0) }
  }

  /// Waits for notifications; returns false if the connection is lost.
  private func wait(_ connection: PostgreSQLConnection) -> Bool {
    var sources = [
      pollfd(fd: connection.socket, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wake[0], events: Int16(POLLIN), revents: 0),
    ]
    // Returns every 5 seconds, to check for a store that was released without having been removed.
    let count = poll(&sources, 2, 5000)
    guard count >= 0 || errno == EINTR else { return false }
    if count > 0 { heard = Date() }
    if heard.timeIntervalSinceNow < -Self.trust {
      heard = Date()
      do { note(try lastTransaction(connection)) } catch { return false }
    }
    guard let notes = connection.notes() else { return false }
    for note in notes {
      let parts = note.split(separator: " ")
      guard parts.count == 2, parts[0] == storeUUID, let number = Int64(parts[1]) else { continue }
      self.note(number)
    }
    return true
  }

  private func note(_ number: Int64) {
    let isNew = lock.withLock {
      let isFirst = last == nil
      guard number > last ?? -1 else { return false }
      last = number
      return !isFirst
    }
    guard isNew, let store = lock.withLock({ store }),
      let coordinator = store.persistentStoreCoordinator
    else { return }
    // Observers must be able to read the change, which the standbys may not have yet.
    replicas?.primaryHasMoved()
    var userInfo: [AnyHashable: Any] = [NSStoreUUIDKey: storeUUID]
    userInfo[NSPersistentStoreURLKey] = store.url
    userInfo[NSPersistentHistoryTokenKey] = NSPersistentHistoryToken([storeUUID: number])
    NotificationCenter.default.post(
      name: .NSPersistentStoreRemoteChange, object: coordinator, userInfo: userInfo)
  }
}
