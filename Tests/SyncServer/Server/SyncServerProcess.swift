import Foundation
import TestSupport
import Testing

/// `coredata sync-server` as a process of its own, which may be killed and started again on its port.
final class SyncServerProcess {
  private var process = Process()
  private let arguments: [String]
  let url: URL

  init(store: String, keys: URL) throws {
    let port = try LentPorts.lend()
    url = try #require(URL(string: "http://127.0.0.1:\(port)"))
    arguments = [
      "sync-server", "--store", store, "--keys", keys.path, "--listen", "127.0.0.1:\(port)",
    ]
  }

  deinit { kill() }

  /// Until it says where it is.
  func start() throws {
    process = Process()
    process.executableURL = try BuiltProgram.url("coredata")
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    let lines = PrintedLines(of: process)
    try process.run()
    try #require(lines.next() == "Sync is at \(url)")
  }

  /// SIGKILL.
  func kill() { end(SIGKILL) }

  /// SIGTERM; the status with which it ends.
  @discardableResult
  func stop() -> Int32 { end(SIGTERM) }

  @discardableResult
  private func end(_ signal: Int32) -> Int32 {
    guard process.isRunning else { return 0 }
    Glibc.kill(process.processIdentifier, signal)
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// What another subcommand prints.
  static func run(_ arguments: String...) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = try BuiltProgram.url("coredata")
    process.arguments = ["sync-server"] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
