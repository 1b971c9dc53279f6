/// What a key may do in a zone.
public struct SyncRights: Hashable, Sendable {
  /// Whether anything in the zone may be written.
  public var mayWrite: Bool
  /// Entities that may be read and not written.
  public var readOnly: Set<String>

  /// The right to write everything, unless something else is said.
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
