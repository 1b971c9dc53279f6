internal import CSQLite

// CoreDataDecimalSUM, CoreDataDecimalAVG, CoreDataWholeAVG. SQLite would add doubles, whose sum
// differs from the sum of the decimal digits.
extension SQLiteFunctions {
  private final class Sum {
    var value = Decimal(0)
    var count = 0
  }

  static func registerDecimals(on connection: SQLiteConnection) throws {
    try addAggregate(SQLFunction.ofDecimals("SUM"), on: connection) { context in
      if let sum = SQLiteFunctions.takeSum(context) {
        SQLiteFunctions.answer(context, text: sum.value.description)
      }
    }
    try addAggregate(SQLFunction.ofDecimals("AVG"), on: connection) { context in
      if let sum = SQLiteFunctions.takeSum(context) {
        SQLiteFunctions.answer(context, text: (sum.value / Decimal(sum.count)).description)
      }
    }
    try addAggregate(SQLFunction.averageOfIntegers, on: connection) { context in
      if let sum = SQLiteFunctions.takeSum(context) {
        sqlite3_result_double(context, Number.decimal(sum.value).doubleValue / Double(sum.count))
      }
    }
  }

  private static func addAggregate(
    _ name: String, on connection: SQLiteConnection,
    end: @convention(c) (OpaquePointer?) -> Void
  ) throws {
    let code = sqlite3_create_function_v2(
      connection.handle, name, 1, deterministic, nil, nil,
      { context, _, arguments in
        guard let value = SQLiteFunctions.decimal(arguments?[0]),
          let sum = SQLiteFunctions.sum(context)
        else { return }
        sum.value += value
        sum.count += 1
      }, end, nil)
    if code != SQLITE_OK { throw SQLiteConnection.error(code, of: connection.handle) }
  }

  /// The pointer that SQLite keeps for each group of an aggregate; nil at first.
  private static func place(_ context: OpaquePointer?) -> UnsafeMutablePointer<UnsafeRawPointer?>? {
    sqlite3_aggregate_context(context, Int32(MemoryLayout<UnsafeRawPointer?>.size))?
      .assumingMemoryBound(to: UnsafeRawPointer?.self)
  }

  // `Unmanaged` is sound: the group's pointer retains the sum until `takeSum`, which SQLite calls
  // at the end of each group, also after an error.
  private static func sum(_ context: OpaquePointer?) -> Sum? {
    guard let place = place(context) else { return nil }
    if let known = place.pointee { return Unmanaged<Sum>.fromOpaque(known).takeUnretainedValue() }
    let made = Sum()
    place.pointee = UnsafeRawPointer(Unmanaged.passRetained(made).toOpaque())
    return made
  }

  /// The group's sum, released from its pointer. Without a value nil, and the result is NULL.
  private static func takeSum(_ context: OpaquePointer?) -> Sum? {
    guard let known = place(context)?.pointee else {
      sqlite3_result_null(context)
      return nil
    }
    return Unmanaged<Sum>.fromOpaque(known).takeRetainedValue()
  }
}
