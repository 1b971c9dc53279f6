import CSQLite

/// The settings of a connection that decide what a write and a read cost.
struct ConnectionSettings: Equatable, CustomStringConvertible {
  let journalMode: String
  let synchronous: String
  let pageSize: String
  let autoVacuum: String

  init(of handle: OpaquePointer) throws {
    journalMode = try Self.pragma("journal_mode", of: handle)
    synchronous = try Self.pragma("synchronous", of: handle)
    pageSize = try Self.pragma("page_size", of: handle)
    autoVacuum = try Self.pragma("auto_vacuum", of: handle)
  }

  private static func pragma(_ name: String, of handle: OpaquePointer) throws -> String {
    let statement = try RawStatement("PRAGMA \(name)", on: handle)
    _ = try statement.step()
    return statement.text(0) ?? ""
  }

  var description: String {
    "journal_mode \(journalMode), synchronous \(synchronous), page_size \(pageSize), "
      + "auto_vacuum \(autoVacuum)"
  }
}
