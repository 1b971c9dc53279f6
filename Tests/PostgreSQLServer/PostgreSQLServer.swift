import Foundation
import TestSupport

/// A PostgreSQL server of this test process: started when the first test asks for it, and stopped when the
/// process ends, however it does.
package enum PostgreSQLServer {
  /// Why there is none, and where it is.
  private static let started = Result { try start() }

  /// Whether there is a server to be tested with. Says so once where there is none.
  package static let isAvailable: Bool = {
    do {
      _ = try started.get()
      return true
    } catch {
      print("PostgreSQL is not tested: \(error)")
      return false
    }
  }()

  /// An address of a schema of the server, which whoever opens a store there makes.
  package static func url(schema: String) throws -> URL {
    try url(schema: schema, of: started.get())
  }

  /// An address of a schema of the server at this address.
  package static func url(schema: String, of address: String) throws -> URL {
    guard let url = URL(string: "\(address)&options=-csearch_path%3D\(schema)") else {
      throw ServerFailure(text: "\(address) is no URL")
    }
    return url
  }

  /// The schema that stands for a file of the test's.
  package static func url(insteadOf file: URL) throws -> URL {
    let name = file.path.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return try url(schema: "t" + name.suffix(56))
  }

  /// Starts another server, which ends with the process too; its address.
  ///
  /// - Parameters:
  ///   - onLoopback: whether it listens there too, beside its Unix socket.
  ///   - restarts: whether it may be killed: it keeps what it has acknowledged, and is started again.
  package static func start(onLoopback: Bool = false, restarts: Bool = false) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let process = Process()
    process.executableURL = root.appendingPathComponent("Scripts/start-postgresql")
    process.arguments =
      [
        restarts ? "--restarts" : "--fast", "--parent",
        "\(ProcessInfo.processInfo.processIdentifier)",
      ]
      + (onLoopback ? ["--port", "\(try LentPorts.lend())"] : [])
    let output = Pipe()
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    var line = Data()
    while let byte = try output.fileHandleForReading.read(upToCount: 1), byte.first != 10 {
      if byte.isEmpty { break }
      line += byte
    }
    guard !line.isEmpty else {
      throw ServerFailure(
        text: "Scripts/start-postgresql could not start a server; run it to see why")
    }
    return String(decoding: line, as: UTF8.self)
  }
}
