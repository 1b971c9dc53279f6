import Foundation

/// How an engine reaches the server: over HTTP (`URLSessionSyncTransport`), or in memory for tests.
///
/// Every call throws `SyncTransportError` alone, besides `CancellationError`. A call that throws
/// may have been carried out all the same: the engine sends the same message again, and the server,
/// which knows its name, answers as it did.
public protocol SyncTransport: Sendable {
  /// The first call of a connection, and again whenever the engine's model or zones have changed.
  func greet(_ greeting: SyncGreeting) async throws -> SyncWelcome
  func push(_ message: PushMessage) async throws -> Pushed
  func pull(_ request: PullRequest) async throws -> Pulled
  /// Wake-ups: a zone's head whenever it moves, and each zone's once at the beginning. Wake-ups may
  /// be left out while later ones follow, and may come twice. The stream throws when the connection
  /// is lost; the engine asks for another, and pulls once without being woken.
  func changes(in zones: [String]) -> AsyncThrowingStream<SyncWakeUp, any Error>
}

/// There is something to pull.
public struct SyncWakeUp: Hashable, Sendable {
  /// The name of the zone.
  public var zone: String
  /// The number of the zone's last change.
  public var head: Int64

  /// Makes a value of its parts.
  public init(zone: String, head: Int64) {
    self.zone = zone
    self.head = head
  }
}

/// What a replica says first.
public struct SyncGreeting: Hashable, Sendable {
  /// The protocol that this source speaks.
  public static let protocolNumber = 1

  /// The number of the protocol.
  public var protocolNumber: Int
  /// The application's name.
  public var application: String
  /// Who wrote it.
  public var replica: ReplicaID
  /// The zones, by name.
  public var zones: [String]
  /// What the server must know of the model for uniqueness, Deny and lives. The server keeps the
  /// union of what it was told by entity and property.
  public var schema: SyncSchema

  /// Makes a value of its parts.
  public init(
    protocolNumber: Int = SyncGreeting.protocolNumber, application: String, replica: ReplicaID,
    zones: [String], schema: SyncSchema
  ) {
    self.protocolNumber = protocolNumber
    self.application = application
    self.replica = replica
    self.zones = zones
    self.schema = schema
  }
}

/// What the server answers.
public struct SyncWelcome: Hashable, Sendable {
  /// A zone as it stands for this replica. A zone that was asked for and is missing here is not the
  /// replica's to see.
  public struct Zone: Hashable, Sendable {
    /// The server's epoch, as the replica knows it.
    public var epoch: RecordID
    /// The zone's latest number.
    public var head: Int64
    /// Numbers up to here have been compacted away: a replica that is `safe` below must attach
    /// again.
    public var horizon: Int64
    /// Whether the key may write there.
    public var mayWrite: Bool
    /// Entities that this replica may read and not write.
    public var readOnly: Set<String>

    /// Makes a value of its parts.
    public init(
      epoch: RecordID, head: Int64, horizon: Int64, mayWrite: Bool = true,
      readOnly: Set<String> = []
    ) {
      self.epoch = epoch
      self.head = head
      self.horizon = horizon
      self.mayWrite = mayWrite
      self.readOnly = readOnly
    }
  }
  /// The number of the protocol.
  public var protocolNumber: Int
  /// The server's time, in milliseconds since 1970.
  public var now: UInt64
  /// The zones, by name.
  public var zones: [String: Zone]
  /// What the server takes in one message.
  public var limits: SyncLimits

  /// Makes a value of its parts.
  public init(
    protocolNumber: Int = SyncGreeting.protocolNumber, now: UInt64, zones: [String: Zone],
    limits: SyncLimits = SyncLimits()
  ) {
    self.protocolNumber = protocolNumber
    self.now = now
    self.zones = zones
    self.limits = limits
  }
}

/// The most that one message may hold.
public struct SyncLimits: Hashable, Sendable {
  /// Records, pairs and aliases of a push.
  public var changesPerPush: Int
  /// Bytes of a push as it travels, before it is deflated: as many as one value may have, about.
  /// Pushes have 1 MB where no value is longer.
  public var bytesPerPush: Int
  /// Rows of a page.
  public var rowsPerPage: Int

  /// Makes a value of its parts.
  public init(changesPerPush: Int = 500, bytesPerPush: Int = 64 << 20, rowsPerPage: Int = 1000) {
    self.changesPerPush = changesPerPush
    self.bytesPerPush = bytesPerPush
    self.rowsPerPage = rowsPerPage
  }
}

/// Why a call failed.
public struct SyncTransportError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
  /// Why a call failed, and whether it may be tried again.
  public enum Reason: String, Hashable, Sendable {
    /// The server cannot be reached, or does not answer in time.
    case unreachable
    /// The server is full or busy, or fails for reasons of its own.
    case unavailable
    /// The key is missing, unknown or revoked.
    case unauthorized
    /// The zone is not this key's, or not there.
    case forbidden
    /// The server does not understand the message: it breaks a limit or is not well formed.
    case refused
    /// The message is longer than the server takes, or a proxy before it.
    case tooLarge
    /// The server speaks only other protocols.
    case protocolNumber
    /// The server's answer is not well formed.
    case answer
  }
  /// What kind of error it is.
  public var reason: Reason
  /// The reason in words.
  public var message: String
  /// Seconds after which the server wants to be asked again, where it said so.
  public var retryAfter: Double?

  /// Makes a value of its parts.
  public init(_ reason: Reason, message: String, retryAfter: Double? = nil) {
    self.reason = reason
    self.message = message
    self.retryAfter = retryAfter
  }

  /// Whether the same call may succeed later without anybody's doing. What is lasting waits for a
  /// person: another key, another zone, another version.
  public var isPassing: Bool {
    switch reason {
    case .unreachable, .unavailable, .answer: true
    case .unauthorized, .forbidden, .refused, .tooLarge, .protocolNumber: false
    }
  }

  /// The message.
  public var errorDescription: String? { message }

  public var description: String { "\(reason.rawValue): \(message)" }
}
