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
    process.executableURL = try Self.executable()
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var text = ""
    while !text.hasSuffix("\n") {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { break }
      text += String(decoding: data, as: UTF8.self)
    }
    try #require(text == "Sync is at \(url)\n")
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
    process.executableURL = try executable()
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

  /// It lies beside the bundle of the tests.
  static func executable(_ name: String = "coredata") throws -> URL {
    let places = [Bundle.main.executableURL, URL(fileURLWithPath: CommandLine.arguments[0])]
      .compactMap { $0?.deletingLastPathComponent().appendingPathComponent(name) }
    return try #require(
      places.first { FileManager.default.isExecutableFile(atPath: $0.path) },
      "\(name) is not built")
  }
}
