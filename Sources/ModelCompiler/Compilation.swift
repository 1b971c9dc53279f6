import Foundation
import ModelDocuments

/// What the build plugin asks for: one target's models and classes.
///
/// Writes one Swift file, for each model one `.momd`, for each mapping model one `.cdm`; files whose content stays are not
/// touched, so that nothing that depends on them is built again.
public struct Compilation {
  /// The module that the target makes.
  public var moduleName: String
  /// The target's `.xcdatamodeld` and `.xcdatamodel` folders.
  public var models: [URL] = []
  /// The target's `.xcmappingmodel` folders.
  public var mappingModels: [URL] = []
  /// The target's Swift files.
  public var sources: [URL] = []
  /// Where the generated Swift goes.
  public var output: URL
  /// The folder in which the `.momd` folders and the `.cdm` files are made.
  public var modelFolder: URL
  /// A folder for what is kept between runs.
  public var workFolder: URL
  /// The Swift compiler.
  public var compiler: URL
  /// How the generated classes look.
  public var options = CodeOptions()
  /// Conditions that the target is compiled with.
  public var conditions: [String] = []
  /// The modules of the target's dependencies. Nil where sources may have what this platform has not, as those may that
  /// have been ported.
  public var dependencies: [String]?

  public init(
    moduleName: String, output: URL, modelFolder: URL, workFolder: URL, compiler: URL
  ) {
    self.moduleName = moduleName
    self.output = output
    self.modelFolder = modelFolder
    self.workFolder = workFolder
    self.compiler = compiler
  }

  /// Does everything, and gives the warnings. Throws ``CompilationErrors`` with all that is wrong with
  /// the classes, or the `ModelFileError` of a model.
  @discardableResult public func run() throws -> [String] {
    let models = try self.models.map { try SourceModel(url: $0, moduleName: moduleName) }
    let warnings = try models.flatMap { model in
      try CompiledModel(
        model: model, moduleName: moduleName, modelFolder: modelFolder, workFolder: workFolder
      ).write()
    }
    try mappingModels.forEach(writeMapping)
    let files = try sources.map(DeclarationReader.file)
    let foreign = try foreignConstructs(files)
    let generated = try ClassGenerator(
      models: models, moduleName: moduleName, options: options,
      declared: TypePaths(moduleName: moduleName, files: files).topLevel
    ).text()
    let found = try ClassScanner(compilation: self, files: files)
      .classes(beside: generated.declarations)
    let text = try GeneratedFile(
      moduleName: moduleName, models: models, generated: generated, handWritten: found.classes,
      policyNames: found.policyNames
    ).text
    try Output.write(Data(text.utf8), to: output)
    return foreign + warnings.map(\.warning)
  }

  /// Warnings of what is not as on Apple's systems. Throws what the compiler would refuse in words of its own.
  private func foreignConstructs(_ files: [SourceFile]) throws -> [String] {
    guard let dependencies else { return [] }
    let findings = try sources.map {
      try ForeignConstructs.findings(
        in: $0, conditions: conditions, modules: Set(dependencies + [moduleName]))
    }
    let errors = findings.flatMap(\.errors)
    let warnings =
      findings.flatMap(\.warnings)
      + files.flatMap(\.overridesInExtensions).map {
        $0.warning(ForeignConstructs.overrideInExtension)
      }
      + files.flatMap(\.observers).map { $0.warning(ForeignConstructs.observer) }
    guard errors.isEmpty else { throw CompilationErrors(messages: warnings + errors) }
    return warnings
  }

  private func writeMapping(_ url: URL) throws {
    let name = url.deletingPathExtension().lastPathComponent
    try Output.write(
      MappingPackage(url: url).compiled(), to: modelFolder.appendingPathComponent(name + ".cdm"))
  }
}

/// Everything that is wrong with a target's managed object classes.
public struct CompilationErrors: Error, CustomStringConvertible {
  /// One line each, in the form that compilers use.
  public let messages: [String]

  public var description: String { messages.joined(separator: "\n") }
}

enum Output {
  /// Writes a file unless it has this content already. Gives whether it was written.
  @discardableResult static func write(_ data: Data, to url: URL) throws -> Bool {
    // A file that cannot be read is a file that has to be written.
    if let old = try? Data(contentsOf: url), old == data { return false }
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url, options: .atomic)
    return true
  }
}
