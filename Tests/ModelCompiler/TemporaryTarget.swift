import Foundation
import Testing

@testable import ModelCompiler

/// A target in a folder of its own: sources and a model to compile.
struct TemporaryTarget {
  let folder: URL
  var compilation: Compilation

  /// The compiler on the path; nil where there is none, as on a machine that only runs programs.
  static let compiler: URL? = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").map { URL(fileURLWithPath: "\($0)/swiftc") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }()

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ModelCompilerTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    compilation = Compilation(
      moduleName: "App", output: folder.appendingPathComponent("Generated.swift"),
      modelFolder: folder.appendingPathComponent("Models"),
      workFolder: folder.appendingPathComponent("Work"),
      compiler: Self.compiler ?? URL(fileURLWithPath: "/nowhere/swiftc"))
  }

  mutating func addSource(_ text: String, name: String = "Source.swift") throws {
    let file = folder.appendingPathComponent(name)
    try Data(text.utf8).write(to: file)
    compilation.sources.append(file)
  }

  mutating func addModel(_ body: String, name: String = "Store") throws {
    let model = folder.appendingPathComponent("\(name).xcdatamodeld")
    let version = model.appendingPathComponent("\(name).xcdatamodel")
    try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
    let text = "<?xml version=\"1.0\"?>\n<model>\n\(body)\n</model>"
    try Data(text.utf8).write(to: version.appendingPathComponent("contents"))
    compilation.models.append(model)
  }

  /// Runs the compilation, gives the generated text to `body` and removes the folder.
  func withOutput(_ body: (String) throws -> Void) throws {
    defer { remove() }
    try compilation.run()
    try body(try String(contentsOf: compilation.output, encoding: .utf8))
  }

  /// What the compilation complains about.
  func errors() throws -> String {
    defer { remove() }
    let error = #expect(throws: (any Error).self) { try compilation.run() }
    return error.map { "\($0)" } ?? ""
  }

  func remove() {
    // What stays behind lies in the system's folder for temporary files.
    try? FileManager.default.removeItem(at: folder)
  }
}

/// Whether a text has a part, whatever the white space in between.
func expectPart(
  _ part: String, in text: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  func words(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
  #expect(words(text).contains(words(part)), "\(part)\n\(text)", sourceLocation: sourceLocation)
}
