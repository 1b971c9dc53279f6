import CoreData
import CoreDataSync
import Foundation

/// The server's state: zones of records, in a store of Core Data, and the rules by which pushes
/// are accepted.
///
/// Several processes may have ledgers on one PostgreSQL database: a push that meets another's
/// in its zone is carried out anew.
///
///     let ledger = try SyncLedger(at: URL(fileURLWithPath: "sync.sqlite"))
///     let pushed = try ledger.push([SyncLedger.Push(message)], to: message.zone)
public final class SyncLedger: Sendable {
  /// A message with what its sender may do.
  public struct Push: Hashable, Sendable {
    /// What was sent.
    public var message: PushMessage
    /// What the sender may do in the message's zone.
    public var rights: SyncRights
    /// The name of the sender's key.
    public var key: String

    /// A message, by default of somebody who may do everything.
    public init(_ message: PushMessage, rights: SyncRights = SyncRights(), key: String = "") {
      self.message = message
      self.rights = rights
      self.key = key
    }
  }

  let coordinator: NSPersistentStoreCoordinator
  private let time: @Sendable () -> UInt64
  /// Held by who makes a zone: a store in memory has no constraint that keeps their numbers apart.
  private let making = NSLock()

  /// Opens a ledger, or makes it.
  ///
  /// - Parameters:
  ///   - store: a file of SQLite, or the address of a PostgreSQL server; nil for one in memory.
  ///   - time: the server's time, in milliseconds since 1970.
  /// - Throws: Core Data's errors.
  public init(at store: URL?, time: @escaping @Sendable () -> UInt64 = SyncLedger.systemTime) throws
  {
    self.time = time
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: LedgerModel.model)
    let isFile = store?.isFileURL ?? false
    let type = store == nil ? NSInMemoryStoreType : isFile ? NSSQLiteStoreType : "PostgreSQL"
    var options: [AnyHashable: Any] = [:]
    // What was acknowledged survives a loss of power.
    if isFile { options[NSSQLitePragmasOption] = ["synchronous": "FULL"] }
    if store != nil { options[NSPersistentStoreRemoteChangeNotificationPostOptionKey] = true }
    try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: store, options: options)
  }

  /// Closes the store, when nobody uses it any more: all of it is in its one file then.
  ///
  /// - Throws: Core Data's errors.
  public func close() throws {
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  /// The time of the system's clock.
  public static let systemTime: @Sendable () -> UInt64 = {
    UInt64(max(0, Date().timeIntervalSince1970 * 1000))
  }

  // MARK: - Messages

  /// Carries out pushes of one zone, in one transaction, each as if by itself.
  ///
  /// - Returns: an answer for each, which is durable.
  /// - Throws: `SyncLedgerError.noZone`, or Core Data's errors; then nothing was carried out.
  public func push(_ pushes: [Push], to zone: String) throws -> [Pushed] {
    try change(zone) { transaction in
      try pushes.map { try transaction.push($0.message, rights: $0.rights, key: $0.key) }
    }
  }

  /// A page of what is new to a replica.
  public func pull(_ request: PullRequest) throws -> Pulled {
    var request = request
    request.limit = max(1, min(request.limit, SyncLimits().rowsPerPage))
    let (context, now) = (makeContext(), time())
    return try context.performAndWait {
      guard let pulled = try ZonePage(context: context, request: request, now: now).make() else {
        throw SyncLedgerError.noZone(request.zone)
      }
      return pulled
    }
  }

  /// The zones of a greeting that a sender may see. One that is not there is made if he may
  /// write.
  public func greet(
    _ greeting: SyncGreeting, rights: (String) -> SyncRights?
  ) throws -> SyncWelcome {
    var zones: [String: SyncWelcome.Zone] = [:]
    for name in Set(greeting.zones) {
      guard let rights = rights(name) else { continue }
      if rights.mayWrite {
        try makeZone(name)
        try adopt(greeting.schema, in: name)
      }
      zones[name] = try welcome(to: name, rights)
    }
    return SyncWelcome(now: time(), zones: zones)
  }

  private func welcome(to zone: String, _ rights: SyncRights) throws -> SyncWelcome.Zone? {
    let context = makeContext()
    return try context.performAndWait {
      try context.all("Zone", where: "name == %@", arguments: [zone]).first.map {
        SyncWelcome.Zone(
          epoch: $0.id("epoch") ?? RecordID(high: 0, low: 0), head: $0.integer("head"),
          horizon: $0.integer("horizon"), mayWrite: rights.mayWrite, readOnly: rights.readOnly)
      }
    }
  }

  private func adopt(_ schema: SyncSchema, in zone: String) throws {
    let context = makeContext()
    let isKnown = try context.performAndWait {
      let known = try ZoneTransaction(context, zone: zone, now: 0)?.rules.schema
      return known.map { $0.union(schema) == $0 } ?? false
    }
    if !isKnown { _ = try change(zone) { try $0.adopt(schema) } }
  }

  // MARK: - Administration

  /// Forgets what was deleted up to a time, by default everything that was: replicas that have
  /// been away since must attach again.
  public func compact(_ zone: String, before time: UInt64? = nil) throws {
    try change(zone) { transaction in
      try transaction.compact(
        upTo: time.map { try transaction.number(at: $0) } ?? transaction.head)
    }
  }

  /// To be called when the store was restored from a backup: every replica attaches again, and
  /// offers what the backup does not have.
  public func renewEpochs() throws {
    for zone in try report() {
      var generator = SystemRandomNumberGenerator()
      let epoch = RecordID.random(using: &generator)
      try change(zone.name) { $0.renewEpoch(epoch) }
    }
  }

  // MARK: - Transactions

  func makeContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    context.undoManager = nil
    context.mergePolicy = NSMergePolicy.error
    return context
  }

  /// How often a transaction is tried that meets those of other processes.
  private static let tries = 200

  /// Works on a zone and saves; anew as long as another process was quicker.
  func change<Result>(
    _ zone: String, by body: (ZoneTransaction) throws -> Result
  ) throws -> Result {
    var number = 0
    while true {
      let context = makeContext()
      do {
        return try context.performAndWait {
          guard let transaction = try ZoneTransaction(context, zone: zone, now: time()) else {
            throw SyncLedgerError.noZone(zone)
          }
          let result = try body(transaction)
          try transaction.finish()
          try context.save()
          return result
        }
      } catch let error as NSError where Self.isConflict(error) && number < Self.tries {
        number += 1
        Thread.sleep(forTimeInterval: .random(in: 0...0.001 * Double(min(number, 50))))
      }
    }
  }

  static func isConflict(_ error: NSError) -> Bool {
    error.domain == NSCocoaErrorDomain
      && [NSManagedObjectMergeError, NSManagedObjectConstraintMergeError].contains(error.code)
  }

  private func makeZone(_ name: String) throws {
    making.lock()
    defer { making.unlock() }
    for _ in 0..<Self.tries {
      let context = makeContext()
      do {
        return try context.performAndWait {
          let zones = try context.all("Zone", where: "TRUEPREDICATE", arguments: [])
          if zones.contains(where: { $0.text("name") == name }) { return }
          var generator = SystemRandomNumberGenerator()
          _ = context.insert(
            "Zone",
            values: [
              "name": name, "number": (zones.map { $0.integer("number") }.max() ?? 0) + 1,
              // Numbers begin above 0, which is the cursor of who has seen nothing.
              "head": 1, "horizon": 0, "ceiling": 0, "tick": 0, "pushes": 0,
              "epoch": UUID(RecordID.random(using: &generator)),
              "schema": SyncSchema(entities: []).encodedMessage(),
            ])
          try context.save()
        }
      } catch let error as NSError where Self.isConflict(error) {
        // Another process has made one.
      }
    }
  }
}

extension ZoneTransaction {
  /// The number of the last push up to a time; the horizon if there is none.
  func number(at time: UInt64) throws -> Int64 {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Push")
    request.predicate = NSPredicate(
      format: "zone == %@ AND time <= %@", argumentArray: [zone, Int64(bitPattern: time)])
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: false)]
    request.fetchLimit = 1
    return max(horizon, try context.fetch(request).first?.integer("number") ?? 0)
  }
}
