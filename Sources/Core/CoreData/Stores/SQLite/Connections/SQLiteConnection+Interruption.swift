internal import CSQLite

extension SQLiteConnection {
  /// The number of SQLite's instructions between two checks: about a millisecond.
  private static let instructions: Int32 = 100_000

  /// Runs `body`; its statements end with SQLITE_INTERRUPT soon after `isUnwanted` has become true.
  func interrupted<Result>(
    when isUnwanted: @escaping () -> Bool, _ body: () throws -> Result
  ) rethrows -> Result {
    let question = Question(isUnwanted)
    return try withExtendedLifetime(question) {
      // `Unmanaged` is sound: `question` outlives the handler, which is removed before the call
      // returns, and which SQLite calls on this thread alone.
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
