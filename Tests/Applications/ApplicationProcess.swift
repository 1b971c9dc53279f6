import Foundation

/// A built application as a process of its own, on a free port and a store of its own.
final class ApplicationProcess {
  let process = Process()
  private let output = Pipe()
  private let errors = Pipe()
  /// Where the page is; read from what the application prints.
  private(set) var address: URL

  /// Starts the application and waits until it says where it is.
  init(_ name: String = "nested-lists", store: URL, arguments: [String] = []) throws {
    address = URL(fileURLWithPath: "/")
    process.executableURL = try Self.executable(name)
    process.arguments = ["--port", "0", "--store", store.path] + arguments
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    address = try readAddress()
  }

  deinit { kill() }

  /// Runs the application to its end; for starts that must fail.
  static func runToEnd(
    _ name: String = "nested-lists", _ arguments: [String]
  ) throws -> (status: Int32, errors: String) {
    let process = Process()
    let errors = Pipe()
    process.executableURL = try executable(name)
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let data = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  /// SIGKILL: nothing in the process gets a chance to tidy up.
  func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// SIGTERM: the application saves and ends.
  func terminate() {
    process.terminate()
    process.waitUntilExit()
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

  /// Applications lie beside the bundle of the tests.
  private static func executable(_ name: String) throws -> URL {
    let beside = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent(name)
    let places = [
      beside,
      URL(fileURLWithPath: CommandLine.arguments[0])
        .deletingLastPathComponent().appendingPathComponent(name),
    ]
    for case let place? in places where FileManager.default.isExecutableFile(atPath: place.path) {
      return place
    }
    throw ApplicationError("“\(name)” is not beside the tests: run swift build first.")
  }

  private func readAddress() throws -> URL {
    var text = ""
    while true {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else {
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        throw ApplicationError(
          "The application ended before it said its address: \(String(decoding: said, as: UTF8.self))"
        )
      }
      text += String(decoding: data, as: UTF8.self)
      for line in text.split(separator: "\n") where line.contains(" is at http") {
        if let url = line.split(separator: " ").last.flatMap({ URL(string: String($0)) }) {
          return url
        }
      }
    }
  }
}

struct ApplicationError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// A folder for one test, removed with it.
final class TemporaryFolder {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("ApplicationsTests-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    // What is left behind in a temporary folder harms nobody.
    try? FileManager.default.removeItem(at: url)
  }

  func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}
