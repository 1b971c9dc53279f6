import CoreData
import PostgreSQLServer
import TestSupport
import Testing

@testable import PostgreSQLStore

/// Fetches that wait for the server when they are given up: here for a lock that somebody else has.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct CancellationTests {
  enum Form: CaseIterable {
    case rows, finishedInMemory, identities, count, dictionaries
  }

  private func request(_ form: Form) -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
    switch form {
    case .rows: break
    case .finishedInMemory: request.predicate = NSPredicate(format: "title ENDSWITH 'x'")
    case .identities: request.resultType = .managedObjectIDResultType
    case .count: request.resultType = .countResultType
    case .dictionaries: request.resultType = .dictionaryResultType
    }
    return request
  }

  @Test(arguments: Form.allCases, [true, false])
  func aFetchThatIsCancelledEndsOnTheServerToo(_ form: Form, _ byProgress: Bool) async throws {
    let stack = try ServerStack()
    try stack.add("a", "b")
    let blocker = try stack.connection()
    try blocker.execute("BEGIN")
    try blocker.execute("LOCK TABLE \"Book\" IN ACCESS EXCLUSIVE MODE")
    let context = stack.context()
    let progress = Progress(totalUnitCount: 1)
    let error = try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<(any Error)?, any Error>) in
      context.perform {
        let fetch = NSAsynchronousFetchRequest(fetchRequest: request(form)) {
          continuation.resume(returning: $0.operationError)
        }
        progress.becomeCurrent(withPendingUnitCount: 1)
        defer { progress.resignCurrent() }
        do {
          let result = try context.execute(fetch) as? NSPersistentStoreAsynchronousResult
          // Once the server is at it.
          Thread.detachNewThread {
            do {
              try Patience.wait(for: "the fetch to wait") { try stack.waiting() > 0 }
            } catch { Issue.record(error) }
            if byProgress { progress.cancel() } else { result?.cancel() }
          }
        } catch { continuation.resume(throwing: error) }
      }
    }
    #expect((error as? CocoaError)?.code == .userCancelled)
    try await Patience.waiting(for: "the end of the query") { try stack.waiting() == 0 }
    try blocker.execute("ROLLBACK")
    // The others are not disturbed.
    #expect(try stack.titles() == ["a", "b"])
  }
}

extension ServerStack {
  /// How many statements wait for a lock on the books.
  fileprivate func waiting() throws -> Int64 {
    try connection().query(
      "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = '\"Book\"'::regclass"
    ).integer(0, column: 0)
  }
}
