internal import CPostgreSQL
import CoreData

/// The rows that a statement gave, in binary form. Used by one thread.
final class QueryResult {
  private let result: OpaquePointer
  let count: Int

  init(_ result: OpaquePointer) {
    self.result = result
    count = Int(PQntuples(result))
  }

  deinit { PQclear(result) }

  /// How many rows a statement wrote, or read.
  var affected: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

  func isNull(_ row: Int, _ column: Int) -> Bool {
    PQgetisnull(result, Int32(row), Int32(column)) == 1
  }

  /// Of any width; 0 for nil.
  func integer(_ row: Int, _ column: Int) -> Int64 {
    let bytes = bytes(row, column)
    guard let first = bytes.first else { return 0 }
    // The sign is the first byte's.
    var value: Int64 = bytes.count > 1 && first & 0x80 != 0 ? -1 : 0
    for byte in bytes { value = value << 8 | Int64(byte) }
    return value
  }

  func real(_ row: Int, _ column: Int) -> Double {
    Double(bitPattern: UInt64(bitPattern: integer(row, column)))
  }

  func text(_ row: Int, _ column: Int) -> String {
    String(decoding: bytes(row, column), as: UTF8.self)
  }

  func data(_ row: Int, _ column: Int) -> Data { Data(bytes(row, column)) }

  /// Valid as long as the result is.
  private func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: PQgetvalue(result, Int32(row), Int32(column)),
      count: Int(PQgetlength(result, Int32(row), Int32(column))))
  }
}
