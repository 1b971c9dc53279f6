import Synchronization

/// The author of writes to the stores: the names that the stores record in their history, and the
/// numbers of the transactions that they recorded.
///
/// A context makes one per save and per executed request, and runs it inside ``write(_:)``: the
/// stores read it from `current`, a task-local value.
///
/// Sendable: the names are constant, `numbers` has a lock.
package final class TransactionOrigin: Sendable {
  @TaskLocal package static var current: TransactionOrigin?

  package let author: String?
  package let contextName: String?
  private let numbers = Mutex<[String: Int64]>([:])

  init(author: String?, contextName: String?) {
    self.author = author
    self.contextName = contextName
  }

  func write<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.$current.withValue(self, operation: body)
  }

  /// Called by a store with the number of the transaction that it is about to commit.
  package func note(_ number: Int64, of storeUUID: String) {
    numbers.withLock { $0[storeUUID] = number }
  }

  func number(of storeUUID: String) -> Int64? { numbers.withLock { $0[storeUUID] } }

  /// The token of the recorded transactions; nil if no store recorded any.
  var token: NSPersistentHistoryToken? {
    let numbers = numbers.withLock { $0 }
    return numbers.isEmpty ? nil : NSPersistentHistoryToken(numbers)
  }
}
