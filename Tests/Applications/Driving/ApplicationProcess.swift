import Foundation
import TestSupport

/// A built application as a process of its own, on a port and a store of its own.
///
/// Its home is the folder of the store, so that it neither finds nor leaves settings of the user's.
final class ApplicationProcess {
  private let process = Process()
  private let output = Pipe()
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
    errors = store.deletingLastPathComponent().appendingPathComponent("\(UUID()).errors")
    try Data().write(to: errors)
    process.executableURL = try Self.executable(name)
    let place =
      subcommand.map { [$0, store.path] } ?? ["--store", server?.absoluteString ?? store.path]
    process.arguments = place + ["--port", "\(try port ?? LentPorts.lend())"] + arguments
    process.environment = Self.environment(home: store.deletingLastPathComponent())
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    address = try readAddress()
  }

  deinit { kill() }

  /// SIGKILL: nothing in the process gets a chance to tidy up.
  func kill() {
    guard process.isRunning else { return }
    Glibc.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

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
    var text = ""
    while true {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else {
        throw ApplicationError(
          "The application ended before it said its address: \(try complaints)")
      }
      text += String(decoding: data, as: UTF8.self)
      if let match = text.firstMatch(of: /is at (http\S+)\n/), let url = URL(string: "\(match.1)") {
        return url
      }
    }
  }

  // MARK: Starting

  /// Runs the application to its end; for starts that must fail.
  static func runToEnd(
    _ name: String = "nested-lists", home: URL, _ arguments: [String]
  ) throws -> (status: Int32, errors: String) {
    let process = Process()
    let errors = Pipe()
    process.executableURL = try executable(name)
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

  /// Applications lie beside the bundle of the tests.
  static func executable(_ name: String) throws -> URL {
    let program = URL(fileURLWithPath: CommandLine.arguments[0])
    let places = [Bundle.main.executableURL, program].compactMap {
      $0?.deletingLastPathComponent().appendingPathComponent(name)
    }
    for place in places where FileManager.default.isExecutableFile(atPath: place.path) {
      return place
    }
    throw ApplicationError("“\(name)” is not beside the tests: run `swift build` first.")
  }
}
