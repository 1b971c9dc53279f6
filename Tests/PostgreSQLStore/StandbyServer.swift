import Foundation
import PostgreSQLServer

@testable import PostgreSQLStore

/// A standby of a server of the tests, in a temporary folder: a copy that follows it.
final class StandbyServer {
  /// Of the socket, for an address.
  let folder: String
  private let programs: String
  private var server: Process?

  init(of primary: PostgreSQLConnection) throws {
    let data = try primary.query("SELECT current_setting('data_directory')").text(0, 0)
    let socket = URL(fileURLWithPath: data).deletingLastPathComponent().path
    let newest = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")
      .max { $0.compare($1, options: .numeric) == .orderedAscending }
    programs = "/usr/lib/postgresql/\(newest ?? "")/bin"
    folder = "/tmp/standby-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
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

  deinit {
    stop()
    // What is left in a temporary folder harms nobody.
    try? FileManager.default.removeItem(atPath: folder)
  }

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

  /// Once it lets anybody in.
  func connection(_ store: URL) throws -> PostgreSQLConnection {
    let end = Date(timeIntervalSinceNow: 30)
    while true {
      do { return try PostgreSQLConnection(ServerAddress(url(of: store)), timeout: nil) } catch {
        if Date() > end { throw StandbyFailure(text: "\(error): \(log)") }
      }
      Thread.sleep(forTimeInterval: 0.05)
    }
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
  private var log: String { (try? String(contentsOfFile: logPath, encoding: .utf8)) ?? "" }
}

private struct StandbyFailure: Error, CustomStringConvertible {
  let text: String
  var description: String { text }
}
