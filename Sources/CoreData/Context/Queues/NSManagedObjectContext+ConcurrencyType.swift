/// The kinds of queues that a context can belong to.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  /// No queue: the program confines the context, nothing is checked, and `perform` traps.
  /// Deprecated by Apple; two threads that share such a context guard it with `lock()` and
  /// `unlock()`.
  case confinementConcurrencyType = 0
  /// A private queue.
  case privateQueueConcurrencyType = 1
  /// The main queue.
  case mainQueueConcurrencyType = 2
}

extension NSManagedObjectContext {
  /// The kind of queue of a new context, in Swift's form.
  public struct ConcurrencyType: Hashable, RawRepresentable, Sendable {
    /// The kind in Apple's original form.
    public let rawValue: NSManagedObjectContextConcurrencyType
    /// The kind of queue with this raw value.
    public init(rawValue: NSManagedObjectContextConcurrencyType) { self.rawValue = rawValue }

    /// A private queue.
    public static let privateQueue = ConcurrencyType(rawValue: .privateQueueConcurrencyType)
    /// The main queue.
    public static let mainQueue = ConcurrencyType(rawValue: .mainQueueConcurrencyType)
  }
}
