import Foundation

/// Runs the Swift compiler.
enum CompilerProcess {
  struct Result {
    let status: Int32
    /// The output of its standard error stream.
    let messages: String
  }

  static func run(_ executable: URL, arguments: [String]) throws -> Result {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    // Read before waiting: a full pipe would keep the compiler from ending.
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, messages: String(decoding: data, as: UTF8.self))
  }
}
