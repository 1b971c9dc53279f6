import Foundation

/// Finds a target's managed object classes with the symbols of their `@NSManaged` declarations, and
/// its migration policies and value transformers.
///
/// The sources are read here only as far as declarations go. The compiler supplies the symbols of a
/// ``Skeleton`` of them; it runs again only after the skeleton has changed.
struct ClassScanner {
  let compilation: Compilation
  /// The target's own source files.
  let files: [SourceFile]

  /// The classes and policies of a target.
  struct Found {
    var classes: [ManagedClass] = []
    /// The names of the migration policies.
    var policyNames: [String] = []
    /// The names of the value transformers.
    var transformerNames: [String] = []
  }

  /// Finds the hand-written classes; `generated` has the declarations that are generated in
  /// addition.
  func classes(beside generated: String) throws -> Found {
    let generatedFile = DeclarationReader.file(
      named: "GeneratedClasses.swift", path: "", Data((CoreDataStub.aliases + generated).utf8))
    let all = [generatedFile] + files
    let paths = TypePaths(moduleName: compilation.moduleName, files: all)
    guard let (skeleton, graph) = try symbols(of: all, paths) else { return Found() }
    let reader = SymbolGraphReader(
      graph: graph, skeleton: skeleton, generated: generatedFile.name,
      moduleName: compilation.moduleName, topLevel: paths.topLevel)
    return Found(
      classes: try reader.classes(), policyNames: reader.policyNames(),
      transformerNames: reader.transformerNames())
  }

  /// Asks the compiler for the symbols; nil if the skeleton is empty.
  private func symbols(
    of files: [SourceFile], _ paths: TypePaths
  ) throws -> (Skeleton, SymbolGraph)? {
    func skeleton(_ unknown: Set<String>) -> Skeleton {
      Skeleton(files: files, paths: paths, unknown: unknown)
    }
    let whole = skeleton([])
    guard whole.errors.isEmpty else { throw CompilationErrors(messages: whole.errors) }
    guard !whole.files.isEmpty else { return nil }
    let compiler = SkeletonCompiler(compilation: compilation, question: whole.text)
    if let (graph, unknown) = try compiler.keptAnswer() {
      return (unknown.isEmpty ? whole : skeleton(unknown), graph)
    }
    // The compiler stops at an extension of a type that it does not find. Which types it finds is
    // known only from its errors, so such extensions are removed and the compiler asked again.
    var unknown: Set<String> = []
    while true {
      let asked = skeleton(unknown)
      let answer = try compiler.ask(asked, unknown: unknown)
      if let graph = answer.graph { return (asked, graph) }
      let more = answer.unknownExtensions.subtracting(unknown)
      guard !more.isEmpty else { throw failure(answer) }
      unknown.formUnion(more)
    }
  }

  private func failure(_ answer: SkeletonCompiler.Answer) -> CompilationErrors {
    let errors = answer.errors.map { $0.declaration.place.error($0.text) }
    return CompilationErrors(
      messages: errors.isEmpty
        ? [
          "error: \(compilation.compiler.path) gave no symbols of the managed object classes of "
            + "\(compilation.moduleName); what it said is in \(answer.log.path)"
        ] : errors)
  }
}
