import Foundation

/// What an engine is doing.
public struct SyncStatus: Hashable, Sendable {
  /// What it is at.
  public enum Activity: Hashable, Sendable {
    /// Nothing to do that is known of.
    case idle
    case syncing
    /// The server cannot be reached; the engine tries again by itself.
    case offline(since: Date, reason: String)
    /// Somebody has to do something.
    case stopped(reason: String)
  }
  /// What the engine is at.
  public var activity: Activity
  /// Records and pairs that the server does not have yet.
  public var toSend: Int
  /// How far the server is ahead, in changes: an estimate.
  public var toReceive: Int
  /// When the engine was last up to date.
  public var lastSync: Date?
  /// Objects that cannot be shown as they are, because they would be invalid.
  public var held: [SyncLoss]
  /// What a person lost since the engine was made, the last hundred.
  public var losses: [SyncLoss]

  /// How many losses there have been since the engine was made.
  public var lossCount: Int

  /// A status, idle unless something else is said.
  public init(
    activity: Activity = .idle, toSend: Int = 0, toReceive: Int = 0, lastSync: Date? = nil,
    held: [SyncLoss] = [], losses: [SyncLoss] = [], lossCount: Int = 0
  ) {
    self.activity = activity
    self.toSend = toSend
    self.toReceive = toReceive
    self.lastSync = lastSync
    self.held = held
    self.losses = losses
    self.lossCount = lossCount
  }
}
