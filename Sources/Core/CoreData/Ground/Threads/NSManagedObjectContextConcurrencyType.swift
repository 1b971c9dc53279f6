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
