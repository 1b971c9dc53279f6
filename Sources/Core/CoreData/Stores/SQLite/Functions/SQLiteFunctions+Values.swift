internal import CSQLite
import Predicates

// CoreDataFold, CoreDataOrder, CoreDataSortKey, CoreDataReal, CoreDataData, CoreDataFloat
extension SQLiteFunctions {
  static func registerValues(on connection: SQLiteConnection) throws {
    try add(SQLFunction.fold, argumentCount: 2, on: connection) { context, _, arguments in
      guard let arguments, let text = SQLiteFunctions.text(arguments[0]) else {
        return sqlite3_result_null(context)
      }
      let folding = StringFolding(SQLiteFunctions.options(arguments[1]))
      SQLiteFunctions.answer(context, text: folding.fold(text))
    }
    try add(SQLFunction.order, argumentCount: 3, on: connection) { context, _, arguments in
      guard let arguments, let left = SQLiteFunctions.text(arguments[0]),
        let right = SQLiteFunctions.text(arguments[1])
      else { return sqlite3_result_null(context) }
      let folding = StringFolding(SQLiteFunctions.options(arguments[2]))
      sqlite3_result_int(context, Int32(folding.order(left, right).rawValue))
    }
    try add(SQLFunction.sortKey, argumentCount: 2, on: connection) { context, _, arguments in
      SQLiteFunctions.sortKey(context, arguments: arguments)
    }
    try registerListElements(on: connection)
  }

  private static func sortKey(_ context: OpaquePointer?, arguments: Arguments?) {
    guard let arguments, let text = text(arguments[0]),
      let selector = self.text(arguments[1]).flatMap(SortSelector.init(rawValue:))
    else { return sqlite3_result_null(context) }
    selector.key(for: text).withUnsafeBytes { answer(context, bytes: $0) }
  }

  private static func registerListElements(on connection: SQLiteConnection) throws {
    try add(SQLFunction.real, argumentCount: 1, on: connection) { context, _, arguments in
      let bits = sqlite3_value_int64(arguments?[0])
      sqlite3_result_double(context, Double(bitPattern: UInt64(bitPattern: bits)))
    }
    try add(SQLFunction.data, argumentCount: 1, on: connection) { context, _, arguments in
      guard let text = SQLiteFunctions.text(arguments?[0]), let data = Data(base64Encoded: text)
      else { return sqlite3_result_null(context) }
      data.withUnsafeBytes { SQLiteFunctions.answer(context, bytes: $0) }
    }
    try add(SQLFunction.float, argumentCount: 1, on: connection) { context, _, arguments in
      guard let value = arguments?[0], sqlite3_value_type(value) != SQLITE_NULL else {
        return sqlite3_result_null(context)
      }
      let isInteger = sqlite3_value_type(value) == SQLITE_INTEGER
      sqlite3_result_double(
        context,
        Double(
          isInteger ? Float(sqlite3_value_int64(value)) : Float(sqlite3_value_double(value))))
    }
  }
}
