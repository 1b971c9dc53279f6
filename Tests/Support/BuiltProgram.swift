import Foundation

/// The programs of the package, which lie beside the bundle of the tests.
package enum BuiltProgram {
  package static func url(_ name: String) throws -> URL {
    let found = folders.map { $0.appendingPathComponent(name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    guard let found else { throw NotBuilt(name: name) }
    return found
  }

  /// Where the bundle of the tests may be.
  package static var folders: [URL] {
    [Bundle.main.executableURL, URL(fileURLWithPath: CommandLine.arguments[0])]
      .compactMap { $0?.deletingLastPathComponent() }
  }

  private struct NotBuilt: Error, CustomStringConvertible {
    let name: String
    var description: String { "“\(name)” is not beside the tests: run `swift build` first." }
  }
}

extension Process {
  /// SIGKILL: nothing in the process gets a chance to tidy up.
  package func killAndWait() {
    guard isRunning else { return }
    kill(processIdentifier, SIGKILL)
    waitUntilExit()
  }
}
