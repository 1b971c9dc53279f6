import Foundation
import TestSupport

/// The chromedriver process, which starts browsers and passes commands on to them.
final class DriverProcess: Sendable {
  private let process: Process
  let port: UInt16

  static let program = "/usr/bin/chromedriver"

  init() throws {
    guard FileManager.default.isExecutableFile(atPath: Self.program) else {
      throw BrowserError.notInstalled
    }
    (process, port) = try Self.start(tries: 5)
  }

  /// It takes a port of one protocol and wants the same of the other, which somebody else may have: then it ends at
  /// once, and another time it takes another one.
  private static func start(tries: Int) throws -> (Process, UInt16) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["--port=0"]
    // A browser that is ended leaves its profile there.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["TMPDIR": TestFolder.run.path]
    ) { $1 }
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    do {
      let port = try port(in: output.fileHandleForReading)
      // What it says later is not needed; a full pipe would stop it.
      output.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
      return (process, port)
    } catch BrowserError.didNotStart(let text)
      where text.contains("port not available") && tries > 1
    {
      return try start(tries: tries - 1)
    }
  }

  deinit { end() }

  /// Ends it by its number; it may have been started with other signals ignored.
  func end() { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// It says: "ChromeDriver was started successfully on port 40123."
  private static func port(in output: FileHandle) throws -> UInt16 {
    do {
      let port = try PrintedLines(output).first(/successfully on port (\d+)/)
      if let port = UInt16(port) { return port }
      throw BrowserError.didNotStart("It says that its port is \(port)")
    } catch let end as EndedTooSoon {
      throw BrowserError.didNotStart(end.text)
    }
  }
}
