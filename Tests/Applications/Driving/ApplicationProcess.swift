import Foundation
import TestSupport

/// A built application as a process of its own, on a port and a store of its own.
///
/// Its home is the folder of the store, so that it neither finds nor leaves settings of the user's.
final class ApplicationProcess {
  private let process = Process()
  private let output: PrintedLines
  private let errors: URL
  /// Where the page is; read from what the application prints.
  private(set) var address: URL

  /// Starts the application and waits until it says where it is: on a port of its own that it can be started on again, unless
  /// one is given.
  ///
  /// - Parameters:
  ///   - subcommand: of a command that takes its store as an argument.
  ///   - server: where the store is, if not in the file, whose folder is the home all the same.
  init(
    _ name: String = "nested-lists", subcommand: String? = nil, store: URL, server: URL? = nil,
    port: Int? = nil, arguments: [String] = []
  ) throws {
    address = store
    output = PrintedLines(of: process)
    errors = store.deletingLastPathComponent().appendingPathComponent("\(UUID()).errors")
    try Data().write(to: errors)
    process.executableURL = try BuiltProgram.url(name)
    let place =
      subcommand.map { [$0, store.path] } ?? ["--store", server?.absoluteString ?? store.path]
    process.arguments = place + ["--port", "\(try port ?? LentPorts.lend())"] + arguments
    process.environment = Self.environment(home: store.deletingLastPathComponent())
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    address = try readAddress()
  }

  deinit { kill() }

  /// SIGKILL: nothing in the process gets a chance to tidy up.
  func kill() { process.killAndWait() }

  /// SIGTERM: the application saves and ends. Returns its exit status.
  @discardableResult
  func terminate() -> Int32 {
    process.terminate()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// What it has written to its standard error.
  var complaints: String {
    get throws { try String(contentsOf: errors, encoding: .utf8) }
  }

  /// The resident memory in bytes.
  var residentMemory: Int {
    get throws {
      let status = try String(
        contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
      return (Int(line.filter(\.isNumber)) ?? 0) * 1024
    }
  }

  private func readAddress() throws -> URL {
    do {
      let address = try output.first(/is at (http\S+)/)
      if let url = URL(string: address) { return url }
      throw ApplicationError("The application says that it is at \(address).")
    } catch is EndedTooSoon {
      throw ApplicationError(
        "The application ended before it said its address: \(try complaints)")
    }
  }

  // MARK: Starting

  /// Runs the application to its end; for starts that must fail.
  static func runToEnd(
    _ name: String = "nested-lists", home: URL, _ arguments: [String]
  ) throws -> (status: Int32, errors: String) {
    let process = Process()
    let errors = Pipe()
    process.executableURL = try BuiltProgram.url(name)
    process.arguments = arguments
    process.environment = environment(home: home)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let data = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  static func environment(home: URL) -> [String: String] {
    var environment = ProcessInfo.processInfo.environment
    environment["HOME"] = home.path
    environment["CFFIXED_USER_HOME"] = home.path
    environment["XDG_CONFIG_HOME"] = nil
    environment["XDG_DATA_HOME"] = nil
    // Who is crashed on purpose ends at once: a backtrace takes many seconds.
    environment["SWIFT_BACKTRACE"] = "enable=no"
    return environment
  }
}
