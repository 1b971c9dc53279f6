public import Foundation
import ModelDocuments

/// The Swift files of a model's managed object classes.
///
/// Each class has two files: one that is written once and then belongs to you, and one with its
/// properties, which is written again whenever the model changes.
///
///     let options = CodeOptions(flavour: .idiomatic)
///     let code = try CodeGeneration(model: url, moduleName: "App", options: options)
///     try code.write(into: folder)
///
/// Set the entities of these files to "Manual/None" in the model; otherwise the build plugin
/// generates their classes too.
public struct CodeGeneration {
  /// A file to be written.
  public struct File: Equatable, Sendable {
    /// The name of the file.
    public let name: String
    /// The contents of the file.
    public let text: String
    /// Whether an existing file is left alone, since it may have been edited.
    public let isWrittenOnce: Bool
  }

  /// The files ordered by entity, each class file before its properties file. Order and texts
  /// depend only on the model and the options.
  public let files: [File]

  /// Generates the files for a model.
  /// - Parameters:
  ///   - model: an `.xcdatamodeld` or `.xcdatamodel`, of which the current version is read.
  ///   - moduleName: the module of the classes.
  ///   - options: the style of the code.
  ///   - entityNames: the entities wanted; nil for all that have a class of their own.
  /// - Throws: `ModelFileError` if the model is invalid or cannot be translated to Swift.
  public init(
    model: URL, moduleName: String, options: CodeOptions = CodeOptions(),
    entityNames: Set<String>? = nil
  ) throws {
    let model = try SourceModel(url: model, moduleName: moduleName)
    let names = ClassNames(
      entities: model.current.entitiesByName, moduleName: moduleName,
      namespace: options.namespace, isGenerated: { _ in true })
    try Self.check(entityNames, model: model, names: names)
    let entities = model.current.entities.sorted { $0.name < $1.name }.filter { entity in
      names.path(of: entity) != [ClassNames.root] && entityNames?.contains(entity.name) != false
    }
    let codes = try entities.map {
      try EntityCode($0, of: model, options: options, names: names)
    }
    try Self.checkFileNames(codes, model: model)
    files =
      Self.namespaces(codes, options: options) + codes.flatMap(Self.files)
  }

  /// Writes changed files into a folder; files that are written once are skipped if they exist.
  /// - Returns: the names of the files written.
  @discardableResult public func write(into folder: URL) throws -> [String] {
    try files.filter { file in
      let url = folder.appendingPathComponent(file.name)
      if file.isWrittenOnce, FileManager.default.fileExists(atPath: url.path) { return false }
      return try Output.write(Data(file.text.utf8), to: url)
    }.map(\.name)
  }

  private static func check(
    _ wanted: Set<String>?, model: SourceModel, names: ClassNames
  ) throws {
    for name in (wanted ?? []).sorted() {
      guard let entity = names.entities[name] else {
        throw ModelFileError(
          file: model.package.url.path,
          problem: "it has no entity “\(name)”; it has: "
            + names.entities.keys.sorted().joined(separator: ", "))
      }
      guard names.path(of: entity) != [ClassNames.root] else {
        throw ModelFileError(
          file: model.package.url.path, entity: name,
          problem: "its objects are of NSManagedObject; name a class in the model first")
      }
    }
  }

  private static func checkFileNames(_ codes: [EntityCode], model: SourceModel) throws {
    for (name, codes) in Dictionary(grouping: codes, by: \.fileStem) where codes.count > 1 {
      throw ModelFileError(
        file: model.package.url.path, entity: codes[1].entity.name,
        problem: "its class \(name) is the class of the entity “\(codes[0].entity.name)” too")
    }
  }

  private static func namespaces(_ codes: [EntityCode], options: CodeOptions) -> [File] {
    Set(codes.compactMap(\.namespaces.first)).sorted().map { name in
      File(
        name: "\(name).swift",
        text: "/// What the managed object classes stand in.\n\(options.modifier)enum \(name) {}\n",
        isWrittenOnce: true)
    }
  }

  private static func files(of code: EntityCode) -> [File] {
    let (classText, propertiesText) = texts(of: code)
    return [
      file(code, part: "CoreDataClass", text: classText, isWrittenOnce: true),
      file(code, part: "CoreDataProperties", text: propertiesText, isWrittenOnce: false),
    ]
  }

  private static func texts(of code: EntityCode) -> (String, String) {
    guard code.options.flavour != .xcode else {
      let text = XcodeText(code: code)
      return (text.classText, text.propertiesText)
    }
    let head = "\(code.options.modifier)import CoreData\n"
    return (head + ClassText(code: code).text, head + PropertiesText(code: code).text)
  }

  private static func file(
    _ code: EntityCode, part: String, text: String, isWrittenOnce: Bool
  ) -> File {
    let name = "\(code.fileStem)+\(part).swift"
    let note =
      isWrittenOnce
      ? "" : "//  This file was automatically generated and should not be edited.\n//\n"
    return File(
      name: name, text: "//\n//  \(name)\n//\n\(note)\n\(text)", isWrittenOnce: isWrittenOnce)
  }
}

extension EntityCode {
  /// The class's name, with which file names begin.
  var fileStem: String { names.path(of: entity).last ?? "" }
}
