import Foundation
import PostgreSQLServer
import TestSupport
import Testing

@testable import StoreWriter

/// A thousand tasks that ask for a store at once leave everything else of their process alive, and few threads.
/// `HEART_TASKS` is another number.
@Suite(.serialized) struct HeartTests {
  private static let tasks =
    ProcessInfo.processInfo.environment["HEART_TASKS"].flatMap(Int.init) ?? 1000

  private func beat(
    _ title: String, _ place: String, _ call: HeartWork.Call, _ kind: HeartWork.Kind,
    timeout: Double, failures: Int, whileSilent proxy: CuttingProxy? = nil
  ) throws {
    let process = try WriterProcess(
      "heart", place, call.rawValue, kind.rawValue, "\(timeout)", "\(Self.tasks)")
    try #require(process.line() == "ready")
    proxy?.beSilent()
    try process.tell("go")
    let report = try process.value(HeartWork.Report.self)
    #expect(process.waitUntilExit() == 0)
    let load = String(format: "%.1f", Patience.load)
    print(
      "Heart, \(title), \(call), \(kind): longest gap "
        + String(format: "%.1f ms (99 %%: %.1f ms), ", report.longestGap, report.usualGap)
        + "\(report.threads) threads, \(Self.tasks) tasks in \(report.time) s, load \(load)")
    #expect(report.failures == failures)
    #expect(report.threads < 100)
    // A few tens on an idle machine: what is printed says how long. Without threads it was seconds.
    #expect(report.longestGap < 500 * Patience.stretch)
  }

  @Test(arguments: HeartWork.Call.allCases, [HeartWork.Kind.count, .save])
  func aFile(_ call: HeartWork.Call, _ kind: HeartWork.Kind) throws {
    let folder = try TestFolder()
    try beat(
      "SQLite", folder.file("Notes.sqlite").path, call, kind, timeout: 600, failures: 0)
  }

  @Test(
    .enabled(if: PostgreSQLServer.isAvailable),
    arguments: HeartWork.Call.allCases, [HeartWork.Kind.count, .save])
  func aServer(_ call: HeartWork.Call, _ kind: HeartWork.Kind) throws {
    let url = try PostgreSQLServer.url(schema: "heart_\(UUID().uuidString.prefix(8).lowercased())")
    try beat("PostgreSQL", url.absoluteString, call, kind, timeout: 600, failures: 0)
  }

  @Test(
    .enabled(if: PostgreSQLServer.isAvailable),
    arguments: HeartWork.Call.allCases, [HeartWork.Kind.count, .save])
  func aSilentServer(_ call: HeartWork.Call, _ kind: HeartWork.Kind) throws {
    let url = try PostgreSQLServer.url(schema: "heart_\(UUID().uuidString.prefix(8).lowercased())")
    let (proxy, address) = try CuttingProxy.before(url)
    defer { proxy.close() }
    try beat(
      "silent PostgreSQL", address.absoluteString, call, kind, timeout: 1, failures: Self.tasks,
      whileSilent: proxy)
  }
}
