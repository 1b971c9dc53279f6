/// Who may do what: asked for every request.
public protocol SyncKeyring: Sendable {
  /// The key of this text; nil for one that is unknown or revoked.
  func key(_ text: String) async throws -> SyncKey?
}

/// What somebody may do.
public struct SyncKey: Hashable, Sendable {
  /// Whose it is, for messages and the ledger.
  public var name: String
  /// Rights by zone; "*" stands for every zone that is not named.
  public var zones: [String: SyncRights]

  /// A key of somebody's, with rights by zone.
  public init(name: String, zones: [String: SyncRights]) {
    self.name = name
    self.zones = zones
  }

  /// Nil for a zone that this key does not see.
  public func rights(in zone: String) -> SyncRights? { zones[zone] ?? zones["*"] }
}
