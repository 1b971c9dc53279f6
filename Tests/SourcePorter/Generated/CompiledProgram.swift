import Foundation
import Testing

/// A program of some sources, compiled against the modules that the tests have been built with.
struct CompiledProgram {
  private let folder: URL

  init(files: [String: String], arguments: [String] = []) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "CompiledProgram-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in files {
      try text.write(
        to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }
    let sources = files.keys.sorted().map { folder.appendingPathComponent($0).path }
    let (status, messages) = try Self.run(
      "/usr/bin/env",
      ["swiftc", "-swift-version", "5", "-Onone", "-o", program.path] + arguments + sources
        + Self.arguments())
    try #require(status == 0, "the compiler says:\n\(messages.prefix(4000))")
  }

  func output() throws -> String {
    let (status, output) = try Self.run(program.path, [])
    try #require(status == 0, "the program ends with \(status):\n\(output)")
    return output
  }

  func remove() {
    // A folder that is left behind harms nobody.
    try? FileManager.default.removeItem(at: folder)
  }

  var program: URL { folder.appendingPathComponent("program") }

  /// The modules and objects of the build that this test is part of.
  private static func arguments() throws -> [String] {
    let build = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent()
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/Foundation")
    let modules = [
      "StringComparators", "KeyValueCoding", "Predicates", "Undo", "ListSnapshots",
      "ModelDocuments", "CoreData", "CRuntime", "ObjectiveCSupport",
    ]
    // What the tests themselves were linked from: a build folder also keeps the objects of sources
    // that have since been renamed.
    let linked = try String(
      contentsOf: build.appendingPathComponent(
        "OpenCoreDataPackageTests.product/Objects.LinkFileList"), encoding: .utf8)
    let objects = linked.split(separator: "\n")
      .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "'")) }
      .filter { object in
        modules.contains { object.contains("/\($0).build/") }
          && !object.hasSuffix(".swiftmodule.o")
      }
    let maps = [
      build.appendingPathComponent("CRuntime.build/module.modulemap"),
      sources.appendingPathComponent("CSQLite/module.modulemap"),
      sources.appendingPathComponent("CZlib/module.modulemap"),
    ].flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
    return ["-I", build.appendingPathComponent("Modules").path] + maps + objects
      + ["-lsqlite3", "-lz", "-l_FoundationICU"]
  }

  static func run(_ executable: String, _ arguments: [String]) throws -> (Int32, String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    // Read before waiting: a full pipe would keep the process from ending.
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
