import Foundation

/// Asks the compiler for the symbols of a skeleton, and caches the answer.
struct SkeletonCompiler {
  let compilation: Compilation
  /// The text of the complete skeleton; the cached answer is valid while it is unchanged.
  let question: String

  struct Answer {
    /// The symbols; nil if the compiler stopped early.
    let graph: SymbolGraph?
    /// The compiler's errors, with the declarations concerned.
    let errors: [(text: String, declaration: Declaration)]
    /// The file with the compiler's output.
    let log: URL

    /// Extended types that the compiler does not find, and aliases of such types.
    var unknownExtensions: Set<String> {
      Set(
        errors.map(\.declaration).filter { $0.kind == .typeExtension || $0.kind == .alias }
          .map(\.name))
    }
  }

  private var folder: URL { compilation.workFolder.appendingPathComponent("Skeleton") }
  private var stampFile: URL { folder.appendingPathComponent("stamp") }
  private var unknownFile: URL { folder.appendingPathComponent("unknown") }
  private var graphFile: URL {
    folder.appendingPathComponent("\(compilation.moduleName).symbols.json")
  }

  private var stamp: Data {
    Data(
      (CoreDataModule.compilerStamp(compilation) + CoreDataStub.source
        + arguments(files: []).joined(separator: " ") + question).utf8)
  }

  /// The cached answer to this question, with the extended types that the compiler did not find.
  func keptAnswer() throws -> (SymbolGraph, unknown: Set<String>)? {
    // An unreadable cache counts as empty.
    guard (try? Data(contentsOf: stampFile)) == stamp, let graph = try graph(),
      let unknown = try? String(contentsOf: unknownFile, encoding: .utf8)
    else { return nil }
    return (graph, Set(unknown.split(separator: "\n").map(String.init)))
  }

  func ask(_ skeleton: Skeleton, unknown: Set<String>) throws -> Answer {
    // Files of an earlier run would be mistaken for an answer. The folder is missing the first
    // time.
    try? FileManager.default.removeItem(at: folder)
    for file in skeleton.files {
      try Output.write(Data(file.text.utf8), to: folder.appendingPathComponent(file.name))
    }
    let module = try CoreDataModule(compilation: compilation).folder()
    let messages = try CompilerProcess.run(
      compilation.compiler,
      arguments: ["-I", module.path] + arguments(files: skeleton.files.map(\.name))
    ).messages
    let log = folder.appendingPathComponent("compiler.log")
    try Output.write(Data(messages.utf8), to: log)
    let graph = try graph()
    if graph != nil {
      try Output.write(Data(unknown.sorted().joined(separator: "\n").utf8), to: unknownFile)
      try Output.write(stamp, to: stampFile)
    }
    return Answer(graph: graph, errors: Self.errors(messages, skeleton: skeleton), log: log)
  }

  private func graph() throws -> SymbolGraph? {
    // A missing file means that the compiler stopped early.
    guard let data = try? Data(contentsOf: graphFile) else { return nil }
    return try JSONDecoder().decode(SymbolGraph.self, from: data)
  }

  private static func errors(
    _ messages: String, skeleton: Skeleton
  ) -> [(text: String, declaration: Declaration)] {
    let files = Dictionary(uniqueKeysWithValues: skeleton.files.map { ($0.name, $0.declarations) })
    return messages.matches(of: /(?m)^(.+):(\d+):\d+: error: (.+)$/).compactMap { match in
      let file = (String(match.1) as NSString).lastPathComponent
      guard let line = Int(match.2), let declaration = files[file]?[line] else { return nil }
      return (String(match.3), declaration)
    }
  }

  private func arguments(files: [String]) -> [String] {
    let module = folder.appendingPathComponent("\(compilation.moduleName).swiftmodule")
    return [
      "-emit-module", "-o", module.path, "-emit-symbol-graph", "-emit-symbol-graph-dir",
      folder.path, "-symbol-graph-minimum-access-level", "private",
      "-module-name", compilation.moduleName, "-parse-as-library",
      // One process for all files rather than one for each.
      "-whole-module-optimization",
      // The other style is buffered, and lost if the compiler crashes.
      "-package-name", "ManagedObjects", "-diagnostic-style", "llvm",
      "-Xfrontend", "-experimental-allow-module-with-compiler-errors",
      "-Xfrontend", "-experimental-skip-all-function-bodies",
    ] + compilation.conditions.map { "-D" + $0 }
      + files.map { folder.appendingPathComponent($0).path }
  }
}
