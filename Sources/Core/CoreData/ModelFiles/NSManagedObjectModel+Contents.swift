import Foundation

extension NSManagedObjectModel {
  /// Reads a model from a `.momd` or `.mom`; also, unlike Apple's initialiser, from an
  /// `.xcdatamodeld` or `.xcdatamodel`.
  ///
  /// Returns nil if the model cannot be read; the reason is written to standard error. Defects of a
  /// source model that Apple's tools accept, such as an inverse that is not mutual, are written
  /// there as warnings.
  ///
  /// Source: developer.apple.com/documentation/coredata/nsmanagedobjectmodel/init(contentsof:)
  public convenience init?(contentsOf url: URL) {
    do {
      try self.init(contentsOfModelAt: url)
    } catch {
      ModelReport.write("error: \(error)")
      return nil
    }
  }

  /// Reads a model as `init(contentsOf:)` does. Throws a ``ModelFileError`` with the reason if it
  /// cannot be read.
  public convenience init(contentsOfModelAt url: URL) throws {
    let model = try ModelPackage(url: url).currentModel()
    self.init(takingContentsOf: model)
  }

  /// Moves the contents of a model that has no other user.
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
  /// The model; its current version if it has several.
  package func currentModel() throws -> NSManagedObjectModel {
    try Self.model(in: try currentFile())
  }

  /// One version of the model.
  package func model(version: String) throws -> NSManagedObjectModel {
    try Self.model(in: try file(version: version))
  }

  /// Reads a model file, an archive or a document depending on its contents.
  private static func model(in file: URL) throws -> NSManagedObjectModel {
    let data = try contents(of: file)
    guard !ModelElement.isDocument(data, in: file) else {
      let document = try ModelDocument(data: data, file: file.path)
      // The build has already printed the warnings of a compiled model.
      let warnings = file.pathExtension == "mom" ? [] : document.warnings
      for warning in warnings { ModelReport.writeOnce(warning.warning) }
      return try ModelBuilder.model(of: document)
    }
    return try NSManagedObjectModel(archivedData: data, file: file.path)
  }
}
