internal import CSQLite

extension SQLiteConnection {
  /// How many of SQLite's instructions pass before it asks again: about a millisecond's.
  private static let instructions: Int32 = 100_000

  /// Lets the statements of `body` end with SQLITE_INTERRUPT soon after `isUnwanted` has become true.
  func interrupted<Result>(
    when isUnwanted: @escaping () -> Bool, _ body: () throws -> Result
  ) rethrows -> Result {
    let question = Question(isUnwanted)
    return try withExtendedLifetime(question) {
      // The handler is taken away before the question goes, and is called by this thread alone.
      sqlite3_progress_handler(
        handle, Self.instructions,
        { Unmanaged<Question>.fromOpaque($0!).takeUnretainedValue().ask() ? 1 : 0 },
        Unmanaged.passUnretained(question).toOpaque())
      defer { sqlite3_progress_handler(handle, 0, nil, nil) }
      return try body()
    }
  }

  private final class Question {
    let ask: () -> Bool
    init(_ ask: @escaping () -> Bool) { self.ask = ask }
  }
}
