import Foundation

/// Finds the managed object classes of a target and the compiler's names of what they declare
/// `@NSManaged`.
///
/// The compiler itself is asked, for a symbol graph; function bodies are skipped, and what does not
/// resolve because other modules are not built yet is no error here.
struct ClassScanner {
  private static let imports = "import CoreData\nimport Foundation\n"

  let compilation: Compilation

  /// The classes, hand-written ones only; `generated` has the declarations that are made beside
  /// them.
  func classes(beside generated: String) throws -> [ManagedClass] {
    let folder = compilation.workFolder.appendingPathComponent("symbols")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try buildStub()
    let declarations = compilation.workFolder.appendingPathComponent("GeneratedClasses.swift")
    try Output.write(Data((Self.imports + generated).utf8), to: declarations)
    let graph = try symbolGraph(with: declarations, in: folder)
    let reader = SymbolGraphReader(graph: graph, generated: declarations.path)
    return try reader.classes()
  }

  private func symbolGraph(with declarations: URL, in folder: URL) throws -> SymbolGraph {
    let file = folder.appendingPathComponent("\(compilation.moduleName).symbols.json")
    // One of an earlier run would hide that there is none now; usually there is none to remove.
    try? FileManager.default.removeItem(at: file)
    let module = folder.appendingPathComponent("\(compilation.moduleName).swiftmodule")
    let graphArguments = [
      "-emit-module", "-o", module.path, "-emit-symbol-graph", "-emit-symbol-graph-dir",
      folder.path, "-symbol-graph-minimum-access-level", "private",
    ]
    let files = [declarations] + compilation.sources
    var messages = try compile(files, graphArguments)
    if !FileManager.default.fileExists(atPath: file.path) {
      let standIns = try self.standIns(with: declarations)
      messages += try compile(files + [standIns], graphArguments)
    }
    guard let data = try? Data(contentsOf: file) else {
      // Without a graph the compiler's own messages are the reason.
      throw CompilationErrors(messages: [
        "error: the compiler gave no symbols of \(compilation.moduleName):", messages,
      ])
    }
    return try JSONDecoder().decode(SymbolGraph.self, from: data)
  }

  /// Over an extension of a type from a module that is not built yet the compiler stops before it has
  /// written its graph. An empty type of the name is all that it needs.
  private func standIns(with declarations: URL) throws -> URL {
    let sources = try compilation.sources.map { try String(contentsOf: $0, encoding: .utf8) }
    let copies = try sources.enumerated().map { number, source in
      let copy = compilation.workFolder.appendingPathComponent("WithoutImports/\(number).swift")
      try Output.write(Data(StandIns.withoutImports(source).utf8), to: copy)
      return copy
    }
    let messages = try compile([declarations] + copies, ["-typecheck"])
    let file = compilation.workFolder.appendingPathComponent("StandIns.swift")
    let text = StandIns(messages: messages, sources: sources).text
    try Output.write(Data(text.utf8), to: file)
    return file
  }

  private var stubFolder: URL { compilation.workFolder.appendingPathComponent("stub") }

  /// Builds the stand-in for CoreData, once for each compiler.
  private func buildStub() throws {
    let module = stubFolder.appendingPathComponent("CoreData.swiftmodule")
    let source = stubFolder.appendingPathComponent("CoreData.swift")
    let stamp = stubFolder.appendingPathComponent("compiler")
    let wanted = Data((compilerStamp() + CoreDataStub.source).utf8)
    // A stamp that cannot be read is a module that has to be built.
    let isBuilt =
      FileManager.default.fileExists(atPath: module.path)
      && (try? Data(contentsOf: stamp)) == wanted
    guard !isBuilt else { return }
    try Output.write(Data(CoreDataStub.source.utf8), to: source)
    let result = try CompilerProcess.run(
      compilation.compiler,
      [
        "-emit-module", "-module-name", "CoreData", "-parse-as-library", source.path, "-o",
        module.path, "-Xfrontend", "-experimental-skip-all-function-bodies",
      ])
    guard result.status == 0 else {
      throw CompilationErrors(messages: [
        "error: the stand-in for CoreData does not compile:", result.messages,
      ])
    }
    try Output.write(wanted, to: stamp)
  }

  private func compilerStamp() -> String {
    let path = compilation.compiler.resolvingSymlinksInPath().path
    // A compiler without a date is asked again whenever its path changes.
    let date = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate]
    return "\(path) \(date.map { "\($0)" } ?? "")\n"
  }

  private func compile(_ files: [URL], _ purpose: [String]) throws -> String {
    var arguments = purpose
    arguments += [
      "-module-name", compilation.moduleName, "-parse-as-library",
      "-package-name", "ManagedObjects", "-I", stubFolder.path,
      "-Xfrontend", "-experimental-allow-module-with-compiler-errors",
      "-Xfrontend", "-experimental-skip-all-function-bodies",
    ]
    arguments += compilation.conditions.map { "-D" + $0 }
    arguments += files.map(\.path)
    return try CompilerProcess.run(compilation.compiler, arguments).messages
  }
}
