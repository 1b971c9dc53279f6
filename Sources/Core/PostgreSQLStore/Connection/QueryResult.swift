internal import CPostgreSQL
import CoreData

/// The rows of a result, in binary format. Used by one thread.
final class QueryResult {
  private let result: OpaquePointer
  let count: Int

  init(_ result: OpaquePointer) {
    self.result = result
    count = Int(PQntuples(result))
  }

  deinit { PQclear(result) }

  /// The number of rows that a statement wrote or returned.
  var affected: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

  func isNull(_ row: Int, column: Int) -> Bool {
    PQgetisnull(result, Int32(row), Int32(column)) == 1
  }

  /// An integer of any width; 0 for null.
  func integer(_ row: Int, column: Int) -> Int64 {
    let bytes = bytes(row, column: column)
    switch bytes.count {
    case 8: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
    case 4: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
    case 2: return Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
    // A boolean, which is unsigned.
    case 1: return Int64(bytes[0])
    default: return 0
    }
  }

  func real(_ row: Int, column: Int) -> Double {
    Double(bitPattern: UInt64(bitPattern: integer(row, column: column)))
  }

  func text(_ row: Int, column: Int) -> String {
    String(decoding: bytes(row, column: column), as: UTF8.self)
  }

  func data(_ row: Int, column: Int) -> Data { Data(bytes(row, column: column)) }

  /// Valid as long as the result.
  private func bytes(_ row: Int, column: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: PQgetvalue(result, Int32(row), Int32(column)),
      count: Int(PQgetlength(result, Int32(row), Int32(column))))
  }
}
