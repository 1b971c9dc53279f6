import CoreData
import CPostgreSQL

/// libpq by hand: one connection, binary values.
final class RawDatabase {
  private let handle: OpaquePointer

  init(_ url: URL) throws {
    guard let handle = PQconnectdb(url.absoluteString) else {
      throw BenchmarkError.noConnection("libpq")
    }
    self.handle = handle
    guard PQstatus(handle) == CONNECTION_OK else {
      throw BenchmarkError.noConnection("libpq: \(String(cString: PQerrorMessage(handle)))")
    }
  }

  deinit { PQfinish(handle) }

  func execute(_ sql: String) throws {
    let result = PQexec(handle, sql)
    defer { PQclear(result) }
    guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_COPY_IN].contains(PQresultStatus(result)) else {
      throw BenchmarkError.childFailed(String(cString: PQerrorMessage(handle)))
    }
  }

  /// The first column of all rows.
  func numbers(_ sql: String) throws -> [Int] {
    let result = PQexec(handle, sql)
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_TUPLES_OK else {
      throw BenchmarkError.childFailed(String(cString: PQerrorMessage(handle)))
    }
    return (0..<PQntuples(result)).map {
      Int(String(cString: PQgetvalue(result, $0, 0))) ?? 0
    }
  }

  func number(_ sql: String) throws -> Int { try numbers(sql).first ?? 0 }

  func prepare(_ name: String, _ sql: String) throws {
    let result = PQprepare(handle, name, sql, 0, nil)
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_COMMAND_OK else {
      throw BenchmarkError.childFailed(String(cString: PQerrorMessage(handle)))
    }
  }

  /// Runs a prepared statement with binary values.
  func run(_ name: String, _ values: [[UInt8]]) throws {
    let joined = values.flatMap { $0 }
    let lengths = values.map { Int32($0.count) }
    let formats = [Int32](repeating: 1, count: values.count)
    try joined.withUnsafeBytes { bytes in
      var start = 0
      let places = values.map { value -> UnsafePointer<CChar>? in
        defer { start += value.count }
        return bytes.baseAddress!.assumingMemoryBound(to: CChar.self) + start
      }
      let result = PQexecPrepared(
        handle, name, Int32(values.count), places, lengths, formats, 1)
      defer { PQclear(result) }
      guard PQresultStatus(result) == PGRES_COMMAND_OK else {
        throw BenchmarkError.childFailed(String(cString: PQerrorMessage(handle)))
      }
    }
  }

  /// Every child as an object of a class, read from one binary result.
  func allChildren() throws -> [RawDatabaseItem] {
    let result = PQexecParams(
      handle,
      "SELECT _key, _version, \"order\", parent, date, value, title FROM \"Item\" "
        + "WHERE parent IS NOT NULL", 0, nil, nil, nil, nil, 1)
    guard let result, PQresultStatus(result) == PGRES_TUPLES_OK else {
      throw BenchmarkError.childFailed(String(cString: PQerrorMessage(handle)))
    }
    defer { PQclear(result) }
    return (0..<PQntuples(result)).map { RawDatabaseItem(result, $0) }
  }

  /// New rows by COPY, in the transaction that is open.
  func copy(_ rows: [ItemValues], startingAt first: Int64) throws {
    try execute(
      "COPY \"Item\" (_key, _version, _entity, \"order\", date, value, title) "
        + "FROM STDIN (FORMAT binary)")
    var buffer: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0]
    buffer += [UInt8](repeating: 0, count: 8)
    var key = first
    for row in rows {
      buffer.append(number: 7 as Int16)
      buffer.append(field: key)
      buffer.append(field: 1 as Int64)
      buffer.append(field: 1 as Int32)
      buffer.append(field: row.order)
      buffer.append(field: Int64((row.date + 366 * 86400) * 1e6))
      buffer.append(field: row.value.bitPattern)
      buffer.append(number: Int32(row.title.utf8.count))
      buffer += row.title.utf8
      key += 1
      if buffer.count > 1 << 16 { try send(&buffer) }
    }
    buffer.append(number: -1 as Int16)
    try send(&buffer)
    guard PQputCopyEnd(handle, nil) == 1 else { throw BenchmarkError.childFailed("COPY") }
    while let result = PQgetResult(handle) {
      defer { PQclear(result) }
      guard PQresultStatus(result) == PGRES_COMMAND_OK else {
        throw BenchmarkError.childFailed(String(cString: PQerrorMessage(handle)))
      }
    }
  }

  private func send(_ buffer: inout [UInt8]) throws {
    let sent = buffer.withUnsafeBytes {
      PQputCopyData(handle, $0.baseAddress!.assumingMemoryBound(to: CChar.self), Int32($0.count))
    }
    guard sent == 1 else { throw BenchmarkError.childFailed("COPY") }
    buffer.removeAll(keepingCapacity: true)
  }
}

/// A plain class filled by hand.
final class RawDatabaseItem {
  let key: Int64
  let title: String?
  let order: Int64
  let date: Date?
  let value: Double
  let parent: Int64

  init(_ result: OpaquePointer, _ row: Int32) {
    func integer(_ column: Int32) -> Int64 {
      let bytes = UnsafeRawPointer(PQgetvalue(result, row, column)!)
      return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
    }
    key = integer(0)
    order = integer(2)
    parent = integer(3)
    date = Date(timeIntervalSinceReferenceDate: Double(integer(4)) / 1e6 - 366 * 86400)
    value = Double(bitPattern: UInt64(bitPattern: integer(5)))
    let length = Int(PQgetlength(result, row, 6))
    title = String(
      decoding: UnsafeRawBufferPointer(start: PQgetvalue(result, row, 6), count: length),
      as: UTF8.self)
  }
}

extension [UInt8] {
  /// A number with the highest byte first.
  init(_ value: some FixedWidthInteger) {
    self = Swift.withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  fileprivate mutating func append(number value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }

  fileprivate mutating func append(field value: some FixedWidthInteger) {
    append(number: Int32(value.bitWidth / 8))
    append(number: value)
  }
}
