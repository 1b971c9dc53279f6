import Foundation

extension NSManagedObjectModel {
  /// Reads a model from a `.momd` or `.mom`, and beyond what Apple's initialiser takes also from an
  /// `.xcdatamodeld` or `.xcdatamodel`.
  ///
  /// Nil when it cannot be read; the reason is written to the standard error stream. What Apple's tools
  /// let pass in a source model, such as an inverse that is not mutual, is written there as a warning.
  /// Source: developer.apple.com/documentation/coredata/nsmanagedobjectmodel/init(contentsof:)
  public convenience init?(contentsOf url: URL) {
    do {
      try self.init(contentsOfModelAt: url)
    } catch {
      ModelReport.write("error: \(error)")
      return nil
    }
  }

  /// Reads a model as `init(contentsOf:)` does, and throws a ``ModelFileError`` that says what is
  /// wrong.
  public convenience init(contentsOfModelAt url: URL) throws {
    let model = try ModelPackage(url: url).currentModel()
    self.init(takingContentsOf: model)
  }

  /// Takes over everything of a model that nobody else has.
  package convenience init(takingContentsOf model: NSManagedObjectModel) {
    self.init()
    let entities = model.entities
    model.entities = []
    self.entities = entities
    configurationMembers = model.configurationMembers
    storedTemplates = model.storedTemplates
    versionIdentifiers = model.versionIdentifiers
    compilerVersions = model.compilerVersions
  }
}

extension ModelPackage {
  /// The model, in the current version where there are several.
  package func currentModel() throws -> NSManagedObjectModel {
    try Self.model(in: try currentFile())
  }

  /// One version of the model.
  package func model(version: String) throws -> NSManagedObjectModel {
    try Self.model(in: try file(version: version))
  }

  /// A file's contents say what it is: an archive or a document.
  private static func model(in file: URL) throws -> NSManagedObjectModel {
    let data = try contents(of: file)
    guard !ModelElement.isDocument(data, in: file) else {
      let document = try ModelDocument(data: data, file: file.path)
      // Of a compiled model the build has told them.
      let warnings = file.pathExtension == "mom" ? [] : document.warnings
      for warning in warnings { ModelReport.writeOnce(warning.warning) }
      return try ModelBuilder.model(of: document)
    }
    return try NSManagedObjectModel(archivedData: data, file: file.path)
  }
}
