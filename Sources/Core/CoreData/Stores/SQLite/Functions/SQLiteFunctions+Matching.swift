internal import CSQLite

// CoreDataStringMatch(text, pattern, operator, options)
extension SQLiteFunctions {
  static func registerMatching(on connection: SQLiteConnection) throws {
    try add(SQLFunction.match, argumentCount: 4, on: connection) { context, _, arguments in
      guard let context, let arguments else { return }
      SQLiteFunctions.match(context, arguments: arguments)
    }
  }

  /// Called for every row that is compared: the text is matched in SQLite's memory.
  private static func match(_ context: OpaquePointer, arguments: Arguments) {
    guard let text = bytes(arguments[0]), let matcher = matcher(context, arguments: arguments)
    else {
      return sqlite3_result_null(context)
    }
    do {
      sqlite3_result_int(context, try matcher.matches(utf8: text) ? 1 : 0)
    } catch {
      fail(context, error: error)
    }
  }

  /// The matcher of a pattern, made once per statement for a constant one. `Unmanaged` is sound:
  /// SQLite's auxiliary data retain it.
  @inline(__always)
  private static func matcher(_ context: OpaquePointer, arguments: Arguments) -> StringMatcher? {
    if let kept = sqlite3_get_auxdata(context, 1) {
      return Unmanaged<StringMatcher>.fromOpaque(kept).takeUnretainedValue()
    }
    return makeMatcher(context, arguments: arguments)
  }

  private static func makeMatcher(
    _ context: OpaquePointer, arguments: Arguments
  ) -> StringMatcher? {
    guard let pattern = text(arguments[1]) else { return nil }
    let type = NSComparisonPredicate.Operator(
      rawValue: UInt(sqlite3_value_int64(arguments[2])))
    guard let type, let operation = StringMatcher.Operation(type) else { return nil }
    let matcher = StringMatcher(operation, pattern: pattern, options: options(arguments[3]))
    // SQLite may discard the auxiliary data at once; the local reference keeps the matcher for this
    // call.
    sqlite3_set_auxdata(
      context, 1, Unmanaged.passRetained(matcher).toOpaque(),
      { kept in kept.map { Unmanaged<StringMatcher>.fromOpaque($0).release() } })
    return matcher
  }
}
