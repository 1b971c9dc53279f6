import Foundation
import PostgreSQLServer
import TestSupport

@testable import PostgreSQLStore

/// A standby of a server of the tests, in a temporary folder: a copy that follows it.
final class StandbyServer {
  private let place: TestFolder
  /// Of the socket, for an address.
  var folder: String { place.url.path }
  private let programs: String
  private var server: Process?

  init(of primary: PostgreSQLConnection) throws {
    let data = try primary.query("SELECT current_setting('data_directory')").text(0, column: 0)
    let socket = URL(fileURLWithPath: data).deletingLastPathComponent().path
    let newest = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")
      .max { $0.compare($1, options: .numeric) == .orderedAscending }
    programs = "/usr/lib/postgresql/\(newest ?? "")/bin"
    place = try TestFolder(isShort: true)
    guard FileManager.default.createFile(atPath: logPath, contents: nil) else {
      throw CocoaError(.fileWriteUnknown)
    }
    // A server does not run as root, nor in a folder of root's.
    let owner = try FileManager.default.attributesOfItem(atPath: data)[.ownerAccountID]
    try FileManager.default.setAttributes([.ownerAccountID: owner ?? 0], ofItemAtPath: folder)
    let copying = try run([
      "\(programs)/pg_basebackup", "-h", socket, "-U", "coredata", "-D", "\(folder)/data", "-R",
      "-X", "stream", "-c", "fast", "--no-sync",
    ])
    copying.waitUntilExit()
    guard copying.terminationStatus == 0 else { throw StandbyFailure(text: log) }
    try start()
  }

  deinit { stop() }

  func start() throws {
    server = try run([
      "\(programs)/postgres", "-D", "\(folder)/data", "-c", "unix_socket_directories=\(folder)",
      "-c", "listen_addresses=", "-c", "hot_standby=on", "-c", "fsync=off",
      "-c", "max_connections=400",
    ])
  }

  func stop() {
    server?.interrupt()
    server?.waitUntilExit()
    server = nil
  }

  /// The address of the same store here.
  func url(of store: URL) throws -> URL {
    guard var components = URLComponents(url: store, resolvingAgainstBaseURL: false),
      let items = components.queryItems
    else { throw CocoaError(.fileReadUnknown) }
    components.queryItems = items.map { item in
      item.name == "host" ? URLQueryItem(name: "host", value: folder) : item
    }
    guard let url = components.url else { throw CocoaError(.fileReadUnknown) }
    return url
  }

  /// A connection of the test's own, once it lets anybody in. It is known by its name: a session that has ended is seen for
  /// a moment longer, and is none of the store's.
  func connection(_ store: URL) throws -> PostgreSQLConnection {
    do {
      return try Patience.find("a standby that lets somebody in") {
        // Until then it says why it does not.
        try? connectionAtOnce(store)
      }
    } catch { throw StandbyFailure(text: "\(error): \(log)") }
  }

  /// The same, if it lets somebody in now.
  func connectionAtOnce(_ store: URL) throws -> PostgreSQLConnection {
    let address = try url(of: store).absoluteString + "&application_name=beside"
    guard let url = URL(string: address) else { throw CocoaError(.fileReadUnknown) }
    return try PostgreSQLConnection(ServerAddress(url), timeout: 5)
  }

  /// Stops the replay of the primary's log, or lets it go on, and returns when it does.
  func pause(_ isPaused: Bool, _ beside: PostgreSQLConnection) throws {
    try beside.query("SELECT pg_wal_replay_\(isPaused ? "pause" : "resume")()")
    let wanted = isPaused ? "paused" : "not paused"
    try Patience.wait(for: "the replay to be \(wanted)") {
      try beside.query("SELECT pg_get_wal_replay_pause_state()").text(0, column: 0) == wanted
    }
  }

  /// Of the sessions of stores that have read the books by one statement: how many there are, and when the last began to.
  func reads(_ beside: PostgreSQLConnection) throws -> (count: Int64, last: Int64) {
    let result = try beside.query(
      "SELECT count(*), coalesce((extract(epoch FROM max(query_start)) * 1000000)::bigint, 0) "
        + "FROM pg_stat_activity WHERE application_name = 'CoreData' AND query LIKE '%\"Book\"%'")
    return (result.integer(0, column: 0), result.integer(0, column: 1))
  }

  /// What it says itself of the primary's log, how far that has come and which sessions of stores there are; then its own log's end.
  func story(_ beside: PostgreSQLConnection) throws -> String {
    let result = try beside.query(
      """
      SELECT concat_ws(', ', pg_get_wal_replay_pause_state(), pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn(),
        (SELECT status FROM pg_stat_wal_receiver), (SELECT string_agg(concat_ws(' ', state, query), '; ')
        FROM pg_stat_activity WHERE application_name = 'CoreData'))
      """)
    return "\(result.text(0, column: 0)); \(log.suffix(500))"
  }

  private func run(_ command: [String]) throws -> Process {
    let process = Process()
    let isRoot = getuid() == 0
    process.executableURL = URL(fileURLWithPath: isRoot ? "/usr/bin/setpriv" : command[0])
    process.arguments =
      isRoot
      ? ["--reuid", "postgres", "--regid", "postgres", "--clear-groups"] + command
      : Array(command.dropFirst())
    process.currentDirectoryURL = URL(fileURLWithPath: "/tmp")
    let output = try FileHandle(forWritingTo: URL(fileURLWithPath: logPath))
    try output.seekToEnd()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    return process
  }

  private var logPath: String { "\(folder)/log" }
  var log: String { (try? String(contentsOfFile: logPath, encoding: .utf8)) ?? "" }
}

private struct StandbyFailure: Error, CustomStringConvertible {
  let text: String
  var description: String { text }
}
