import Synchronization

/// Who writes to the stores: what their history notes of it, and what they noted.
///
/// A context makes one for each save and for each request that it executes, and runs it inside of
/// ``write(_:)``: so the stores learn of it on the way of any request.
///
/// Sendable: the names are constant, `numbers` has its lock.
package final class TransactionOrigin: Sendable {
  @TaskLocal package static var current: TransactionOrigin?

  package let author: String?
  package let contextName: String?
  private let numbers = Mutex<[String: Int64]>([:])

  /// A child's requests are its root's.
  init(_ context: NSManagedObjectContext) {
    let root = context.root
    (author, contextName) =
      root === context
      ? (context.transactionAuthor, context.name)
      : root.confinement.performAndWait { (root.transactionAuthor, root.name) }
  }

  func write<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.$current.withValue(self, operation: body)
  }

  /// Called by a store with the number of the transaction that it is about to commit.
  package func note(_ number: Int64, of storeUUID: String) {
    numbers.withLock { $0[storeUUID] = number }
  }

  func number(of storeUUID: String) -> Int64? { numbers.withLock { $0[storeUUID] } }

  /// What was written; nil if no store noted anything.
  var token: NSPersistentHistoryToken? {
    let numbers = numbers.withLock { $0 }
    return numbers.isEmpty ? nil : NSPersistentHistoryToken(numbers)
  }
}
