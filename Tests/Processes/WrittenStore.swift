import CoreData
import Foundation
import TestSupport
import Testing

/// A store of ``StoreWriter``'s in a folder of its own, looked at with SQLite's shell.
final class WrittenStore {
  let folder: URL
  let url: URL
  private let isOwner: Bool

  /// One that is there already, and stays.
  init(in folder: URL, name: String) {
    self.folder = folder
    url = folder.appendingPathComponent(name)
    isOwner = false
  }

  init() throws {
    isOwner = true
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("Processes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    url = folder.appendingPathComponent("Store.sqlite")
  }

  deinit {
    // A folder that is left behind harms nobody.
    if isOwner { try? FileManager.default.removeItem(at: folder) }
  }

  /// The answer to a query, a line per row.
  func rows(_ sql: String) throws -> [String] {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "sqlite3", "-readonly", "-cmd", ".timeout \(Patience.milliseconds)", url.path, sql,
    ]
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
    let rules = Self.rulesOfNumbers + ["ZNOTE", "ZCOUNTER"].flatMap(Self.rules(of:))
    // One process for all: starting it costs more than the answers.
    let answers = try rows(rules.joined(separator: "; "))
    #expect(answers.count == rules.count, comment)
    for (rule, answer) in zip(rules, answers) { #expect(answer == "1", "\(comment): \(rule)") }
  }

  /// The file is sound, every transaction has its changes and every change its transaction, and numbers have
  /// no gaps. Each rule is SQL that gives 1.
  private static let rulesOfNumbers = [
    "SELECT integrity_check = 'ok' FROM pragma_integrity_check LIMIT 1",
    "SELECT COUNT(*) = IFNULL(MAX(Z_PK), 0) AND COUNT(*) = \(lastKey(16002)) FROM ATRANSACTION",
    "SELECT COUNT(DISTINCT ZTRANSACTIONID) = IFNULL(MAX(ZTRANSACTIONID), 0) "
      + "AND MAX(ZTRANSACTIONID) = \(lastKey(16002)) FROM ACHANGE",
    "SELECT COUNT(*) = MAX(Z_PK) AND MAX(Z_PK) = \(lastKey(16001)) FROM ACHANGE",
  ]

  private static func lastKey(_ entity: Int) -> String {
    "(SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(entity))"
  }

  /// The rows are those that were inserted and not deleted, and each has a version for every update.
  private static func rules(of table: String) -> [String] {
    let kind = "(SELECT Z_ENT FROM Z_PRIMARYKEY WHERE 'Z' || upper(Z_NAME) = '\(table)')"
    let changed = "SELECT ZENTITYPK FROM ACHANGE WHERE ZENTITY = \(kind) AND ZCHANGETYPE"
    let told = "SELECT * FROM (\(changed) = 0 EXCEPT \(changed) = 2)"
    let updates =
      "SELECT ZENTITYPK AS k, COUNT(*) AS n FROM ACHANGE WHERE ZENTITY = \(kind) "
      + "AND ZCHANGETYPE = 1 GROUP BY 1"
    return [
      "SELECT COUNT(*) = 0 FROM (\(told) EXCEPT SELECT Z_PK FROM \(table))",
      "SELECT COUNT(*) = 0 FROM (SELECT Z_PK FROM \(table) EXCEPT \(told))",
      "SELECT COUNT(*) = 0 FROM \(table) r LEFT JOIN (\(updates)) u ON u.k = r.Z_PK "
        + "WHERE r.Z_OPT <> 1 + IFNULL(u.n, 0)",
    ]
  }
}
