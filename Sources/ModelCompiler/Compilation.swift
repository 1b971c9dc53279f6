import Foundation

/// What the build plugin asks for: one target's models and classes.
///
/// Writes one Swift file and, for each model, one `.momd`; files whose content stays are not
/// touched, so that nothing that depends on them is built again.
public struct Compilation {
  /// The module that the target makes.
  public var moduleName: String
  /// The target's `.xcdatamodeld` and `.xcdatamodel` folders.
  public var models: [URL] = []
  /// The target's Swift files.
  public var sources: [URL] = []
  /// Where the generated Swift goes.
  public var output: URL
  /// The folder in which the `.momd` folders are made.
  public var modelFolder: URL
  /// A folder for what is kept between runs.
  public var workFolder: URL
  /// The Swift compiler.
  public var compiler: URL
  /// Conditions that the target is compiled with.
  public var conditions: [String] = []

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
    let generated = try ClassGenerator(models: models).text()
    let classes = try ClassScanner(compilation: self).classes(beside: generated.text)
    let text = try GeneratedFile(
      moduleName: moduleName, models: models, generated: generated, handWritten: classes
    ).text
    try Output.write(Data(text.utf8), to: output)
    return warnings.map(\.warning)
  }
}

/// Everything that is wrong with a target's managed object classes.
public struct CompilationErrors: Error, CustomStringConvertible {
  /// One line each, in the form that compilers use.
  public let messages: [String]

  public var description: String { messages.joined(separator: "\n") }
}

enum Output {
  /// Writes a file unless it has this content already.
  static func write(_ data: Data, to url: URL) throws {
    // A file that cannot be read is a file that has to be written.
    if let old = try? Data(contentsOf: url), old == data { return }
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url, options: .atomic)
  }
}
