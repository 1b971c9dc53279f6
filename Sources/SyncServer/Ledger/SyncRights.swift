/// What a key may do in a zone.
public struct SyncRights: Hashable, Sendable {
  public var mayWrite: Bool
  /// Entities that may be read and not written.
  public var readOnly: Set<String>

  public init(mayWrite: Bool = true, readOnly: Set<String> = []) {
    self.mayWrite = mayWrite
    self.readOnly = readOnly
  }

  /// Why an entity may not be written; nil if it may.
  func denial(of entity: String) -> String? {
    if !mayWrite { return "This key may not write in this zone." }
    return readOnly.contains(entity) ? "This key may not write \(entity)." : nil
  }
}
