import Foundation
import ModelDocuments

/// Compiles the models of one target and generates code for its classes; a run of the build plugin.
///
/// Writes one Swift file, a `.momd` for each model and a `.cdm` for each mapping model. Files with
/// unchanged contents are not touched, so that nothing that depends on them is rebuilt.
public struct Compilation {
  /// The name of the target's module.
  public var moduleName: String
  /// The target's `.xcdatamodeld` and `.xcdatamodel` folders.
  public var models: [URL] = []
  /// The target's `.xcmappingmodel` folders.
  public var mappingModels: [URL] = []
  /// The target's Swift files.
  public var sources: [URL] = []
  /// The file for the generated code.
  public var output: URL
  /// The folder for the `.momd` folders and the `.cdm` files.
  public var modelFolder: URL
  /// The folder for data kept between runs.
  public var workFolder: URL
  /// The Swift compiler.
  public var compiler: URL
  /// The style of the generated classes.
  public var options = CodeOptions()
  /// The target's compilation conditions.
  public var conditions: [String] = []
  /// The modules of the target's dependencies. nil if constructs that this platform lacks are to be
  /// accepted, as in ported sources.
  public var dependencies: [String]?

  /// Creates a compilation without models and sources.
  public init(
    moduleName: String, output: URL, modelFolder: URL, workFolder: URL, compiler: URL
  ) {
    self.moduleName = moduleName
    self.output = output
    self.modelFolder = modelFolder
    self.workFolder = workFolder
    self.compiler = compiler
  }

  /// Compiles everything and returns the warnings.
  /// - Throws: ``CompilationErrors`` with all problems of the classes, or the `ModelFileError` of a
  ///   model.
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
      declared: TypePaths(moduleName: moduleName, files: files).topLevel,
      properties: Self.properties(files)
    ).text()
    let found = try ClassScanner(compilation: self, files: files)
      .classes(beside: generated.declarations)
    let text = try GeneratedFile(
      moduleName: moduleName, models: models, generated: generated, handWritten: found.classes,
      policyNames: found.policyNames, transformerNames: found.transformerNames
    ).text
    try Output.write(Data(text.utf8), to: output)
    return foreign + warnings.map(\.warning)
  }

  /// Warnings about constructs that behave differently from Apple's systems.
  /// - Throws: ``CompilationErrors`` for constructs that the compiler would refuse with less
  ///   helpful messages.
  private func foreignConstructs(_ files: [SourceFile]) throws -> [String] {
    guard let dependencies else { return [] }
    let declared = TypePaths(moduleName: moduleName, files: files).topLevel
    let findings = try sources.map {
      try ForeignConstructs.findings(
        in: $0, conditions: conditions, modules: Set(dependencies + [moduleName]),
        declared: declared)
    }
    let errors = findings.flatMap(\.errors)
    let warnings =
      findings.flatMap(\.warnings)
      + files.flatMap(\.overridesInExtensions).map {
        $0.warning(ForeignConstructs.overrideInExtension)
      }
      + files.flatMap(\.observers).map { $0.warning(ForeignConstructs.observer) }
      + files.flatMap(\.faultOverrides).map { $0.warning(ForeignConstructs.fault) }
      + (files.flatMap(\.unfoundMethods) + DelegateMethods.uncalled(in: files)).map {
        $0.place.warning($0.text)
      }
    guard errors.isEmpty else { throw CompilationErrors(messages: warnings + errors) }
    return warnings
  }

  /// The properties that classes and their extensions declare, by the last part of the class's
  /// name.
  private static func properties(_ files: [SourceFile]) -> [String: Set<String>] {
    var properties: [String: Set<String>] = [:]
    var rest = files.flatMap(\.declarations)
    while let declaration = rest.popLast() {
      rest += declaration.members
      guard declaration.isClass || declaration.kind == .typeExtension,
        let name = declaration.name.split(separator: ".").last
      else { continue }
      for member in declaration.members {
        switch member.kind {
        case .managedProperty, .readableProperty:
          properties[String(name), default: []].insert(member.name)
        default: break
        }
      }
    }
    return properties
  }

  private func writeMapping(_ url: URL) throws {
    let name = url.deletingPathExtension().lastPathComponent
    try Output.write(
      MappingPackage(url: url).compiled(), to: modelFolder.appendingPathComponent(name + ".cdm"))
  }
}

/// All problems of a target's managed object classes.
public struct CompilationErrors: Error, CustomStringConvertible {
  /// One message a line, in the form of compiler messages.
  public let messages: [String]

  /// The messages, one a line.
  public var description: String { messages.joined(separator: "\n") }
}

enum Output {
  /// Writes a file unless it has this content already. Returns true if it was written.
  @discardableResult static func write(_ data: Data, to url: URL) throws -> Bool {
    // An unreadable file counts as different.
    if let old = try? Data(contentsOf: url), old == data { return false }
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url, options: .atomic)
    return true
  }
}
