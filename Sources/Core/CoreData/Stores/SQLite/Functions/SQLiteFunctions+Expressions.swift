internal import CSQLite
import KeyValueCoding
import Predicates

// The functions of expressions and CAST, computed as in memory.
extension SQLiteFunctions {
  /// The name of the expression function behind a registered function, passed to SQLite as its user
  /// data.
  private final class KeptFunction {
    let name: String
    init(_ name: String) { self.name = name }
  }

  static func registerExpressions(on connection: SQLiteConnection) throws {
    for (name, function) in SQLFunction.namesOfExpressions {
      try register(name, as: function, on: connection)
    }
    try add(SQLFunction.cast, argumentCount: 3, on: connection) { context, _, arguments in
      guard let arguments else { return }
      SQLiteFunctions.cast(context, arguments: arguments)
    }
    try add(SQLFunction.property, argumentCount: 3, on: connection) { context, _, arguments in
      guard let arguments else { return }
      SQLiteFunctions.property(context, arguments: arguments)
    }
  }

  /// Registers a function of expressions under a name.
  static func register(
    _ name: String, as function: String, on connection: SQLiteConnection
  ) throws {
    let kept = Unmanaged.passRetained(KeptFunction(function)).toOpaque()
    let code = sqlite3_create_function_v2(
      connection.handle, name, -1, deterministic, kept,
      // Sound: the connection retains the name until SQLite destroys the function.
      { context, count, arguments in
        guard let arguments, let kept = sqlite3_user_data(context) else { return }
        let name = Unmanaged<KeptFunction>.fromOpaque(kept).takeUnretainedValue().name
        SQLiteFunctions.call(
          name, in: context, arguments: UnsafeBufferPointer(start: arguments, count: Int(count)))
      }, nil, nil, { kept in kept.map { Unmanaged<KeptFunction>.fromOpaque($0).release() } })
    if code != SQLITE_OK { throw SQLiteConnection.error(code, of: connection.handle) }
  }

  private static func call(
    _ name: String, in context: OpaquePointer?, arguments: UnsafeBufferPointer<OpaquePointer?>
  ) {
    do {
      let values = arguments.map { typedValue($0, kind: nil) }
      answer(context, value: try ExpressionFunction.value(of: name, values, nilRule: .sql))
    } catch {
      fail(context, error: error)
    }
  }

  private static func cast(_ context: OpaquePointer?, arguments: Arguments) {
    let kind = SQLOperand.Kind(code: Int(sqlite3_value_int64(arguments[1])))
    do {
      answer(
        context,
        value: try ExpressionFunction.cast(
          typedValue(arguments[0], kind: kind), to: text(arguments[2]) ?? "", nilRule: .sql))
    } catch {
      fail(context, error: error)
    }
  }

  private static func property(_ context: OpaquePointer?, arguments: Arguments) {
    let kind = SQLOperand.Kind(code: Int(sqlite3_value_int64(arguments[1])))
    guard let value = typedValue(arguments[0], kind: kind).any, let key = text(arguments[2]),
      let answer = ValueProperty.value(of: value, forKey: key)
    else { return sqlite3_result_null(context) }
    self.answer(context, value: TypedValue(answer))
  }
}
