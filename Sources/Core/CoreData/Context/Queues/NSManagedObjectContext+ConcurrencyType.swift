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
