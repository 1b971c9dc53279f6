/// The queue that a context belongs to.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  /// No longer supported by Apple's framework either; made like a private queue.
  case confinementConcurrencyType = 0
  case privateQueueConcurrencyType = 1
  case mainQueueConcurrencyType = 2
}

extension NSManagedObjectContext {
  public struct ConcurrencyType: Hashable, RawRepresentable, Sendable {
    public let rawValue: NSManagedObjectContextConcurrencyType
    public init(rawValue: NSManagedObjectContextConcurrencyType) { self.rawValue = rawValue }

    public static let privateQueue = ConcurrencyType(rawValue: .privateQueueConcurrencyType)
    public static let mainQueue = ConcurrencyType(rawValue: .mainQueueConcurrencyType)
  }
}
