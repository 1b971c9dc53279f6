internal import CSQLite

// The functions that triggers of derived attributes call.
extension SQLiteFunctions {
  /// Functions by which Apple's triggers report changes to a context; their result is not used.
  private static let notices = [
    "NSCoreDataDATriggerUpdatedAffectedObjectValue",
    "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
    "NSCoreDataTriggerUpdateAffectedObjectValue",
  ]
  private static let now = "NSCoreDataNow"

  static func registerTriggerFunctions(on connection: SQLiteConnection) throws {
    for name in notices {
      try add(name, argumentCount: -1, on: connection, flags: SQLITE_UTF8 | SQLITE_INNOCUOUS) {
        context, _, _ in
        sqlite3_result_null(context)
      }
    }
    try registerNow(now, on: connection)
  }

  private static func registerNow(_ name: String, on connection: SQLiteConnection) throws {
    try add(name, argumentCount: 0, on: connection, flags: SQLITE_UTF8 | SQLITE_INNOCUOUS) {
      context, _, _ in
      sqlite3_result_double(context, Date().timeIntervalSinceReferenceDate)
    }
  }

  /// Registers the unknown functions that the file's triggers call. Apple's names for the functions
  /// of strings are not known from any file, so a function is chosen by the words in its name.
  static func registerFunctionsOfTriggers(on connection: SQLiteConnection) throws {
    for name in try unknownFunctions(connection) {
      let name = name.lowercased()
      if name.contains("canonical") {
        try register(name, as: "canonical:", on: connection)
      } else if name.contains("upper") {
        try register(name, as: "uppercase:", on: connection)
      } else if name.contains("lower") {
        try register(name, as: "lowercase:", on: connection)
      } else if name.hasSuffix("now") {
        try registerNow(name, on: connection)
      }
    }
  }

  private static func unknownFunctions(_ connection: SQLiteConnection) throws -> Set<String> {
    let sql = "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'Z%'"
    var names: Set<String> = []
    try connection.withStatement(sql) { statement in
      while try statement.step() {
        for match in (statement.text(0) ?? "").matches(of: /NSCoreData\w*(?=\s*\()/) {
          names.insert(String(match.output))
        }
      }
    }
    return names.subtracting(notices).subtracting([now])
  }
}
