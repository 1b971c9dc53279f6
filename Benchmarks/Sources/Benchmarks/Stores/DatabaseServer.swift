import Foundation

/// A PostgreSQL server of this process, in a temporary folder, on a Unix socket. It ends with the process.
struct DatabaseServer {
  /// Whether there is one to be started.
  static var isInstalled: Bool { FileManager.default.fileExists(atPath: "/usr/lib/postgresql") }

  private static let address = Result { try start() }

  /// A new, empty place on the server.
  static func newSchema() throws -> URL {
    let name = "b" + UUID().uuidString.lowercased().filter { $0 != "-" }
    let text = "\(try address.get())&options=-csearch_path%3D\(name)"
    guard let url = URL(string: text) else { throw BenchmarkError.childFailed(text) }
    return url
  }

  private static func start() throws -> String {
    let root = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
      url.deletingLastPathComponent()
    }
    let script = root.appendingPathComponent("Scripts/start-postgresql")
    let process = Process()
    process.executableURL = script
    process.arguments = ["--parent", "\(ProcessInfo.processInfo.processIdentifier)"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var line = Data()
    while let byte = try output.fileHandleForReading.read(upToCount: 1), byte.first != 10 {
      if byte.isEmpty { throw BenchmarkError.childFailed(script.path) }
      line += byte
    }
    return String(decoding: line, as: UTF8.self)
  }
}
