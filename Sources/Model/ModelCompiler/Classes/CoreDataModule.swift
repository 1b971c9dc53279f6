import Foundation

/// The stub module of CoreData, built once for each compiler.
struct CoreDataModule {
  let compilation: Compilation

  private var directory: URL { compilation.workFolder.appendingPathComponent("stub") }

  /// The folder of the module, which is built if it is missing or outdated.
  func folder() throws -> URL {
    let module = directory.appendingPathComponent("CoreData.swiftmodule")
    let source = directory.appendingPathComponent("CoreData.swift")
    let stamp = directory.appendingPathComponent("compiler")
    let wanted = Data((Self.compilerStamp(compilation) + CoreDataStub.source).utf8)
    // An unreadable stamp counts as outdated.
    let isBuilt =
      FileManager.default.fileExists(atPath: module.path)
      && (try? Data(contentsOf: stamp)) == wanted
    guard !isBuilt else { return directory }
    try Output.write(Data(CoreDataStub.source.utf8), to: source)
    let result = try CompilerProcess.run(
      compilation.compiler,
      arguments: [
        "-emit-module", "-module-name", "CoreData", "-parse-as-library", source.path, "-o",
        module.path, "-Xfrontend", "-experimental-skip-all-function-bodies",
      ])
    guard result.status == 0 else {
      throw CompilationErrors(messages: [
        "error: the stand-in for CoreData does not compile:", result.messages,
      ])
    }
    try Output.write(wanted, to: stamp)
    return directory
  }

  /// A text that differs for each compiler: its path and modification date.
  static func compilerStamp(_ compilation: Compilation) -> String {
    let path = compilation.compiler.resolvingSymlinksInPath().path
    // Without a date, only the path tells compilers apart.
    let date = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate]
    return "\(path) \(date.map { "\($0)" } ?? "")\n"
  }
}
