import Foundation
import TestSupport
import Testing

/// The command as a process of its own.
struct ToolRun {
  let status: Int32
  let output: String
  let errors: String

  init(_ arguments: String...) throws { try self.init(arguments) }

  init(_ arguments: [String], environment: [String: String] = [:]) throws {
    let process = Process()
    process.executableURL = try BuiltProgram.url("coredata")
    process.arguments = arguments
    let folder = try TestFolder()
    // Nothing is found nor left in the home of whoever runs the tests.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["XDG_STATE_HOME": folder.url.path]) { $1 }.merging(environment) { $1 }
    let files = ["output", "errors"].map { folder.file($0) }
    for file in files { try Data().write(to: file) }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    try process.run()
    process.waitUntilExit()
    status =
      process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    output = String(decoding: try Data(contentsOf: files[0]), as: UTF8.self)
    errors = String(decoding: try Data(contentsOf: files[1]), as: UTF8.self)
  }
}

/// Names and contents of everything below a folder.
func contents(of folder: URL) throws -> [String: Data] {
  let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
  return Dictionary(
    uniqueKeysWithValues: names.compactMap { name in
      FileManager.default.contents(atPath: folder.appendingPathComponent(name).path).map {
        (name, $0)
      }
    })
}
