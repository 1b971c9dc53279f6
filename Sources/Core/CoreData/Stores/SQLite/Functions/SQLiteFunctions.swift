internal import CSQLite

/// Registers the functions of Core Data's SQL with a connection: those of ``SQLFunction``, and
/// those that triggers of derived attributes call.
enum SQLiteFunctions {
  typealias Arguments = UnsafeMutablePointer<OpaquePointer?>
  typealias Body =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  static func register(on connection: SQLiteConnection) throws {
    try registerMatching(on: connection)
    try registerValues(on: connection)
    try registerExpressions(on: connection)
    try registerTriggerFunctions(on: connection)
    try registerDecimals(on: connection)
  }

  /// Flags of a function whose result depends on its arguments alone, so that SQLite may reuse it.
  static var deterministic: Int32 { SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS }

  static func add(
    _ name: String, argumentCount: Int32, on connection: SQLiteConnection,
    flags: Int32 = deterministic, body: Body
  ) throws {
    let code = sqlite3_create_function_v2(
      connection.handle, name, argumentCount, flags, nil, body, nil, nil, nil)
    if code != SQLITE_OK { throw SQLiteConnection.error(code, of: connection.handle) }
  }

  // MARK: - Arguments

  /// The bytes of a text, valid while the function runs; nil for NULL.
  static func bytes(_ value: OpaquePointer?) -> UnsafeBufferPointer<UInt8>? {
    guard let base = sqlite3_value_text(value) else { return nil }
    return UnsafeBufferPointer(start: base, count: Int(sqlite3_value_bytes(value)))
  }

  static func text(_ value: OpaquePointer?) -> String? {
    bytes(value).map { String(decoding: $0, as: UTF8.self) }
  }

  static func options(_ value: OpaquePointer?) -> NSComparisonPredicate.Options {
    NSComparisonPredicate.Options(rawValue: UInt(sqlite3_value_int64(value)))
  }

  /// An argument as a typed value for an expression.
  static func typedValue(_ value: OpaquePointer?, kind: SQLOperand.Kind?) -> TypedValue {
    switch (sqlite3_value_type(value), kind) {
    case (SQLITE_NULL, _): .null
    case (SQLITE_TEXT, .uri): url(value)
    case (SQLITE_TEXT, _): text(value).map { .string($0) } ?? .null
    case (SQLITE_BLOB, .uuid): uuid(value)
    case (SQLITE_BLOB, _): .data(data(value))
    case (_, .date): .date(Date(timeIntervalSinceReferenceDate: sqlite3_value_double(value)))
    case (SQLITE_INTEGER, _): .integer(sqlite3_value_int64(value))
    default: .double(sqlite3_value_double(value))
    }
  }

  private static func url(_ value: OpaquePointer?) -> TypedValue {
    text(value).flatMap(URL.init(string:)).map { .hashable(AnyHashable($0)) } ?? .null
  }

  private static func uuid(_ value: OpaquePointer?) -> TypedValue {
    let bytes = data(value)
    guard bytes.count == 16 else { return .null }
    return .uuid(UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }))
  }

  static func data(_ value: OpaquePointer?) -> Data {
    let base = sqlite3_value_blob(value)
    return base.map { Data(bytes: $0, count: Int(sqlite3_value_bytes(value))) } ?? Data()
  }

  // MARK: - Results

  /// `SQLITE_TRANSIENT`, in C a cast of −1: SQLite keeps a copy. `unsafeBitCast` is sound: both are
  /// one word, and SQLite compares the value and never calls it.
  private static var copied: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }

  static func answer(_ context: OpaquePointer?, text: String) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        // An empty buffer may have no address, which SQLite would read as NULL.
        sqlite3_result_text64(
          context, $0.baseAddress ?? emptyText, UInt64($0.count), copied, UInt8(SQLITE_UTF8))
      }
    }
  }

  /// `nonisolated(unsafe)` is sound: one zero byte that is never written or freed.
  private nonisolated(unsafe) static let emptyText: UnsafePointer<CChar> = {
    let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    byte.initialize(to: 0)
    return UnsafePointer(byte)
  }()

  /// The argument as a decimal, from a number or the text that columns of decimals hold. Nil for
  /// NULL, NaN for other texts.
  static func decimal(_ value: OpaquePointer?) -> Decimal? {
    switch sqlite3_value_type(value) {
    case SQLITE_NULL: nil
    case SQLITE_INTEGER: Decimal(sqlite3_value_int64(value))
    default: text(value).flatMap { Decimal(string: $0) } ?? .nan
    }
  }

  static func answer(_ context: OpaquePointer?, bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else {
      return sqlite3_result_zeroblob(context, 0)
    }
    sqlite3_result_blob64(context, base, UInt64(bytes.count), copied)
  }

  /// Sets the result. NaN becomes NULL, as everywhere in SQLite.
  static func answer(_ context: OpaquePointer?, value: TypedValue) {
    switch value {
    case .integer(let value): sqlite3_result_int64(context, value)
    case .double(let value): sqlite3_result_double(context, value)
    case .decimal(let value):
      sqlite3_result_double(context, Number.decimal(value).doubleValue)
    case .string(let value): answer(context, text: value)
    case .date(let value): sqlite3_result_double(context, value.timeIntervalSinceReferenceDate)
    case .data(let value): value.withUnsafeBytes { answer(context, bytes: $0) }
    case .uuid(let value): withUnsafeBytes(of: value.uuid) { answer(context, bytes: $0) }
    default: sqlite3_result_null(context)
    }
  }

  /// Makes the statement fail with the error's text.
  static func fail(_ context: OpaquePointer?, error: any Error) {
    sqlite3_result_error(context, "\(error)", -1)
  }
}
