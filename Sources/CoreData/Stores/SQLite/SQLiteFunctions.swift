internal import CSQLite

/// The functions and collations that Core Data's SQL uses, registered with each connection.
///
///     CoreDataStringMatch(text, pattern, operation, options)   BEGINSWITH, LIKE, … with their options
///     CoreDataCaseInsensitive, CoreDataLocalized, …            collations of the sort selectors
///     NSCoreDataDATrigger…(…)                                  called by the triggers of derived attributes
enum SQLiteFunctions {
  static func register(on connection: SQLiteConnection) throws {
    try registerMatch(connection)
    try registerTriggerFunctions(connection)
    for (selector, name) in SQLDialect.sqlite.collations {
      try registerCollation(name, selector, connection)
    }
  }

  private static var flags: Int32 { SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS }

  // MARK: - Matching

  private static func registerMatch(_ connection: SQLiteConnection) throws {
    let code = sqlite3_create_function_v2(
      connection.handle, SQLDialect.sqlite.matchFunction, 4, flags, nil,
      { context, _, arguments in
        guard let context, let arguments else { return }
        SQLiteFunctions.match(context, arguments)
      }, nil, nil, nil)
    try check(code, connection)
  }

  private static func match(
    _ context: OpaquePointer, _ arguments: UnsafeMutablePointer<OpaquePointer?>
  ) {
    guard let text = text(arguments[0]), let matcher = matcher(context, arguments) else {
      return sqlite3_result_null(context)
    }
    do {
      sqlite3_result_int(context, try matcher.matcher.matches(text) ? 1 : 0)
    } catch {
      sqlite3_result_error(context, "\(error)", -1)
    }
  }

  private static func text(_ value: OpaquePointer?) -> String? {
    guard let base = sqlite3_value_text(value) else { return nil }
    let count = Int(sqlite3_value_bytes(value))
    return String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
  }

  /// The matcher of a constant pattern is made once per statement and kept with its parameter.
  private static func matcher(
    _ context: OpaquePointer, _ arguments: UnsafeMutablePointer<OpaquePointer?>
  ) -> KeptMatcher? {
    if let kept = sqlite3_get_auxdata(context, 1) {
      return Unmanaged<KeptMatcher>.fromOpaque(kept).takeUnretainedValue()
    }
    guard let pattern = text(arguments[1]) else { return nil }
    let type = NSComparisonPredicate.Operator(
      rawValue: UInt(sqlite3_value_int64(arguments[2])))
    guard let type, let operation = StringMatcher.Operation(type) else { return nil }
    let options = NSComparisonPredicate.Options(
      rawValue: UInt(sqlite3_value_int64(arguments[3])))
    let matcher = KeptMatcher(StringMatcher(operation, pattern: pattern, options: options))
    // SQLite may drop what it is given at once; this reference keeps it for the current call.
    sqlite3_set_auxdata(
      context, 1, Unmanaged.passRetained(matcher).toOpaque(),
      { kept in kept.map { Unmanaged<KeptMatcher>.fromOpaque($0).release() } })
    return matcher
  }

  private final class KeptMatcher {
    let matcher: StringMatcher
    init(_ matcher: StringMatcher) { self.matcher = matcher }
  }

  // MARK: - Triggers

  /// Triggers tell a context through these what they changed; the answer is not used.
  private static func registerTriggerFunctions(_ connection: SQLiteConnection) throws {
    for name in [
      "NSCoreDataDATriggerUpdatedAffectedObjectValue",
      "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
    ] {
      let code = sqlite3_create_function_v2(
        connection.handle, name, -1, SQLITE_UTF8 | SQLITE_INNOCUOUS, nil,
        { context, _, _ in sqlite3_result_null(context) }, nil, nil, nil)
      try check(code, connection)
    }
  }

  // MARK: - Collations

  private final class KeptSelector {
    let selector: SortSelector
    init(_ selector: SortSelector) { self.selector = selector }
  }

  private static func registerCollation(
    _ name: String, _ selector: SortSelector, _ connection: SQLiteConnection
  ) throws {
    let kept = Unmanaged.passRetained(KeptSelector(selector)).toOpaque()
    let code = sqlite3_create_collation_v2(
      connection.handle, name, SQLITE_UTF8, kept,
      { kept, leftCount, left, rightCount, right in
        guard let kept else { return 0 }
        let selector = Unmanaged<KeptSelector>.fromOpaque(kept).takeUnretainedValue().selector
        let order = selector.order(
          SQLiteFunctions.text(left, leftCount), SQLiteFunctions.text(right, rightCount))
        return Int32(order.rawValue)
      },
      { kept in kept.map { Unmanaged<KeptSelector>.fromOpaque($0).release() } })
    try check(code, connection)
  }

  private static func text(_ base: UnsafeRawPointer?, _ count: Int32) -> String {
    String(decoding: UnsafeRawBufferPointer(start: base, count: Int(count)), as: UTF8.self)
  }

  private static func check(_ code: Int32, _ connection: SQLiteConnection) throws {
    if code != SQLITE_OK { throw SQLiteConnection.error(code, of: connection.handle) }
  }
}
