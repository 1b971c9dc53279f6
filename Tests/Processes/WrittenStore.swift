import CoreData
import Foundation
import Testing

/// A store of ``StoreWriter``'s in a folder of its own, looked at with SQLite's shell.
final class WrittenStore {
  let folder: URL
  var url: URL { folder.appendingPathComponent("Store.sqlite") }

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("Processes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    // A folder that is left behind harms nobody.
    try? FileManager.default.removeItem(at: folder)
  }

  /// The answer to a query, a line per row.
  func rows(_ sql: String) throws -> [String] {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", "-readonly", "-cmd", ".timeout 5000", url.path, sql]
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "sqlite3 on \(sql)")
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  func number(_ sql: String) throws -> Int {
    let first = try rows(sql).first
    return try #require(first.flatMap { Int($0) })
  }

  // MARK: - The history

  /// Whether the history tells how every row has come to be what it is.
  func checkHistory(_ comment: Comment) throws {
    #expect(try rows("PRAGMA integrity_check") == ["ok"], comment)
    for table in ["ZNOTE", "ZCOUNTER"] { try check(table, comment) }
    // Every transaction has its changes, every change its transaction, and numbers have no gaps.
    let numbers =
      "SELECT COUNT(*) || ' ' || IFNULL(MAX(Z_PK), 0) FROM ATRANSACTION UNION ALL "
      + "SELECT COUNT(DISTINCT ZTRANSACTIONID) || ' ' || IFNULL(MAX(ZTRANSACTIONID), 0) FROM ACHANGE "
      + "UNION ALL SELECT Z_MAX || ' ' || Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 16002"
    let found = Set(try rows(numbers))
    #expect(found.count == 1, comment)
    let changes =
      "SELECT COUNT(*) = MAX(Z_PK) AND MAX(Z_PK) = "
      + "(SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 16001) FROM ACHANGE"
    #expect(try rows(changes) == ["1"], comment)
  }

  /// The rows are those that were inserted and not deleted, and each has a version for every update.
  private func check(_ table: String, _ comment: Comment) throws {
    let kind = "(SELECT Z_ENT FROM Z_PRIMARYKEY WHERE 'Z' || upper(Z_NAME) = '\(table)')"
    let changed = "SELECT ZENTITYPK FROM ACHANGE WHERE ZENTITY = \(kind) AND ZCHANGETYPE"
    let told = "SELECT * FROM (\(changed) = 0 EXCEPT \(changed) = 2)"
    for sql in [
      "SELECT COUNT(*) FROM (\(told) EXCEPT SELECT Z_PK FROM \(table))",
      "SELECT COUNT(*) FROM (SELECT Z_PK FROM \(table) EXCEPT \(told))",
      "SELECT COUNT(*) FROM \(table) r WHERE Z_OPT <> 1 + "
        + "(SELECT COUNT(*) FROM ACHANGE WHERE ZENTITY = r.Z_ENT AND ZENTITYPK = r.Z_PK "
        + "AND ZCHANGETYPE = 1)",
    ] {
      #expect(try rows(sql) == ["0"], "\(comment): \(sql)")
    }
  }
}
