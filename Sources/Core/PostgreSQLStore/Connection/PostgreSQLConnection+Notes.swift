internal import CPostgreSQL
import CoreData

// LISTEN and NOTIFY.
extension PostgreSQLConnection {
  var socket: Int32 { PQsocket(handle) }

  /// The payloads of notifications that have arrived; nil if the connection is lost.
  func notes() -> [String]? {
    guard PQconsumeInput(handle) == 1, PQstatus(handle) == CONNECTION_OK else { return nil }
    var notes: [String] = []
    while let note = PQnotifies(handle) {
      notes.append(String(cString: note.pointee.extra))
      PQfreemem(note)
    }
    return notes
  }
}
